/** The least over whole numbers of fetches of the largest of some lines: what tangents leave of a convex cost. */

/** A line below a page's cost: intercept + slope·x, x the fetches. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

export interface Lines {
  readonly lineOf: (j: number) => Line;
  /** The line whose tangent is about where the gaps of so many fetches are. */
  readonly nearest: (fetches: number) => number;
  /** Positions of the first and the last line. */
  readonly first: number;
  readonly last: number;
  /** Most fetches. */
  readonly most: number;
}

/**
 * The least over whole x from 1 to `most` of the largest of the lines, as far as the lines about position `j` tell.
 * Lines up to j rise with x, the later ones fall.
 */
export function leastOverCounts({ lineOf, nearest, first, last, most }: Lines, j: number): number {
  // a handful: looked through sooner than hashed
  const positions: number[] = [];
  const known: Line[] = [];
  const line = (k: number): Line => {
    const found = positions.indexOf(k);
    if (found >= 0) return known[found];
    positions.push(k);
    return known[known.push(lineOf(k)) - 1];
  };
  const valueAt = (x: number, k: number): number => line(k).intercept + line(k).slope * x;
  /** The line largest at x, by climbing from where its gaps are. */
  const climb = (x: number): number => {
    let k = nearest(x);
    for (const step of [1, -1]) {
      while (k + step >= first && k + step <= last && valueAt(x, k + step) > valueAt(x, k)) k += step;
    }
    return k;
  };
  const [rising, falling] = [line(j), line(j + 1)];
  if (falling.slope >= 0) return valueAt(1, climb(1));
  if (rising.slope <= 0) return valueAt(most, climb(most));
  const crossing = (falling.intercept - rising.intercept) / (rising.slope - falling.slope);
  const low = Math.max(1, Math.min(most, Math.floor(crossing)));
  const high = Math.min(most, low + 1);
  const [atLow, atHigh] = [climb(low), climb(high)];
  const settled = (low === 1 || line(atLow).slope <= 0) && (high === most || line(atHigh).slope >= 0);
  if (settled) return Math.min(valueAt(low, atLow), valueAt(high, atHigh));
  return Math.max(1, crossing) === crossing ? valueAt(crossing, j) : valueAt(1, j);
}
