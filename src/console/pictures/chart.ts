/** The one look of all figures: Observable Plot with this console's type, colours and margins. */
import * as Plot from '@observablehq/plot';

/** The palette: custom properties, so that a figure follows the theme without being drawn again. */
export const ink = {
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
} as const;

export const series: readonly string[] = [ink.blue, ink.orange, ink.green, ink.violet, ink.red, ink.grey];

/** Ticks without more digits than they need. */
export const tick = (value: number | string): string => {
  if (typeof value !== 'number') return value;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return Number(value.toPrecision(3)).toExponential().replace('e+', 'e').replaceAll('-', '−');
  return Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
};

/** Draws a figure. */
export function chart(width: number, options: Plot.PlotOptions): Element {
  const { x, y, marks = [], ...rest } = options;
  return Plot.plot({
    width,
    height: Math.round(Math.min(320, Math.max(220, width * 0.5))),
    marginLeft: 58,
    marginRight: 18,
    marginTop: 26,
    marginBottom: 42,
    className: 'plot',
    style: { fontSize: '12px', fontFamily: 'inherit', background: 'transparent', overflow: 'visible' },
    x: { labelArrow: 'none', labelAnchor: 'center', labelOffset: 38, tickFormat: tick, ...x },
    y: { labelArrow: 'none', labelAnchor: 'top', tickFormat: tick, ...y },
    ...rest,
    marks: [Plot.gridY({ stroke: ink.faint, strokeOpacity: 1 }), ...marks],
  });
}

/** A vertical mark at a value of x, labelled at the top. */
export const rule = (x: number, label: string, color: string = ink.muted, dashed = true): Plot.Markish[] => [
  Plot.ruleX([x], { stroke: color, strokeDasharray: dashed ? '4 3' : undefined }),
  Plot.text([{ x, label }], {
    x: 'x',
    text: 'label',
    frameAnchor: 'top',
    dy: -10,
    fill: color,
    stroke: ink.surface,
    strokeWidth: 3,
  }),
];

/** A horizontal mark at a value of y, labelled at its right end. */
export const level = (y: number, label: string, color: string = ink.muted): Plot.Markish[] => [
  Plot.ruleY([y], { stroke: color, strokeDasharray: '4 3' }),
  Plot.text([{ y, label }], {
    y: 'y',
    text: 'label',
    frameAnchor: 'right',
    textAnchor: 'end',
    dy: -7,
    fill: color,
    stroke: ink.surface,
    strokeWidth: 3,
  }),
];

/** Horizontal bars with their values at the end, for comparing a few figures. */
export function bars(
  width: number,
  data: readonly { readonly label: string; readonly value: number; readonly color?: string; readonly text?: string }[],
  label: string,
): Element {
  const known = data.filter(({ value }) => Number.isFinite(value));
  const longest = Math.max(0, ...known.map((each) => each.label.length));
  return chart(width, {
    height: 64 + 30 * known.length,
    marginLeft: Math.min(width * 0.45, 24 + 7 * longest),
    marginRight: 76,
    marginTop: 10,
    x: { label, grid: false, zero: true, ticks: Math.max(3, Math.round(width / 130)) },
    y: { label: null, domain: known.map((each) => each.label) },
    marks: [
      Plot.barX(known, { x: 'value', y: 'label', fill: (each) => each.color ?? ink.blue, insetTop: 3, insetBottom: 3 }),
      Plot.text(known, {
        x: 'value',
        y: 'label',
        text: (each) => each.text ?? tick(Number(each.value.toPrecision(4))),
        textAnchor: 'start',
        dx: 6,
        fill: ink.text,
      }),
      Plot.ruleX([0], { stroke: ink.muted }),
    ],
    color: { type: 'identity' },
  });
}

export { Plot };
