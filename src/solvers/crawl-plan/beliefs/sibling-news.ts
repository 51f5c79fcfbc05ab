/**
 * What siblings have shown since a page's last fetch, as an age: its copy counts as older where they had changed, and
 * as younger where they were watched and had not.
 *
 * With P(unchanged by age a) = p(a), of which siblings left the share `quiet` of the rate and the chance `spared`
 * (estimation/siblings), the age told is the a' with p(a') = spared·p(quiet·a). Until the next fetch everything is
 * reckoned from there; afterwards nothing is known of siblings again.
 * Complexity: O(siblings·log(checks)) a page. Limits: what siblings showed does not change the belief in the page's
 * rate.
 */
import type { Budget } from '../../budget.ts';
import { type GroupStrengths, groupStrengths, SiblingLog } from '../../estimation/siblings/index.ts';
import { quietShare, sparedChance } from '../../estimation/siblings/together.ts';
import { findRoot } from '../../numerics/search/root.ts';
import type { CrawlPlanProblem, PageGroups, SiblingFigures } from '../model/plan-problem.ts';
import type { RefreshModel } from './refresh-model.ts';

/** Ages told are found to this, relatively. */
const tolerance = 1e-6;
/** Ages told reach no further than so many times the real one, or so many mean times to a change. */
const farthest = 1e3;

export interface SiblingKnowledge {
  readonly strengths: GroupStrengths;
  /** By page: what is added to the age of its copy until its next fetch; 0 for a page never fetched. */
  readonly shift: Float64Array;
  /** By page: how strongly it changes together with its group; 0 where that is not sure. */
  readonly strength: Float64Array;
  /** By page: the chance that it was spared where one sibling is found changed, the others being watched too. */
  readonly factor: Float64Array;
}

/** @throws NothingToReturn when the budget ends first */
export function siblingKnowledge(
  { history, lastCrawl, now, signals, changeRate }: CrawlPlanProblem,
  { group, names }: PageGroups,
  { rate, model }: { readonly rate: Float64Array; readonly model: RefreshModel },
  budget: Budget,
): SiblingKnowledge {
  const known = Uint8Array.from(changeRate, (own) => (Number.isNaN(own) ? 0 : 1));
  const log = new SiblingLog({ history, lastFetch: lastCrawl, group, groups: names.length, rate, known });
  const strengths = groupStrengths(log, budget);
  const strength = rate.map((_, i) => {
    // a page with signals of its own goes by these
    const own = signals !== undefined && !Number.isNaN(signals.precision[i]);
    return strengths.applied && group[i] >= 0 && !own ? strengths.strength[group[i]] : 0;
  });
  const shift = rate.map((_, i) => {
    const age = now - lastCrawl[i];
    if (!(strength[i] > 0 && age > 0)) return 0;
    const { quiet, spared } = heard(log, i, strength[i], [lastCrawl[i], now]);
    const unchanged = spared * (1 - model.changedBy(i, quiet * age));
    return ageOf(model, i, unchanged, rate[i]) - age;
  });
  const size = new Uint32Array(names.length);
  for (const g of group) if (g >= 0) size[g]++;
  const factor = strength.map((s, i) => (s > 0 ? sparedChance(s, size[group[i]] - 1, 1) : 1));
  return { strengths, shift, strength, factor };
}

/** What all siblings together leave of a page's rate and of its chance to be unchanged. */
function heard(log: SiblingLog, i: number, strength: number, window: readonly [number, number]) {
  const { rate } = log.pages;
  const [from, to] = window;
  let watched = 0;
  let news = 0;
  for (let s = 1; s <= log.siblings(i); s++) {
    const j = log.sibling(i, s);
    const shared = strength * Math.min(rate[i], rate[j]);
    log.covering(i, j, { from, to, inOrder: false }, (check) => {
      watched += Math.min(1, rate[j] / rate[i]) * (Math.min(check.end, to) - Math.max(check.begin, from));
      if (check.changed) news += (1 - log.spared(i, j, check, window, shared)) / strength;
    });
  }
  const watchers = watched / (to - from);
  return { quiet: quietShare(strength, watchers), spared: sparedChance(strength, watchers, news) };
}

/** The age by which the page would be unchanged with this chance. */
function ageOf(model: RefreshModel, i: number, unchanged: number, rate: number): number {
  const above = (logAge: number): number => model.changedBy(i, Math.exp(logAge)) - (1 - unchanged);
  const low = Math.log(1e-9 / rate);
  const high = Math.log(farthest / rate);
  if (above(low) >= 0) return 0;
  if (above(high) <= 0) return Math.exp(high);
  return Math.exp(findRoot(above, low, high, tolerance));
}

/** What a controller may do between plans, where a page of the group is found changed: each page's figures. */
export function siblingFigures(
  { strengths, factor }: SiblingKnowledge,
  { rate, model }: { readonly rate: Float64Array; readonly model: RefreshModel },
  fetchInterval: Float64Array,
): SiblingFigures {
  const sooner = factor.map((spared, i) => {
    if (spared === 1) return 0;
    const age = 0.5 * (fetchInterval[i] < Number.POSITIVE_INFINITY ? fetchInterval[i] : 1 / rate[i]);
    // news of a change makes no copy younger: what is less is how far ages told are found, and how far they reach
    return Math.max(0, ageOf(model, i, spared * (1 - model.changedBy(i, age)), rate[i]) - age);
  });
  return { strengths, factor, sooner };
}

/** The ages of copies, by the clock, as siblings tell them where these are known. */
export function toldAges(
  age: Float64Array,
  siblings: Pick<SiblingKnowledge, 'shift'> | null | undefined,
): Float64Array {
  return age.map((own, i) => Math.max(0, own + (siblings?.shift[i] ?? 0)));
}

/** The model with ages shifted up to each page's next fetch. */
export function hearingSiblings(base: RefreshModel, shift: Float64Array): RefreshModel {
  const fetched = new Uint8Array(base.pages);
  const by = (i: number): number => (fetched[i] === 1 ? 0 : shift[i]);
  const { costTime } = base;
  return {
    ...base,
    worth: (i, age) => base.worth(i, age + by(i)),
    ceiling: (i, age) => base.ceiling(i, age + by(i)),
    changedBy: (i, age) => base.changedBy(i, age + by(i)),
    ageAt: (i, price) => Math.max(0, base.ageAt(i, price) - by(i)),
    staleTime: (i, from, to) => base.staleTime(i, from + by(i), to + by(i)),
    costTime: costTime === null ? null : (i, from, to) => costTime(i, from + by(i), to + by(i)),
    fetched(i, age, time) {
      fetched[i] = 1;
      base.fetched(i, age, time);
    },
  };
}
