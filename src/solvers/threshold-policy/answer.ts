/** The answer as the contract has it: the policy in the caller's terms, its measures, and what the caller should know. */
import { type Objective, provedWithin, type Status, type Warning, warning } from '../answer.ts';
import { unlessStopped } from '../budget.ts';
import { describeClash, type ReachedLimit } from '../queue/clash.ts';
import {
  type ConstraintName,
  type Constraints,
  constraintNames,
  constraintTolerance,
  type Measures,
  violations,
} from '../queue/measures.ts';
import { type CrawlersByState, crawlersByState, type ModeByState } from '../queue/policies.ts';
import {
  constantPolicy,
  isNonIncreasing,
  type ModeByLevel,
  minModeWhenEmpty,
  type PhaseTypeLaw,
  type Queue,
  stateAt,
  thresholdsOfModes,
} from '../queue/queue.ts';
import type { FurtherMeasures } from './further-measures.ts';
import type { Incumbent, MeasuredPolicy, PricedPolicy } from './incumbent.ts';
import type { LevelShares } from './sojourn-times.ts';

/** The relative gap up to which an answer is called optimal. */
const provedGap = 1e-6;
export interface PolicySolution {
  /** Crawlers at each queue length 0..K. */
  readonly crawlersByQueueLength: readonly number[];
  /** Crawler counts used, most active first. */
  readonly modes: readonly number[];
  /** The last queue length at which each mode but the least active is used; null when the policy is not monotone. */
  readonly thresholds: readonly number[] | null;
  /** What to do in each state, where phases are seen; the counts by queue length are then means. */
  readonly crawlersByState?: CrawlersByState;
  readonly measures: Measures & FurtherMeasures;
}

export interface FixedMode extends MeasuredPolicy {
  readonly crawlers: number;
}

export interface Subset {
  readonly modes: readonly number[];
  readonly thresholds: readonly number[];
  readonly cost: number;
}

/** A type, not an interface, so that it can be assigned to the contract's record type. */
export type ThresholdPolicyConflict = {
  readonly detail: string;
  /** Each limit, and the least value any policy that was measured reaches. */
  readonly limits: readonly ReachedLimit<ConstraintName>[];
  /** The policy that exceeds the limits least (sum of relative excesses). */
  readonly nearest: { readonly crawlersByQueueLength: readonly number[]; readonly measures: Measures } | null;
};

/** Parts of the answer next to the solution. */
interface FurtherAnswers {
  /** The caller's own policy with its measures; there is no solution then. */
  readonly evaluation?: PolicySolution | undefined;
  readonly fixedModes: readonly FixedMode[];
  /** The best thresholds of each subset of the modes; only when every policy was measured. */
  readonly subsets?: readonly Subset[] | undefined;
  /** 1 − C* / (best fixed mode that keeps the constraints); null when no fixed mode does. */
  readonly relativeProfit?: number | null | undefined;
  /** The best policy found that sees the queue's length alone, where the answer sees more. */
  readonly byQueueLength?: { readonly crawlersByQueueLength: readonly number[]; readonly cost: number } | undefined;
}

export interface ThresholdPolicyAnswer {
  readonly status: Status;
  /** The cost per unit of time and its proved lower bound; absent when infeasible. */
  readonly objective?: Objective;
  readonly solution?: PolicySolution;
  readonly supplement: FurtherAnswers;
  readonly conflict?: ThresholdPolicyConflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, number | string>>;
}

/** A cost with its proved lower bound, clamped to 0..cost: no cost is negative, and searches round differently. */
export const objectiveWithBound = (cost: number, bound: number | null) =>
  provedWithin(provedGap, cost, bound === null ? null : Math.min(Math.max(0, bound), cost));

/** The counts at queue lengths 0..K. */
export function countsOf(queue: Queue, byLevel: ModeByLevel): number[] {
  return Array.from(byLevel.subarray(0, queue.capacity + 1), (mode) => queue.modes[mode].crawlers);
}

