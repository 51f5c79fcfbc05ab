/**
 * How strongly the pages of a group change together, from a log.
 *
 * The likelihood of a strength s is that of predicting every check from what its siblings had shown by then (the chain
 * rule over all checks in order of time, so that every change seen together counts once), on a grid of s. The page's
 * own rate is taken as its other checks have it: a rate that the check itself had moved makes s too large, by 0.015 at
 * 40 checks a page. The groups' strengths are drawn from a law on the grid that is fitted to them all (empirical Bayes,
 * by expectation maximisation from half a mass at 0, worth two groups): a group with little to show is drawn towards
 * the others.
 * - `strength` of a group: the posterior mean; 0 where 0 has more than half of the posterior.
 * - `applied`: whether the fitted law beats 0 for all groups by e^4.6, a hundred to one.
 * - `common`: the strength if it were the same in all groups, with its 95% likelihood-ratio interval.
 * Complexity: O(checks·siblings·log) once, then checks × grid.
 * Source: Robbins 1956 (empirical Bayes). Limits: rates are taken as known and steady.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { changedAtKnownAge, unchanged } from '../changes/check-history.ts';
import { type CommonStrength, commonStrength } from './common-strength.ts';
import type { SiblingLog } from './sibling-log.ts';

const step = 0.05;
const points = 20;
/** Grid of strengths: 0, 0.05, … 0.95. */
const strengths = Float64Array.from({ length: points }, (_, k) => k * step);
const priorAtZero = 0.5;
const priorGroups = 2;
const rounds = 50;
/** ln of the odds from which evidence counts. */
const enough = Math.log(100);
const checksPerPoll = 4096;

export interface GroupStrengths {
  /** By group: P(a page had changed | its one watched sibling had), as far as the log shows. */
  readonly strength: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** One strength for all groups, and its 95% interval. */
  readonly common: CommonStrength;
  /** Whether the log shows beyond doubt that pages change together. */
  readonly applied: boolean;
  /** ln of the odds for the fitted law against none. */
  readonly evidence: number;
}

/** @throws NothingToReturn when the budget ends first */
export function groupStrengths(log: SiblingLog, budget: Budget): GroupStrengths {
  const { groups } = log.pages;
  const table = tabulate(log, budget);
  const prior = new Float64Array(points).fill((1 - priorAtZero) / (points - 1));
  prior[0] = priorAtZero;
  const law = prior.slice();
  const posterior = new Float64Array(points);
  for (let round = 0; round < rounds; round++) {
    const sum = prior.map((mass) => priorGroups * mass);
    for (let g = 0; g < groups; g++) {
      posteriorOf(table, g, law, posterior);
      for (let k = 0; k < points; k++) sum[k] += posterior[k];
    }
    for (let k = 0; k < points; k++) law[k] = sum[k] / (priorGroups + groups);
  }
  const strength = new Float64Array(groups);
  const low = new Float64Array(groups);
  const high = new Float64Array(groups);
  const total = new Float64Array(points);
  let evidence = 0;
  for (let g = 0; g < groups; g++) {
    evidence += posteriorOf(table, g, law, posterior) - table[g * points];
    for (let k = 0; k < points; k++) total[k] += table[g * points + k];
    let mean = 0;
    for (let k = 0; k < points; k++) mean += posterior[k] * strengths[k];
    strength[g] = posterior[0] > 0.5 ? 0 : mean;
    low[g] = quantile(posterior, 0.025);
    high[g] = quantile(posterior, 0.975);
  }
  return { strength, low, high, common: commonStrength(total, step), applied: evidence > enough, evidence };
}

/** ln P(checks of group g | strength), row-major, groups × grid. */
function tabulate(log: SiblingLog, budget: Budget): Float64Array {
  const { history, groups, lastFetch } = log.pages;
  const { offsets } = history;
  const table = new Float64Array(groups * points);
  let sincePoll = checksPerPoll;
  for (let g = 0; g < groups; g++) {
    for (let place = log.groupFrom[g]; place < log.groupFrom[g + 1]; place++) {
      const i = log.members[place];
      if (Number.isNaN(lastFetch[i])) continue;
      sincePoll += offsets[i + 1] - offsets[i];
      if (sincePoll >= checksPerPoll) {
        sincePoll = 0;
        if (budget.stopRequested()) throw new NothingToReturn(`stopped at group ${g} of ${groups}`);
      }
      for (let s = 1; s <= log.siblings(i); s++) addPair(log, i, log.sibling(i, s), table.subarray(g * points));
    }
  }
  return table;
}

