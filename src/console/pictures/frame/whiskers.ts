/**
 * Named estimates with their intervals, one under the other: for a few pages or hosts, each to be found by its name.
 */
import { figure } from '../../../schemas/words/numbers.ts';
import { chart, ink, logAxis, Plot, shortened, tickPixels } from './chart.ts';

export interface Whisker {
  readonly name: string;
  readonly value: number;
  /** At or below 0: it runs to the edge. */
  readonly low: number;
  /** Not finite: it runs to the edge. */
  readonly high: number;
}

/** The intervals with what has no end cut off at the edges of the picture. */
export const withinDomain = <Row extends Pick<Whisker, 'low' | 'high'>>(
  rows: readonly Row[],
  [least, most]: readonly [number, number],
): Row[] =>
  rows.map((each) => ({
    ...each,
    low: each.low > 0 ? each.low : least,
    high: Number.isFinite(each.high) ? each.high : most,
  }));

/** Draws the estimates in the order given; `extra` marks have the position of a row as their y. */
export function whiskers(
  width: number,
  rows: readonly Whisker[],
  axis: { readonly domain: readonly [number, number]; readonly label: string; readonly linear?: boolean },
  extra: readonly Plot.Markish[] = [],
): Element {
  const shown = axis.linear === true ? [...rows] : withinDomain(rows, axis.domain);
  const positions = shown.map((_, i) => i);
  const longest = Math.max(0, ...shown.map(({ name }) => name.length));
  const marginLeft = Math.min(width * 0.42, 22 + 6.8 * longest);
  const mostCharacters = Math.floor((marginLeft - 18) / 6.8);
  const rowHeight = shown.length > 8 ? 22 : 30;
  return chart(width, {
    height: 76 + rowHeight * shown.length,
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
      tickFormat: (i: number) => shortened(shown[i].name, mostCharacters),
      tickSize: 0,
    },
    marks: [
      Plot.ruleY(positions, {
        x1: (i: number) => shown[i].low,
        x2: (i: number) => shown[i].high,
        y: (i: number) => i,
        stroke: ink.blue,
        strokeOpacity: 0.35,
        strokeWidth: 6,
      }),
      ...extra,
      Plot.dot(positions, {
        x: (i: number) => shown[i].value,
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
