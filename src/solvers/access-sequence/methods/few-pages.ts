/**
 * The best cycle of up to five pages, and its proof: the least mean cycle of the graph of their ages (age-graph.ts).
 */
import type { AccessPages } from '../../access-frequencies/access-pages.ts';
import type { Budget } from '../../budget.ts';
import { staleChanges } from '../../pages/objectives/index.ts';
import { AgeGraph, type LeastMean, statesOf } from './age-graph.ts';

/** More pages than these have too many states. */
export const mostExact = 5;

const mostStates = 120_000;
/** Oldest ages, in even gaps: as many as the states allow, up to the first. */
const gaps = [6, 5, 4, 3.5, 3, 2.5, 2, 1.5];
/** A page that is accessed more rarely counts as accessed so often. */
const rarest = 0.02;

/** Null where there are too many states. @param frequency the optimal ones, by which ages are cut off */
export function exactCycle(pages: AccessPages, frequency: Float64Array, budget: Budget): LeastMean | null {
  if (pages.length > mostExact) return null;
  const all = Array.from(frequency.keys());
  const oldest = oldestAges(frequency, all, mostStates);
  if (oldest === null) return null;
  const { sequence, bound } = new AgeGraph(stepsOf(pages, all, oldest)).leastMean(budget);
  return { sequence, bound: unavoidable(pages) + bound };
}

/** What every order costs, whatever its gaps. */
export function unavoidable({ weight, floor }: AccessPages): number {
  return weight.reduce((sum, c, i) => sum + c * floor[i], 0);
}

/** By page, where the states are at most so many, else null. @param others oldest ages that the graph has besides */
export function oldestAges(
  frequency: Float64Array,
  which: readonly number[],
  most: number,
  others: readonly number[] = [],
): number[] | null {
  for (const gap of gaps) {
    const oldest = which.map((i) => Math.max(2, Math.ceil(gap / Math.max(frequency[i], rarest))));
    if (statesOf([...oldest, ...others]) <= most) return oldest;
  }
  return null;
}

/** What the gap of each page becomes dearer by lasting until an age, from 0 to its oldest. */
export function stepsOf(
  { weight, floor, load }: AccessPages,
  which: readonly number[],
  oldest: readonly number[],
): Float64Array[] {
  return which.map((i, k) =>
    Float64Array.from({ length: oldest[k] + 1 }, (_, a) =>
      a === 0
        ? 0
        : ((weight[i] * (1 - floor[i])) / load[i]) * (staleChanges(a * load[i]) - staleChanges((a - 1) * load[i])),
    ),
  );
}
