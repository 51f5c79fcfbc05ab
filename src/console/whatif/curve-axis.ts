/** The points of the curve behind the slider, and its vertical axis. */
export interface Point {
  readonly value: number;
  /** What is watched there; NaN where there is no solution. */
  readonly watched: number;
}

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly fromZero: boolean;
  readonly isLog: boolean;
}

/**
 * The ends of the vertical axis: from zero, unless that would leave the curve no height to be seen in. It is
 * logarithmic where one end would press half of the values flat.
 */
export function axisOf(values: readonly number[]): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const middle = [...values].sort((a, b) => a - b)[values.length >> 1];
  if (low > 0 && middle < 0.04 * high) return { low, high, fromZero: false, isLog: true };
  const fromZero = low >= 0 && low <= 0.6 * high;
  if (fromZero) return { low: 0, high, fromZero, isLog: false };
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  return { low: low - room, high: high + room, fromZero, isLog: false };
}

/** Three round numbers along an axis, or some powers of ten. */
export function ticksOf({ low, high, isLog }: Axis): number[] {
  if (isLog) {
    const [first, last] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
    const every = Math.ceil((last - first + 1) / 4);
    return Array.from({ length: Math.ceil((last - first + 1) / every) }, (_, k) => Number(`1e${first + k * every}`));
  }
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step)
    ticks.push(Number(at.toPrecision(9)));
  return ticks;
}

/** What should be known when reading the curve. */
export function curveNotes({ points }: { readonly points: readonly Point[] }): string {
  const values = points.map(({ watched }) => watched).filter(Number.isFinite);
  return [
    ...(points.length > values.length ? ['×: no solution'] : []),
    ...(values.length > 1 && !axisOf(values).fromZero
      ? [axisOf(values).isLog ? 'the axis is logarithmic' : 'the axis does not begin at zero']
      : []),
  ].join('; ');
}
