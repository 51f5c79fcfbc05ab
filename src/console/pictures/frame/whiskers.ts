/**
 * Named estimates with their intervals, one under the other: for a few pages or hosts, each to be found by its name.
 */
import { figure } from '../../../schemas/words/numbers.ts';
import { chart, ink, logAxis, Plot, shortenText, tickPixels } from './chart.ts';

export interface Whisker {
  readonly name: string;
  readonly value: number;
  /** At or below 0: it runs to the edge. */
  readonly low: number;
  /** Not finite: it runs to the edge. */
  readonly high: number;
}

/** The intervals with what has no end cut off at the edges of the picture. */
const clipToDomain = <Row extends Pick<Whisker, 'low' | 'high'>>(
  rows: readonly Row[],
  [minimum, maximum]: readonly [number, number],
): Row[] =>
  rows.map((each) => ({
    ...each,
    low: each.low > 0 ? each.low : minimum,
    high: Number.isFinite(each.high) ? each.high : maximum,
  }));

/** Draws the estimates in the order given; `extra` marks have the position of a row as their y. */
export function whiskers(
  width: number,
  rows: readonly Whisker[],
  axis: { readonly domain: readonly [number, number]; readonly label: string; readonly linear?: boolean },
  extra: readonly Plot.Markish[] = [],
): Element {
  const drawnRows = axis.linear === true ? [...rows] : clipToDomain(rows, axis.domain);
  const positions = drawnRows.map((_, i) => i);
  const longest = Math.max(0, ...drawnRows.map(({ name }) => name.length));
  const marginLeft = Math.min(width * 0.42, 22 + 6.8 * longest);
  const maxCharacters = Math.floor((marginLeft - 18) / 6.8);
  const rowHeight = drawnRows.length > 8 ? 22 : 30;
  return chart(width, {
    height: 76 + rowHeight * drawnRows.length,
    marginLeft,
    grid: false,
    x: {
      ...(axis.linear === true
        ? { domain: axis.domain, label: axis.label }
        : logAxis(axis.domain, axis.label, (width - marginLeft) / tickPixels)),
      grid: true,
    },
    y: {
      label: null,
      type: 'band',
      domain: positions,
      tickFormat: (i: number) => shortenText(drawnRows[i].name, maxCharacters),
      tickSize: 0,
    },
    marks: [
      Plot.ruleY(positions, {
        x1: (i: number) => drawnRows[i].low,
        x2: (i: number) => drawnRows[i].high,
        y: (i: number) => i,
        stroke: ink.blue,
        strokeOpacity: 0.35,
        strokeWidth: 6,
      }),
      ...extra,
      Plot.dot(positions, {
        x: (i: number) => drawnRows[i].value,
        y: (i: number) => i,
        fill: ink.blue,
        r: 4.5,
        title: (i: number) =>
          `${rows[i].name}\n${figure(rows[i].value)} (${figure(rows[i].low)} to ${figure(rows[i].high)})`,
        tip: true,
      }),
    ],
  });
}
