/** Horizontal bars with their values at the end: for comparing a few figures. */
import { chart, ink, Plot, shortenText, tick } from './chart.ts';

/** A label in two lines where one is too short for it. */
function breakLabel(label: string, maxCharacters: number): string {
  if (label.length <= maxCharacters) return label;
  const space = label.lastIndexOf(' ', maxCharacters);
  if (space <= 0) return shortenText(label, maxCharacters);
  return `${label.slice(0, space)}\n${shortenText(label.slice(space + 1), maxCharacters)}`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly color?: string;
  /** What stands at the end of the bar instead of the value. */
  readonly text?: string;
}

/** Horizontal bars with their values at the end, for comparing a few figures; `axis` writes the numbers below. */
export function bars(width: number, data: readonly Bar[], label: string, axis?: (value: number) => string): Element {
  const finiteBars = data.filter(({ value }) => Number.isFinite(value));
  const positions = finiteBars.map((_, i) => i);
  const longest = Math.max(0, ...finiteBars.map((each) => each.label.length));
  const marginLeft = Math.min(width * 0.5, 22 + 6.8 * longest);
  const maxCharacters = Math.floor((marginLeft - 22) / 6.4);
  const isTight = finiteBars.length > 8;
  const barLabel = (i: number): string => (isTight ? shortenText : breakLabel)(finiteBars[i].label, maxCharacters);
  const ends = finiteBars.map((each) => each.text ?? tick(Number(each.value.toPrecision(4))));
  return chart(width, {
    height: 58 + (isTight ? 22 : 30) * finiteBars.length,
    marginLeft,
    marginRight: 22 + 7 * Math.max(0, ...ends.map((end) => end.length)),
    marginTop: 8,
    x: {
      label,
      grid: false,
      zero: true,
      ticks: Math.max(3, Math.round(width / 130)),
      ...(axis && { tickFormat: axis }),
    },
    y: { label: null, type: 'band', domain: positions, tickFormat: barLabel, tickSize: 0 },
    grid: false,
    marks: [
      Plot.barX(positions, {
        x: (i: number) => finiteBars[i].value,
        y: (i: number) => i,
        fill: (i: number) => finiteBars[i].color ?? ink.blue,
        insetTop: isTight ? 1 : 3,
        insetBottom: isTight ? 1 : 3,
      }),
      Plot.text(positions, {
        x: (i: number) => finiteBars[i].value,
        y: (i: number) => i,
        text: (i: number) => ends[i],
        textAnchor: 'start',
        dx: 6,
        fill: ink.text,
      }),
      Plot.ruleX([0], { stroke: ink.muted }),
    ],
    color: { type: 'identity' },
  });
}
