/**
 * Pages whose change rates go up and down over the day and the week: the refresh model by a clock that runs as they
 * change.
 *
 * Rates and beliefs are learnt by that clock (estimation/rhythm), by which they are steady, and a copy's age is told by
 * it: a page fetched before a rush of changes is old when it is over, one fetched afterwards is as young next morning.
 * Stale time is real time: ∫(1 − p(Λ(x) − Λ(s)))dx since the fetch at s, in parts over which the clock is taken to run
 * evenly.
 * Limits: freshness only; no bound of a plan is known. At which hours there are fetches to give is said by the slots
 * (schedule/rush-hours.ts).
 */
import type { Budget } from '../../budget.ts';
import { changedAtKnownAge } from '../../estimation/changes/check-history.ts';
import {
  chooseGroupRhythms,
  chooseRhythm,
  type GroupRhythm,
  type RhythmChoice,
  RhythmClock,
} from '../../estimation/rhythm/index.ts';
import type { CrawlPlanProblem, RhythmQuestion } from '../model/plan-problem.ts';
import type { RefreshModel } from './refresh-model.ts';

/** Real time is cut into so many parts at most where stale time is summed, each an hour at least. */
const mostParts = 48;
const leastPart = 3600;

/** By page; null where it keeps no hours. */
type PageClocks = readonly (RhythmClock | null)[];

/** What the log shows of hours that pages keep. */
export interface RhythmKnowledge {
  readonly common: RhythmChoice;
  /** Groups that keep hours of their own. */
  readonly groups: readonly GroupRhythm[];
  readonly clocks: PageClocks;
  /** The problem by the pages' clocks. */
  readonly problem: CrawlPlanProblem;
}

/** @throws NothingToReturn when the budget ends first */
export function rhythmKnowledge(problem: CrawlPlanProblem, asked: RhythmQuestion, budget: Budget): RhythmKnowledge {
  const { history, lastCrawl, knownEvents: complete } = problem;
  const { wall, group } = asked;
  const log = { history, lastSeen: lastCrawl.map((_, i) => seenLast(problem, i)), complete, wall };
  const common = chooseRhythm(log, budget);
  const groups = group === undefined ? [] : chooseGroupRhythms(log, group.group, common, budget);
  const all = common.taken ? new RhythmClock(common.course, wall) : null;
  const own = new Map(groups.map(({ group: g, choice }) => [g, new RhythmClock(choice.course, wall)]));
  const clocks = Array.from(lastCrawl, (_, i) => own.get(group?.group[i] ?? -1) ?? all);
  const told = all === null && own.size === 0 ? problem : toldByClocks(problem, clocks);
  return { common, groups, clocks, problem: told };
}

/**
 * The problem with all that its log says told by the clock; what is planned stays by real time. Gaps whose hours are
 * not known (of a page never fetched, and before a change of known age) stay as they are.
 */
function toldByClocks(problem: CrawlPlanProblem, clocks: PageClocks): CrawlPlanProblem {
  const { history, lastCrawl, now, knownEvents } = problem;
  const elapsed = history.elapsed.slice();
  for (const [i, clock] of clocks.entries()) {
    if (clock === null) continue;
    let end = seenLast(problem, i);
    for (let k = history.offsets[i + 1] - 1; k >= history.offsets[i] && !Number.isNaN(end); k--) {
      const begin = end - history.elapsed[k];
      elapsed[k] = Math.max(clock.slowest * history.elapsed[k], gap(clock, begin, end));
      end = history.outcome[k] === changedAtKnownAge && knownEvents?.[i] !== 1 ? Number.NaN : begin;
    }
  }
  const told = lastCrawl.map((time, i) => now - gap(clocks[i], time, now));
  return { ...problem, history: { ...history, elapsed }, lastCrawl: told };
}

/**
 * When a page's last check ended, Unix seconds; a record of all changes goes on to `now` where there is no fetch. NaN:
 * not known.
 */
function seenLast({ lastCrawl, knownEvents, now }: CrawlPlanProblem, i: number): number {
  return Number.isNaN(lastCrawl[i]) && knownEvents?.[i] === 1 ? now : lastCrawl[i];
}

/** What passed between two times by a page's clock. */
const gap = (clock: RhythmClock | null, from: number, to: number): number =>
  clock === null ? to - from : clock.at(to) - clock.at(from);

/**
 * The model by real ages.
 * @param base by the clocks' ages
 * @param lastCrawl by page, Unix seconds; NaN for a page never fetched
 */
export function inRhythm(base: RefreshModel, clocks: PageClocks, lastCrawl: Float64Array, now: number): RefreshModel {
  const last = lastCrawl.slice();
  const clockAge = (i: number, age: number): number =>
    Number.isFinite(age) ? gap(clocks[i], last[i], last[i] + age) : age;
  return {
    ...base,
    worth: (i, age) => base.worth(i, clockAge(i, age)),
    ageAt(i, price) {
      const due = base.ageAt(i, price);
      return Number.isFinite(due) ? (clocks[i]?.after(last[i], due) ?? last[i] + due) - last[i] : due;
    },
    changedBy: (i, age) => base.changedBy(i, clockAge(i, age)),
    staleTime(i, from, to) {
      if (clocks[i] === null) return base.staleTime(i, from, to);
      const parts = Math.min(mostParts, Math.max(1, Math.ceil((to - from) / leastPart)));
      const step = (to - from) / parts;
      let sum = 0;
      let before = clockAge(i, from);
      for (let k = 1; k <= parts; k++) {
        const after = clockAge(i, from + k * step);
        if (after > before) sum += (step * base.staleTime(i, before, after)) / (after - before);
        else sum += step * base.changedBy(i, after);
        before = after;
      }
      return sum;
    },
    fetched(i, age, time) {
      base.fetched(i, clockAge(i, age), time);
      last[i] = now + time;
    },
    bounds: undefined,
  };
}
