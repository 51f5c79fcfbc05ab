/**
 * One way of measuring a policy, whatever the discipline and the obsolescence distribution: what searches and
 * evaluations ask.
 */
import { type Budget, pollOf } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { Totals } from '../model/measures.ts';
import { type ModeByLevel, obsolescenceRate, type Queue } from '../model/queue.ts';
import { evaluateMemoryless, type MemorylessQueue, totalsOfDistribution } from './memoryless/evaluate-memoryless.ts';
import { fifoPageChain } from './memoryless/fifo-page-chain.ts';
import { type RandomPage, randomPage } from './memoryless/random-page.ts';
import { randomPageChain } from './memoryless/random-page-chain.ts';
import type { PageChain } from './response-quantiles.ts';
import { blockSize, stationaryDistribution } from './stationary.ts';
import type { LevelShares } from './views.ts';

export interface Evaluator {
  /** What `statistics` calls it. */
  readonly name: string;
  /** States of the chain that is solved. */
  readonly states: number;
  evaluate(byLevel: ModeByLevel): Totals;
  /** What becomes of a page, jump by jump. */
  pageChain(byLevel: ModeByLevel, budget: Budget): PageChain;
  /** The stationary shares of each level's states; position modulo W·M is ν·M + m. */
  shares(byLevel: ModeByLevel, budget: Budget): LevelShares;
}

/** What is remembered takes at most this many bytes, roughly. */
const maxRememberedBytes = 200_000_000;

/** The totals of policies that were measured, by their modes as text; of one queue, whatever the prices and limits. */
export type MeasuredPolicies = Map<string, Totals>;

/**
 * The same evaluator, which does not measure a policy twice, and refuses what has left the range of doubles.
 *
 * @param known what was measured before; it is added to
 */
export function remembering(evaluator: Evaluator, known: MeasuredPolicies): Evaluator {
  return {
    ...evaluator,
    evaluate(byLevel) {
      const name = byLevel.join();
      const before = known.get(name);
      if (before !== undefined) return before;
      const totals = evaluator.evaluate(byLevel);
      checkTotals(totals);
      if (known.size * (name.length + 200) < maxRememberedBytes) known.set(name, totals);
      return totals;
    },
  };
}

/** Where rates are too far apart, shares underflow, and Little's law tells. */
export function checkTotals(totals: Totals): void {
  const { toBeServed, toExpire, queueLength, successRate } = totals;
  const finite = Object.values(totals).every((value: number) => value >= 0 && value < Number.POSITIVE_INFINITY);
  if (finite && successRate > 0 && Math.abs(toBeServed + toExpire - queueLength) <= 1e-6 * queueLength) return;
  throw new ConditionNotMet(
    [],
    'rates-too-far-apart',
    'has rates (of arrivals, service and obsolescence) too far apart for double precision: leave out the phases that are ' +
      'hardly ever entered or left at once, or the modes that hardly ever bring a page',
  );
}

/** Number of (level, phase) states without phases of waiting pages, and the work of one evaluation. */
export function memorylessSize(queue: Queue): { readonly states: number; readonly work: number } {
  const n = blockSize(queue);
  return {
    states: queue.arrivalPhases + queue.topLevel * n,
    work: (queue.topLevel + 1) * (queue.largestBatch + 2) * n ** 3 * (queue.discipline === 'fifo' ? 1.5 : 4),
  };
}

function levelsOf(queue: Queue, byLevel: ModeByLevel, budget: Budget): LevelShares {
  const n = blockSize(queue);
  const distribution = stationaryDistribution(queue, byLevel, pollOf(budget, 'the policy had not been measured'));
  return Array.from({ length: queue.topLevel + 1 }, (_, level) => distribution.subarray(level * n, (level + 1) * n));
}

/** Exponential (or no) obsolescence, first in first out. */
export function memorylessFifo(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  return {
    name: 'level-recursion',
    states: memorylessSize(queue).states,
    evaluate: (byLevel) => evaluateMemoryless(prepared, byLevel),
    shares: (byLevel, budget) => levelsOf(queue, byLevel, budget),
    pageChain(byLevel, budget) {
      const poll = pollOf(budget, 'the times of the pages had not been computed');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const { successRate } = totalsOfDistribution(prepared, byLevel, distribution);
      return fifoPageChain(queue, (level) => byLevel[level], distribution, successRate);
    },
  };
}

/** Mean numbers of the pages present that will be served, and that will expire, under random pick-up. */
export function fatesAtRandom(
  queue: Queue,
  distribution: Float64Array,
  page: RandomPage,
): Pick<Totals, 'toBeServed' | 'toExpire'> {
  const n = blockSize(queue);
  let toBeServed = 0;
  let toExpire = 0;
  for (let level = 1; level <= queue.topLevel; level++) {
    for (let at = level * n; at < (level + 1) * n; at++) {
      toBeServed += distribution[at] * (1 + (level - 1) * page.served[at]);
      toExpire += distribution[at] * (level - 1) * page.expired[at];
    }
  }
  return { toBeServed, toExpire: obsolescenceRate(queue) > 0 ? toExpire : 0 };
}

/** Exponential (or no) obsolescence, random pick-up. */
export function memorylessRandom(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  const { states } = memorylessSize(queue);
  return {
    name: 'level-recursion-random',
    states,
    evaluate(byLevel) {
      const poll = pollOf(prepared.budget, 'a policy had not been measured');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const totals = totalsOfDistribution(prepared, byLevel, distribution);
      return { ...totals, ...fatesAtRandom(queue, distribution, randomPage(queue, byLevel, poll)) };
    },
    shares: (byLevel, budget) => levelsOf(queue, byLevel, budget),
    pageChain(byLevel, budget) {
      const poll = pollOf(budget, 'the times of the pages had not been computed');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const { successRate } = totalsOfDistribution(prepared, byLevel, distribution);
      return randomPageChain(queue, (level) => byLevel[level], distribution, successRate);
    },
  };
}