/** A policy by queue length in the caller's terms. */
export function toThresholdPolicy(queue: Queue, byLevel: ModeByLevel): Omit<PolicySolution, 'measures'> {
  const thresholds: number[] = [];
  for (let level = 1; level <= queue.capacity; level++) {
    if (byLevel[level] !== byLevel[level - 1]) thresholds.push(level - 1);
  }
  return {
    crawlersByQueueLength: countsOf(queue, byLevel),
    modes: countsUsed(queue, byLevel.subarray(0, queue.capacity + 1)),
    thresholds: isNonIncreasing(byLevel) ? thresholds : null,
  };
}

/** A policy by phases in the caller's terms; the counts by queue length are means. */
export function toTablePolicy(
  queue: Queue,
  service: PhaseTypeLaw,
  modes: ModeByState,
  shares: LevelShares,
): Omit<PolicySolution, 'measures'> {
  return {
    crawlersByQueueLength: shares.slice(0, queue.capacity + 1).map((law, level) => {
      const total = law.reduce((sum, share) => sum + share, 0);
      return law.reduce((sum, share, s) => {
        // At a queue length of probability 0 all states have the same weight.
        const weight = total > 0 ? share / total : 1 / law.length;
        return sum + weight * queue.modes[modes[stateAt(queue, level, 0, 0) + s]].crawlers;
      }, 0);
    }),
    modes: countsUsed(queue, modes),
    thresholds: null,
    crawlersByState: crawlersByState(queue, service, modes),
  };
}

/** The crawler counts of the modes used, most active first. */
const countsUsed = (queue: Queue, modes: Uint8Array): number[] =>
  [...new Set(modes)].sort((a, b) => b - a).map((mode) => queue.modes[mode].crawlers);

/** Cost and measures of each mode kept always on, offered to the incumbent, as far as the budget reaches. */
export function measureFixedModes(queue: Queue, incumbent: Incumbent): FixedMode[] {
  const fixedModes: FixedMode[] = [];
  for (let mode = minModeWhenEmpty(queue); mode < queue.modes.length; mode++) {
    const measuredPolicy = unlessStopped(null, () => incumbent.offer(constantPolicy(queue, mode)));
    if (measuredPolicy === null) break;
    fixedModes.push({ crawlers: queue.modes[mode].crawlers, ...measuredPolicy });
  }
  return fixedModes;
}

/** 1 − cost/(cost of the best fixed mode that keeps the constraints); null when none does. */
export function relativeProfit(
  cost: number,
  fixedModes: readonly FixedMode[],
  constraints: Constraints,
): number | null {
  const feasible = fixedModes.filter(({ measures }) => violations(measures, constraints).length === 0);
  if (feasible.length === 0) return null;
  const best = Math.min(...feasible.map((mode) => mode.cost));
  return best > 0 ? 1 - cost / best : 0;
}

/**
 * The best thresholds of every subset of two or more modes, from the best policy of every set of modes that is used.
 * The thresholds of a subset lie in 0..K−1. So its most active mode is used when the system is empty and its least
 * active when it is full. Modes between may go unused (equal thresholds). Fewest modes first. O(4^N) set operations.
 */
export function subsetTable(queue: Queue, byModes: ReadonlyMap<number, PricedPolicy>): Subset[] {
  const modes = queue.modes.length;
  const subsets: Subset[] = [];
  for (let set = 3; set < 2 ** modes; set++) {
    const members = Array.from({ length: modes }, (_, mode) => mode).filter((mode) => (set >> mode) & 1);
    if (members.length < 2) continue;
    const ends = (1 << members[0]) | (1 << members[members.length - 1]);
    let best: PricedPolicy | null = null;
    for (const [usedModes, candidate] of byModes) {
      if ((usedModes & ~set) !== 0 || (usedModes & ends) !== ends) continue;
      if (best === null || candidate.cost < best.cost) best = candidate;
    }
    if (best === null) continue;
    const allThresholds = thresholdsOfModes(queue, best.byLevel);
    const membersByActivity = members.reverse();
    subsets.push({
      modes: membersByActivity.map((mode) => queue.modes[mode].crawlers),
      thresholds: membersByActivity.slice(0, -1).map((mode) => allThresholds[modes - 1 - mode]),
      cost: best.cost,
    });
  }
  return subsets.sort((a, b) => a.modes.length - b.modes.length || compareCounts(a.modes, b.modes));
}

