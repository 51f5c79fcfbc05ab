/** Fetches and staleness of each page of an answer, against the page's change rate. */

import { day } from '../../../schemas/words/durations.ts';
import { duration, figure, share } from '../../../schemas/words/numbers.ts';
import type { Exchange } from '../../api/answer.ts';
import { numericColumn, rowCount, valueAt } from '../../api/read.ts';
import { chart, extent, logAxis, Plot, palette, wholeTickText, widenDomain } from '../frame/chart.ts';
import { rowName } from '../frame/names.ts';
import type { Key, Picture, Pictures } from '../frame/picture.ts';
import { changeRates } from './change-rates.ts';

/** A quantity that the answer gives pages, such as fetches: its axis, and the label of pages that get none. */
interface Measure {
  readonly name: string;
  readonly title: string;
  readonly label: string;
  readonly noneText: string;
  /** Counts have a linear axis, other quantities a logarithmic one. */
  readonly isCount?: boolean;
  readonly text: (value: number) => string;
  readonly scale?: number;
}

const kinds: readonly Measure[] = [
  {
    name: 'frequency',
    title: 'Share of the fetches',
    label: 'share of the fetches',
    noneText: 'never fetched',
    text: (value) => `${share(value, 3)} of the fetches`,
  },
  {
    name: 'fetchInterval',
    title: 'Time between fetches',
    label: 'hours between fetches',
    noneText: 'given up',
    text: (value) => `a fetch every ${duration(value * 3600)}`,
    scale: 1 / 3600,
  },
  {
    name: 'crawls',
    title: 'Fetches',
    label: 'fetches in the interval',
    noneText: 'none',
    isCount: true,
    text: (value) => `${figure(value)} fetches`,
  },
];

interface Pages {
  readonly rate: Float64Array;
  readonly unit: string;
  readonly staleness: Float64Array;
  readonly name: (row: number) => string;
}

/** Maximum number of dots; of more pages every n-th is drawn. */
const maxDots = 1500;

interface Scatter {
  readonly id: string;
  readonly title: string;
  readonly y: Plot.ScaleOptions;
  readonly values: ArrayLike<number>;
  readonly color: (page: number) => string;
  readonly text: (page: number) => string;
  readonly keys?: readonly Key[];
  /** A horizontal line and its y value. */
  readonly referenceLine: { readonly at: number; readonly color: string };
}

/** Draws a dot for each page, at its change rate. */
function scatter(
  { rate, unit, name }: Pages,
  { id, title, y, values, color, text, keys, referenceLine }: Scatter,
): Picture {
  const finiteRows = Array.from(rate.keys()).filter((i) => rate[i] > 0 && Number.isFinite(values[i]));
  const stride = Math.ceil(finiteRows.length / maxDots);
  const drawnRows = finiteRows.filter((_, k) => k % stride === 0);
  return {
    id,
    title,
    ...(keys && { keys }),
    draw: (width) =>
      chart(width, {
        x: logAxis(widenDomain(extent(rate)), `changes per ${unit}`),
        y,
        marks: [
          Plot.ruleY([referenceLine.at], { stroke: referenceLine.color }),
          Plot.dot(drawnRows, {
            x: (i: number) => rate[i],
            y: (i: number) => values[i],
            fill: color,
            fillOpacity: 0.75,
            r: drawnRows.length > 300 ? 2 : 4,
            title: (i: number) => `${name(i)}\n${figure(rate[i])} changes per ${unit}\n${text(i)}`,
            tip: drawnRows.length <= 400,
          }),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** The quantity that each page gets; pages without any are red, and on a logarithmic axis below all other pages. */
function measurePicture(measure: Measure, values: Float64Array, pages: Pages): Picture {
  const isNone = (i: number): boolean => !(values[i] > 0);
  const noneCount = values.reduce((sum, _, i) => sum + Number(isNone(i)), 0);
  const [low, high] = extent(values);
  const isCount = measure.isCount === true;
  const noneLevel = noneCount > 0 ? low / 3 : low;
  return scatter(pages, {
    id: measure.name,
    title: `${measure.title} against change rate`,
    y: isCount
      ? { label: measure.label, tickFormat: wholeTickText, domain: [-0.5, Math.max(1, high) + 0.5] }
      : logAxis([noneLevel / 1.4, high * 1.4], measure.label),
    values: isCount ? values : values.map((each, i) => (isNone(i) ? noneLevel : each)),
    color: (i) => (isNone(i) ? palette.red : palette.blue),
    text: (i) => (isNone(i) ? measure.noneText : measure.text(values[i])),
    ...(noneCount > 0 && {
      keys: [
        { label: 'a page', color: palette.blue, shape: 'dot' },
        { label: `${measure.noneText} (${figure(noneCount)})`, color: palette.red, shape: 'dot' },
      ],
    }),
    referenceLine:
      isCount || noneCount === 0
        ? { at: isCount ? 0 : low, color: palette.faint }
        : { at: noneLevel, color: palette.red },
  });
}

const stalenessPicture = (pages: Pages): Picture =>
  scatter(pages, {
    id: 'staleness',
    title: 'Staleness against change rate',
    y: { label: 'share of time stale', domain: [0, 1], tickFormat: (value: number) => share(value, 3) },
    values: pages.staleness,
    color: () => palette.orange,
    text: (i) => `stale ${share(pages.staleness[i], 3)} of the time`,
    referenceLine: { at: 0, color: palette.muted },
  });

/** Whether at least two of the finite values differ; a chart of equal values shows nothing. */
const isInformative = (values: Float64Array): boolean => new Set(values.filter(Number.isFinite)).size > 1;

export const byChangeRate: Pictures = ({ request, answer }: Exchange) => {
  const answerPages = valueAt(answer.solution, 'pages');
  const staleness = numericColumn(answerPages, 'staleness');
  if (rowCount(answerPages) < 2 || !staleness.some(Number.isFinite)) return [];
  const inSeconds = valueAt(request, 'now') !== undefined;
  const rate = changeRates(request, answerPages).map((each) => (inSeconds ? day * each : each));
  if (!isInformative(rate)) return [];
  const namedPages = rowCount(request.pages) === staleness.length ? request.pages : answerPages;
  const pages: Pages = {
    rate,
    unit: inSeconds ? 'day' : 'time unit',
    staleness,
    name: (row) => rowName(namedPages, row),
  };
  const measure = kinds.find(({ name }) => numericColumn(answerPages, name).some(Number.isFinite));
  const values = measure && numericColumn(answerPages, measure.name).map((each) => each * (measure.scale ?? 1));
  return [
    ...(measure && values && values.length === rate.length ? [measurePicture(measure, values, pages)] : []),
    stalenessPicture(pages),
  ];
};
