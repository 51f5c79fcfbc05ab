/** Means of replications, each with its interval. */
import { isObject, numberIn, numbersIn, type WireObject } from '../wire.ts';

export interface Estimate {
  readonly mean: number;
  readonly interval: readonly number[];
}

/** A property's estimate; null where there is none. */
export function estimateIn(object: WireObject, name: string): Estimate | null {
  const told = object[name];
  return isObject(told) ? { mean: numberIn(told, 'mean'), interval: Array.from(numbersIn(told, 'interval')) } : null;
}

/** A mean outside its interval. */
export function estimateFaults(name: string, estimate: Estimate | null | undefined): string[] {
  if (estimate === null || estimate === undefined) return [];
  const { mean, interval } = estimate;
  const [low, high] = interval;
  return low <= mean && mean <= high && Number.isFinite(low) && Number.isFinite(high)
    ? []
    : [`${name}: ${mean} is not inside [${low}, ${high}]`];
}
