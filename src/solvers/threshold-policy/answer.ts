/**
 * What the solver answers: the policy in the caller's terms, its measures, and what stands beside it.
 */
import type { Objective, Status, Warning } from '../answer.ts';
import type { ThresholdPolicyConflict } from './conflict.ts';
import type { FixedMode } from './fixed-modes.ts';
import type { FurtherMeasures } from './model/further-measures.ts';
import type { Constraints, Measures } from './model/measures.ts';
import { type ModeByLevel, modesOfThresholds, type Queue } from './model/queue.ts';
import type { PhaseFilter } from './observed/phase-filter.ts';
import type { CrawlersByState } from './observed/state-policy.ts';
import type { Best } from './search/tally.ts';

export interface PolicySolution {
  /** Crawlers at each queue length 0..K. */
  readonly crawlersByQueueLength: readonly number[];
  /** Crawler counts used, most active first. */
  readonly modes: readonly number[];
  /** One fewer than modes: the last queue length of each but the least active; null when the policy is not monotone. */
  readonly thresholds: readonly number[] | null;
  /** What to do in each state, where phases are seen; the counts by queue length are then means. */
  readonly crawlersByState?: CrawlersByState;
  readonly measures: Measures & FurtherMeasures;
}

export interface Subset {
  readonly modes: readonly number[];
  readonly thresholds: readonly number[];
  readonly cost: number;
}

/** A table that is followed for a share of the time. */
export interface SharedTable {
  readonly share: number;
  readonly table: CrawlersByState['table'];
  readonly cost: number;
  readonly measures: Measures;
}

/** One state of a table in which the count is drawn whenever the state is entered. */
export interface DrawnState {
  readonly queueLength: number;
  /** Arrival phase and service phase, as the caller numbers them; in an empty system the second is of no account. */
  readonly phases: readonly number[];
  /** This count in place of the table's … */
  readonly crawlers: number;
  /** … with this probability. */
  readonly probability: number;
}

/** What a front may be between: what the cost weights multiply. */
export type FrontCriterion = 'loss' | 'obsolescence' | 'response' | 'crawlers' | 'starvation';

export interface ThresholdFrontPoint {
  /** The value of each criterion, by name. */
  readonly criteria: Readonly<Partial<Record<FrontCriterion, number>>>;
  readonly policy: Pick<PolicySolution, 'crawlersByQueueLength' | 'modes' | 'thresholds' | 'crawlersByState'>;
  /** Two criteria: the weights of the second, the first weighing 1, between which this policy is best; null: no end. */
  readonly weightOfSecond?: readonly [number, number | null];
}

export interface ThresholdPolicyAnswer {
  readonly status: Status;
  /** The cost per unit of time, and what no threshold policy can beat; absent when infeasible. */
  readonly objective?: Objective;
  readonly solution?: PolicySolution;
  readonly fixedModes: readonly FixedMode[];
  readonly subsets?: readonly Subset[];
  /** 1 − C* / (best fixed mode that keeps the constraints); null when no fixed mode does. */
  readonly relativeProfit?: number | null;
  /** The best policy found that sees the queue's length alone, where the answer sees more. */
  readonly byQueueLength?: { readonly crawlersByQueueLength: readonly number[]; readonly cost: number };
  /** With limits and phases in sight, where no single table is best: the tables whose mixture in time is. */
  readonly mixture?: readonly SharedTable[];
  /** The same mixture as one table, but for one state. */
  readonly drawnState?: DrawnState;
  /** Cost of the best policy that may see the phases too; null where it is not computed. */
  readonly fullInformationCost?: number | null;
  /** What a controller that does not see the phases can believe of them; `queue` is what it is about. */
  readonly filter?: { readonly queue: Queue; readonly filter: PhaseFilter };
  /** With constraints, when every policy was looked at: the most that loosening each limit saves, per unit. */
  readonly dualPrices?: Partial<Record<keyof Constraints, number>>;
  /** The Pareto front between the criteria that were asked for. */
  readonly front?: readonly ThresholdFrontPoint[];
  readonly conflict?: ThresholdPolicyConflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, number | string>>;
}

/** A policy in the caller's terms. */
export function policySolution(
  queue: Queue,
  byLevel: ModeByLevel,
  measures: Measures & FurtherMeasures,
): PolicySolution {
  const crawlersByQueueLength = Array.from(
    byLevel.subarray(0, queue.capacity + 1),
    (mode) => queue.modes[mode].crawlers,
  );
  const thresholds: number[] = [];
  let monotone = true;
  for (let level = 1; level <= queue.capacity; level++) {
    if (byLevel[level] !== byLevel[level - 1]) thresholds.push(level - 1);
    if (byLevel[level] > byLevel[level - 1]) monotone = false;
  }
  const modes = [...new Set(byLevel.subarray(0, queue.capacity + 1))].sort((a, b) => b - a);
  return {
    crawlersByQueueLength,
    modes: modes.map((mode) => queue.modes[mode].crawlers),
    thresholds: monotone ? thresholds : null,
    measures,
  };
}

/**
 * The best thresholds of every subset of two or more modes, from the best policy of every set of modes that is used.
 * The thresholds of a subset lie in 0..K−1, so its most active mode is used when the system is empty and its least
 * active when it is full; modes between may go unused (equal thresholds). Fewest modes first. O(2^N·2^N) set
 * operations.
 */
export function subsetTable(queue: Queue, byModes: ReadonlyMap<number, Best>): Subset[] {
  const modes = queue.modes.length;
  const subsets: Subset[] = [];
  for (let set = 3; set < 2 ** modes; set++) {
    const members = Array.from({ length: modes }, (_, mode) => mode).filter((mode) => (set >> mode) & 1);
    if (members.length < 2) continue;
    const ends = (1 << members[0]) | (1 << members[members.length - 1]);
    let best: Best | null = null;
    for (const [used, candidate] of byModes) {
      if ((used & ~set) !== 0 || (used & ends) !== ends) continue;
      if (best === null || candidate.cost < best.cost) best = candidate;
    }
    if (best === null) continue;
    const byLevel = modesOfThresholds(queue, best.thresholds);
    const descending = members.reverse();
    const thresholds = descending.slice(0, -1).map((mode) => {
      let last = -1;
      for (let level = 0; level <= queue.capacity; level++) if (byLevel[level] >= mode) last = level;
      return last;
    });
    subsets.push({
      modes: descending.map((mode) => queue.modes[mode].crawlers),
      thresholds,
      cost: best.cost,
    });
  }
  return subsets.sort((a, b) => a.modes.length - b.modes.length || compare(a.modes, b.modes));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, count] of a.entries()) if (count !== b[i]) return count - b[i];
  return 0;
}