/**
 * Adds what page i's checks say of the strength, beside what sibling j had shown by then; each pair counts 1/siblings.
 */
function addPair(log: SiblingLog, i: number, j: number, table: Float64Array): void {
  const { history, rate, lastFetch } = log.pages;
  const { offsets, elapsed, outcome } = history;
  if (Number.isNaN(lastFetch[j])) return;
  const share = 1 / log.siblings(i);
  const most = Math.min(rate[i], rate[j]);
  const logUnchanged = new Float64Array(points);
  const information = log.pages.known?.[i] === 1 ? Number.POSITIVE_INFINITY : informationOfRate(log, i);
  for (let k = log.first[i]; k < offsets[i + 1]; k++) {
    if (outcome[k] === changedAtKnownAge) continue;
    const to = log.ends[k];
    const from = to - elapsed[k];
    let covered = 0;
    logUnchanged.fill(-rateWithout(rate[i], elapsed[k], outcome[k], information) * elapsed[k]);
    log.covering(i, j, { from, to, inOrder: true }, (check) => {
      const overlap = Math.min(check.end, to) - Math.max(check.begin, from);
      covered += overlap;
      for (let s = 1; s < points; s++) {
        const shared = strengths[s] * most;
        logUnchanged[s] += shared * overlap;
        if (check.changed) logUnchanged[s] += Math.log(log.spared(i, j, check, [from, to], shared));
      }
    });
    if (covered === 0) continue;
    const plain = outcome[k] === unchanged ? logUnchanged[0] : Math.log(-Math.expm1(logUnchanged[0]));
    for (let s = 1; s < points; s++) {
      const own = outcome[k] === unchanged ? logUnchanged[s] : Math.log(-Math.expm1(Math.min(-1e-12, logUnchanged[s])));
      table[s] += share * (own - plain);
    }
  }
}

/** What the checks of page i say of its rate, and one change besides: the Fisher information of λ. */
function informationOfRate({ pages, first }: SiblingLog, i: number): number {
  const { history, rate } = pages;
  let information = 1 / (rate[i] * rate[i]);
  for (let k = first[i]; k < history.offsets[i + 1]; k++) {
    const gap = history.elapsed[k];
    information += (gap * gap) / Math.expm1(rate[i] * gap);
  }
  return information;
}

/** The rate as the page's other checks alone would have it, to first order, and no less than a tenth of it. */
function rateWithout(rate: number, gap: number, outcome: number, information: number): number {
  const slope = outcome === unchanged ? -gap : gap / Math.expm1(rate * gap);
  return Math.max(0.1 * rate, rate - slope / information);
}

/** Writes the posterior of group g's strength; the logarithm of its evidence. */
function posteriorOf(table: Float64Array, g: number, law: Float64Array, posterior: Float64Array): number {
  let peak = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < points; k++) peak = Math.max(peak, table[g * points + k]);
  let sum = 0;
  for (let k = 0; k < points; k++) {
    posterior[k] = law[k] * Math.exp(table[g * points + k] - peak);
    sum += posterior[k];
  }
  for (let k = 0; k < points; k++) posterior[k] /= sum;
  return peak + Math.log(sum);
}

/** Where the posterior's mass, spread evenly about each strength of the grid, reaches a share. */
function quantile(posterior: Float64Array, share: number): number {
  let below = 0;
  for (let k = 0; k < points; k++) {
    if (below + posterior[k] >= share) {
      if (k === 0) return 0;
      return strengths[k] + step * ((share - below) / posterior[k] - 0.5);
    }
    below += posterior[k];
  }
  return strengths[points - 1];
}
