/**
 * What every front between criteria must be, whoever found it: used by the certificates of the solvers that have one.
 */

import { numbersIn, objectAt, type WireObject } from '../wire.ts';

export interface PricedPoint {
  readonly criteria: Readonly<Partial<Record<string, number>>>;
  /** Two criteria: the prices of the second, the first costing 1, from and up to which this point is best. */
  readonly weightOfSecond?: readonly [number, number | null];
}

export function pointsIn(front: readonly WireObject[]): PricedPoint[] {
  return front.map((point) => {
    const criteria = Object.entries(objectAt(point, 'criteria')).map(([name, value]) => [name, Number(value)]);
    const prices = point.weightOfSecond === undefined ? null : numbersIn(point, 'weightOfSecond');
    return {
      criteria: Object.fromEntries(criteria),
      ...(prices !== null && { weightOfSecond: [prices[0], Number.isNaN(prices[1]) ? null : prices[1]] as const }),
    };
  });
}

/** Rounding of criteria, relative to the largest value of each along the front. */
const tolerance = 1e-8;
/** Rounding of a value, relative to itself. */
const rounding = 1e-9;
/** Points that are measured again, evenly along the front. */
const mostMeasuredAgain = 12;

/**
 * What is wrong with a front, one sentence each; empty where nothing is. Criteria of up to twelve points are those
 * measured a second time. No point is no worse than another everywhere and better somewhere. Between two criteria the
 * prices follow each other without a gap, and every point is the cheapest of the front at its prices. O(points²).
 *
 * @param measured the criteria of a point measured again; null where they cannot be had
 */
export function frontFaults(
  points: readonly PricedPoint[],
  measured: (index: number) => Readonly<Partial<Record<string, number>>> | null,
): string[] {
  if (points.length === 0) return [];
  const names = Object.keys(points[0].criteria);
  const rows = points.map(({ criteria }) => names.map((name) => criteria[name] ?? Number.NaN));
  const scales = names.map((_, c) => rows.reduce((most, row) => Math.max(most, Math.abs(row[c])), 0));
  const faults: string[] = [];
  const every = Math.ceil(points.length / mostMeasuredAgain);
  for (const [i, row] of rows.entries()) {
    const again = i % every === 0 ? measured(i) : null;
    for (const [c, name] of names.entries()) {
      const value = again === null ? row[c] : (again[name] ?? Number.NaN);
      if (!(Math.abs(row[c] - value) <= tolerance * scales[c])) {
        faults.push(`point ${i} of the front has ${name} ${row[c]}; measured again it is ${value}`);
      }
    }
    const better = rows.findIndex((other) => dominates(other, row));
    if (better >= 0) faults.push(`point ${i} of the front is worse than point ${better}`);
  }
  return names.length === 2 ? [...faults, ...priceFaults(points, rows, scales)] : faults;
}

/** No worse anywhere beyond the rounding of a value, and better somewhere. */
function dominates(one: readonly number[], other: readonly number[]): boolean {
  const margin = (c: number): number => rounding * Math.abs(other[c]);
  return (
    one.every((value, c) => value <= other[c] + margin(c)) && one.some((value, c) => value < other[c] - 2 * margin(c))
  );
}

function priceFaults(
  points: readonly PricedPoint[],
  rows: readonly (readonly number[])[],
  scales: readonly number[],
): string[] {
  const faults: string[] = [];
  let before: number | null = 0;
  for (const [i, { weightOfSecond }] of points.entries()) {
    if (weightOfSecond === undefined) {
      faults.push(`point ${i} of the front says no prices`);
      continue;
    }
    const [from, to] = weightOfSecond;
    if (from !== before) faults.push(`the prices of point ${i} of the front begin at ${from}, not at ${before}`);
    if (to !== null && !(to >= from)) faults.push(`the prices of point ${i} of the front go from ${from} to ${to}`);
    before = to;
    const price = to === null ? 2 * from + 1e-300 : (from + to) / 2;
    const costs = rows.map(([first, second]) => first + price * second);
    const cheapest = costs.reduce((least, cost, k) => (cost < costs[least] ? k : least), 0);
    if (costs[i] > costs[cheapest] + tolerance * (scales[0] + price * scales[1])) {
      faults.push(`at the price ${price} point ${cheapest} of the front costs less than point ${i}`);
    }
  }
  return faults;
}
