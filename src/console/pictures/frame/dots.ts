/**
 * A scatter of any number of points: circles while they are few, one raster from a canvas when they are many. A hundred
 * thousand circles would take the browser seconds; the raster takes a tenth of one.
 */
import { ink, Plot } from './chart.ts';

const mostCircles = 1500;

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

/** The extent of values, for the domain of a scale that a raster does not know of. */
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

/** The colour a custom property stands for now: a canvas knows no custom properties. */
function resolvedColor(color: string): string {
  const name = /^var\((.*)\)$/.exec(color)?.[1];
  return name === undefined ? color : getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
  if (positions.length > mostCircles) return [raster(points, positions, colors)];
  return [
    Plot.dot(positions, {
      x: (i: number) => points.x[i],
      y: (i: number) => points.y[i],
      fill: colorAt,
      fillOpacity: 0.75,
      r: positions.length > 300 ? 2 : radius,
      ...(points.title && { title: points.title, tip: positions.length <= 400 }),
    }),
  ];
}

function raster(points: Points, positions: readonly number[], colors: readonly string[]): Plot.RenderFunction {
  return (_index, scales, _values, dimensions) => {
    const { width, height } = dimensions;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    const { x: scaleX, y: scaleY } = scales;
    const image = document.createElementNS('http://www.w3.org/2000/svg', 'image');
    if (context === null || scaleX === undefined || scaleY === undefined) return image;
    context.scale(ratio, ratio);
    context.globalAlpha = positions.length > 20_000 ? 0.25 : 0.5;
    const resolved = colors.map(resolvedColor);
    const size = positions.length > 20_000 ? 1.6 : 2.4;
    for (let c = 0; c < resolved.length; c++) {
      context.fillStyle = resolved[c];
      for (const i of positions) {
        if ((points.color?.[i] ?? 0) !== c) continue;
        context.fillRect(scaleX(points.x[i]) - size / 2, scaleY(points.y[i]) - size / 2, size, size);
      }
    }
    image.setAttribute('width', String(width));
    image.setAttribute('height', String(height));
    image.setAttribute('href', canvas.toDataURL());
    image.setAttribute('class', 'raster');
    image.dataset.marks = String(positions.length);
    return image;
  };
}