function compareCounts(a: readonly number[], b: readonly number[]): number {
  for (const [i, count] of a.entries()) if (count !== b[i]) return count - b[i];
  return 0;
}

/** Why no policy keeps every limit: the smallest value of each limited measure, and the nearest policy. */
export function conflictOf(
  queue: Queue,
  constraints: Constraints,
  { smallestMeasures, leastInfeasible }: Incumbent,
  isComplete: boolean,
): ThresholdPolicyConflict {
  const limits = constraintNames.flatMap((constraint) => {
    const limit = constraints[constraint];
    return limit === undefined ? [] : [{ constraint, limit, smallest: smallestMeasures[constraint] ?? null }];
  });
  const infeasible = limits.filter((limit) => (limit.smallest ?? 0) > limit.limit * (1 + constraintTolerance));
  const clash = describeClash(limits, infeasible, ['policy', ' of these modes']);
  const remark = isComplete ? '' : ' (not every policy was measured)';
  return {
    detail: `${clash}${remark}; raise a limit, or offer modes that reach it`,
    limits,
    nearest:
      leastInfeasible === null
        ? null
        : { crawlersByQueueLength: countsOf(queue, leastInfeasible.byLevel), measures: leastInfeasible.measures },
  };
}

/** Warnings on an optimum: ties, and an optimum at the edge of the modes or of the capacity. */
export function remarksOnOptimum(queue: Queue, byLevel: ModeByLevel, hasTie: boolean): Warning[] {
  const remarks: Warning[] = [];
  const { capacity, modes } = queue;
  if (hasTie) remarks.push(warning('ties', 'other policies cost the same to 12 digits; one of them is returned'));
  const [first, last] = [byLevel[0], byLevel[capacity]];
  if (modes.length > 1 && last === modes.length - 1) {
    const detail =
      `all ${modes[last].crawlers} crawlers, the most offered, stay active whatever the queue length: more crawlers ` +
      'may do better still';
    remarks.push(warning('optimum-on-edge', detail, ['arrivals']));
  } else if (modes.length > 1 && first === 0) {
    const detail =
      `${modes[0].crawlers} crawlers, the fewest offered, are active whatever the queue length: fewer may do better ` +
      'still';
    remarks.push(warning('optimum-on-edge', detail, ['arrivals']));
  }
  if (first !== last && byLevel[capacity - 1] !== last) {
    const detail = `crawlers are still switched off at the last queue length, ${capacity}: a larger capacity may do better`;
    remarks.push(warning('optimum-on-edge', detail, ['capacity']));
  }
  return remarks;
}

/** The warning that the caller's policy has no thresholds. */
export function remarksOnForm(byLevel: ModeByLevel): Warning[] {
  if (isNonIncreasing(byLevel)) return [];
  const detail =
    'more crawlers are active at some longer queue: the policy has no thresholds; it was evaluated as it is';
  return [warning('policy-not-monotone', detail, ['evaluate', 'crawlersByQueueLength'])];
}

/** A warning for each limit that a given policy exceeds. */
export function remarksOnLimits(measures: Measures, constraints: Constraints): Warning[] {
  return violations(measures, constraints).map(({ name }) => {
    const detail = `the policy has ${name} ${measures[name]}, above the limit ${constraints[name]}`;
    return warning('limit-exceeded', detail, ['constraints', name]);
  });
}
