/** Common style of all figures: Observable Plot with the console's fonts, colours and margins. */
import * as Plot from '@observablehq/plot';

/** Colours as CSS custom properties, so that a figure follows the theme without being drawn again. */
export const palette = {
  text: 'var(--text)',
  muted: 'var(--muted)',
  faint: 'var(--line)',
  blue: 'var(--blue)',
  orange: 'var(--orange)',
  green: 'var(--green)',
  red: 'var(--red)',
  violet: 'var(--violet)',
  grey: 'var(--grey)',
  surface: 'var(--surface)',
} satisfies Record<string, string>;

export const seriesColours: readonly string[] = [
  palette.blue,
  palette.orange,
  palette.green,
  palette.violet,
  palette.red,
  palette.grey,
];

/** Tick labels with only the digits that tell them apart. */
export const tickText = (value: number | string): string => {
  if (typeof value !== 'number') return value;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return Number(value.toPrecision(3)).toExponential().replace('e+', 'e').replaceAll('-', '−');
  const text = Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
  return text.replace('-', '−');
};

/** Tick labels of a count: empty between whole numbers. */
export const wholeTickText = (value: number): string => (Number.isInteger(value) ? tickText(value) : '');

/** Ticks of a logarithmic axis, about `maxTicks` of them: powers of ten, with 2 and 5 between them while these are few. */
function logTicks([low, high]: readonly [number, number], maxTicks: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades < 1 ? [1, 2, 3, 5, 7] : decades <= maxTicks / 3 ? [1, 2, 5] : [1];
  const powerStep = Math.max(1, Math.ceil(decades / maxTicks));
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    if (power % powerStep !== 0) continue;
    for (const factor of factors) {
      // 10 ** −3 is not exactly 0.001, but the parsed text is.
      const at = Number(`${factor}e${power}`);
      if (at >= low && at <= high) ticks.push(at);
    }
  }
  return ticks;
}

/** A logarithmic axis over a domain, with about `maxTicks` ticks. */
export const logAxis = (domain: readonly [number, number], label: string, maxTicks = 7): Plot.ScaleOptions => ({
  type: 'log',
  domain: [...domain],
  ticks: logTicks(domain, maxTicks),
  label,
});

/** Width of a tick label on a horizontal axis with the gap beside it, px. */
export const tickPixels = 46;

/** A domain with some room at both ends, on a logarithmic axis. */
export const widenDomain = ([low, high]: [number, number], factor = 1.3): [number, number] => [
  low / factor,
  high * factor,
];

/** A drawing with its scales, which turn positions in it into values. */
export type Drawing = ReturnType<typeof Plot.plot>;

export function chart(width: number, options: Plot.PlotOptions): Drawing {
  const { x, y, grid = true, marks = [], ...rest } = options;
  const lines = y?.ticks === undefined ? {} : { ticks: y.ticks };
  const drawing = Plot.plot({
    width,
    height: Math.round(Math.min(320, Math.max(220, width * 0.5))),
    marginLeft: 58,
    marginRight: 18,
    marginTop: 26,
    marginBottom: 42,
    className: 'plot',
    style: { fontSize: '12px', fontFamily: 'inherit', background: 'transparent', overflow: 'visible' },
    x: { labelArrow: 'none', labelAnchor: 'center', labelOffset: 38, tickFormat: tickText, ...x },
    y: { labelArrow: 'none', labelAnchor: 'top', tickFormat: tickText, ...y },
    ...rest,
    marks: [...(grid ? [Plot.gridY({ stroke: palette.faint, strokeOpacity: 1, ...lines })] : []), ...marks],
  });
  // Screen readers get the frame as one named image, and the numbers from the answer; the marks inside are hidden.
  drawing.setAttribute('aria-hidden', 'true');
  return drawing;
}

/** A vertical mark at a value of x, labelled at the top. */
export const verticalRule = (
  x: number,
  label: string,
  color: string = palette.muted,
  dashed = true,
): Plot.Markish[] => [
  Plot.ruleX([x], { stroke: color, strokeDasharray: dashed ? '4 3' : undefined }),
  Plot.text([{ x, label }], {
    x: 'x',
    text: 'label',
    frameAnchor: 'top',
    dy: -10,
    fill: color,
    stroke: palette.surface,
    strokeWidth: 3,
  }),
];

/** A horizontal mark at a value of y, labelled at its right end. */
export const horizontalRule = (y: number, label: string, color: string = palette.muted): Plot.Markish[] => [
  Plot.ruleY([y], { stroke: color, strokeDasharray: '4 3' }),
  Plot.text([{ y, label }], {
    y: 'y',
    text: 'label',
    frameAnchor: 'right',
    textAnchor: 'end',
    dy: -7,
    fill: color,
    stroke: palette.surface,
    strokeWidth: 3,
  }),
];

/** Number of ticks, at most `maxTicks`, at which an axis of counts has only whole numbers. */
export const wholeTickCount = (low: number, high: number, maxTicks = 12): number =>
  Math.max(1, Math.min(maxTicks, Math.floor(high) - Math.ceil(low)));

/** A text in at most `maxCharacters` characters: its beginning and its end, by which URLs are told apart. */
export function shortenText(whole: string, maxCharacters: number): string {
  if (whole.length <= maxCharacters) return whole;
  const text = whole.replace(/^https?:\/\//, '');
  if (text.length <= maxCharacters) return text;
  const end = Math.floor((maxCharacters - 1) / 2);
  return `${text.slice(0, maxCharacters - 1 - end)}…${text.slice(text.length - end)}`;
}

/** The extent of the positive values, for the domain of a logarithmic scale. */
export function extent(values: ArrayLike<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!(value > 0 && Number.isFinite(value))) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [1, 10];
  return low === high ? [low / 2, high * 2] : [low, high];
}

export { Plot };
