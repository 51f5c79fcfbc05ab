/** What each fetch of a page says of the copy held until then. */
import { checksFromObservations, type Observation, unchanged } from '../solvers/estimation/index.ts';

/**
 * By the time of a fetch, whether it found the copy current. Fetches that do not say, and a page's first, are not in
 * it. Complexity: linear.
 */
export function foundCurrent(observations: readonly Observation[]): ReadonlyMap<number, boolean> {
  const found = new Map<number, boolean>();
  let first: number | undefined;
  for (const { time } of observations) if (first === undefined || time < first) first = time;
  checksFromObservations(observations, (_, outcome, time) => {
    if (time !== first) found.set(time, outcome === unchanged);
  });
  return found;
}
