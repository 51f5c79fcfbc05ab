/**
 * In which order to access the pages with several crawlers: pages are dealt to them, and each repeats a cycle of its
 * own.
 *
 * Dealing and bound are those of team-frequencies.ts; frequencies of the caller's own say how much each page has to be
 * given, and each crawler scales those of its pages. The cost of every cycle is exact, whatever the crawlers'
 * beginnings: a page has one crawler.
 */
import { type MinFrequencyConflict, solveAccessFrequencies } from '../access-frequencies/index.ts';
import { type AccessSequence, type AccessSequenceProblem, solveAccessSequence } from '../access-sequence/index.ts';
import type { Objective, Warning } from '../answer.ts';
import { type Budget, pollOf } from '../budget.ts';
import { inTime } from '../shares.ts';
import { dealPages, handsOf } from './deal-pages.ts';
import { dealingWarnings, onceEach, ownLeast, provedBy, ratesOfOne, solveHands, type Team } from './team.ts';
import { unsplitBound } from './unsplit-bound.ts';

/** Without ages: which crawler had a page before is not known. */
export type TeamSequencesProblem = Omit<AccessSequenceProblem, 'lastAccess'> & Team;

/** A crawler's pages and its cycle, whose positions are of its pages; null where nothing is accessed. */
export interface CrawlerCycle {
  readonly pages: Uint32Array;
  readonly own: AccessSequence | null;
}

export interface TeamSequences {
  readonly status: 'optimal' | 'feasible';
  readonly objective: Objective;
  readonly crawler: Int32Array;
  /** By crawler. */
  readonly cycles: readonly CrawlerCycle[];
  readonly staleness: Float64Array;
  /** Accesses of each page in its crawler's cycle. */
  readonly counts: Uint32Array;
  readonly warnings: readonly Warning[];
}

export type TeamSequencesAnswer =
  | TeamSequences
  | { readonly status: 'infeasible'; readonly conflict: MinFrequencyConflict; readonly warnings: readonly Warning[] };

/** Of the time left: for the bound and the dealing. */
const poolingParts = 10;

/**
 * @throws ConditionNotMet where a page's load or worth is not a positive, finite double
 * @throws NothingToReturn when the budget runs out before every crawler has a cycle
 */
export function solveTeamSequences(problem: TeamSequencesProblem, budget: Budget): TeamSequencesAnswer {
  const { accessTime, weight, minFrequency, crawlers, host, place } = problem;
  const changeRate = ratesOfOne(problem);
  const fast = inTime(budget, poolingParts, (share) =>
    solveAccessFrequencies({ accessTime, changeRate, weight, policy: 'deterministic', minFrequency, place }, share),
  );
  if (fast.status === 'infeasible') return fast;
  const unsplit = unsplitBound(problem, fast.frequency, budget);
  const poll = pollOf(budget, 'the pages were still being dealt');
  const crawler = dealPages(problem.frequency ?? fast.frequency, host, crawlers, poll);
  const hands = handsOf(crawler, crawlers);
  const owns = solveHands(hands, budget, (pages, share) => cycleOf(problem, pages, share));
  const cycles = hands.map((pages, m) => ({ pages, own: owns[m] }));
  const staleness = new Float64Array(crawler.length).fill(1);
  const counts = new Uint32Array(crawler.length);
  for (const { pages, own } of cycles) {
    if (own === null) continue;
    for (const [k, i] of pages.entries()) {
      staleness[i] = own.staleness[k];
      counts[i] = own.counts[k];
    }
  }
  const value = staleness.reduce((sum, stale, i) => sum + weight[i] * stale, 0);
  const own = cycles.flatMap((cycle) => cycle.own?.warnings ?? []);
  return {
    ...provedBy(value, fast.objective.bound, unsplit),
    crawler,
    cycles,
    staleness,
    counts,
    warnings: [
      // each crawler scales what it is dealt
      ...onceEach(own.filter(({ code }) => code !== 'frequencies-scaled')),
      ...dealingWarnings(hands, minFrequency),
    ],
  };
}

/** The problem of a crawler that has these pages. */
export function cycleProblem(problem: TeamSequencesProblem, pages: Uint32Array): AccessSequenceProblem {
  const { changeRate, weight, frequency, minFrequency, crawlers, place } = problem;
  return {
    ...problem,
    changeRate: Float64Array.from(pages, (i) => changeRate[i]),
    weight: Float64Array.from(pages, (i) => weight[i]),
    frequency: frequency && Float64Array.from(pages, (i) => frequency[i]),
    minFrequency: ownLeast(minFrequency, crawlers, pages.length),
    place: place && ((k, property) => place(pages[k], property)),
  };
}

function cycleOf(problem: TeamSequencesProblem, pages: Uint32Array, budget: Budget): AccessSequence | null {
  const own = cycleProblem(problem, pages);
  if (pages.length === 0 || own.frequency?.every((f) => f === 0)) return null;
  const answer = solveAccessSequence(own, budget);
  if (answer.status === 'infeasible') throw new Error(`a crawler of ${pages.length} pages: ${answer.conflict.detail}`);
  return answer;
}
