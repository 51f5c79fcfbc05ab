/** A scatter: all points, or every n-th of them where there are more than `maxCircles`. */
import { ink, Plot } from './chart.ts';

const maxCircles = 1500;

export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** A colour a point, as a position in `colors`. */
  readonly color?: ArrayLike<number>;
  readonly colors?: readonly string[];
  readonly title?: (position: number) => string;
}

/** Positions whose point can be drawn on the given scales. */
function drawable({ x, y }: Points, logX: boolean, logY: boolean): number[] {
  const positions: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (Number.isFinite(x[i]) && Number.isFinite(y[i]) && (!logX || x[i] > 0) && (!logY || y[i] > 0)) positions.push(i);
  }
  return positions;
}

/** The extent of values, for the domain of a scale. */
export function extent(values: ArrayLike<number>, positiveOnly: boolean): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isFinite(value) || (positiveOnly && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return positiveOnly ? [1, 10] : [0, 1];
  if (low === high) return positiveOnly ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  return [low, high];
}

/** The marks of a scatter. `logX` and `logY` leave out what a logarithmic scale cannot show. */
export function dots(
  points: Points,
  options: { logX?: boolean; logY?: boolean; radius?: number } = {},
): Plot.Markish[] {
  const { logX = false, logY = false, radius = 3 } = options;
  const positions = drawable(points, logX, logY);
  const colors = points.colors ?? [ink.blue];
  const colorAt = (i: number): string => colors[points.color?.[i] ?? 0] ?? colors[0];
  const every = Math.ceil(positions.length / maxCircles);
  const drawn = positions.filter((_, k) => k % every === 0);
  return [
    Plot.dot(drawn, {
      x: (i: number) => points.x[i],
      y: (i: number) => points.y[i],
      fill: colorAt,
      fillOpacity: 0.75,
      r: drawn.length > 300 ? 2 : radius,
      ...(points.title && { title: points.title, tip: drawn.length <= 400 }),
    }),
  ];
}
