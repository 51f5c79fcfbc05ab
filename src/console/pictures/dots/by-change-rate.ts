/** What an answer gives each page, and how stale that leaves it, against how often the page changes. */

import { day } from '../../../schemas/words/durations.ts';
import { duration, figure } from '../../../schemas/words/numbers.ts';
import type { Answered } from '../../api/answer.ts';
import { at, column, rowCount } from '../../api/read.ts';
import { percent } from '../../words/dates.ts';
import { chart, ink, logAxis, Plot, wholeTick, widened } from '../frame/chart.ts';
import { dots, extent } from '../frame/dots.ts';
import { nameOf } from '../frame/names.ts';
import type { Key, Picture, Pictures } from '../frame/picture.ts';
import { changeRates } from './change-rates.ts';

/** What a page may get, how it is drawn, and what a page that gets nothing of it is called. */
interface Measure {
  readonly name: string;
  readonly title: string;
  readonly label: string;
  readonly none: string;
  /** Counts have a linear axis, all else a logarithmic one. */
  readonly whole?: boolean;
  readonly text: (value: number) => string;
  readonly scale?: number;
}

const kinds: readonly Measure[] = [
  {
    name: 'frequency',
    title: 'Share of the fetches',
    label: 'share of the fetches',
    none: 'never fetched',
    text: (value) => `${percent(value)} of the fetches`,
  },
  {
    name: 'fetchInterval',
    title: 'Time between fetches',
    label: 'hours between fetches',
    none: 'given up',
    text: (value) => `a fetch every ${duration(value * 3600)}`,
    scale: 1 / 3600,
  },
  {
    name: 'crawls',
    title: 'Fetches',
    label: 'fetches in the interval',
    none: 'none',
    whole: true,
    text: (value) => `${figure(value)} fetches`,
  },
];

interface Pages {
  readonly rate: Float64Array;
  readonly unit: string;
  readonly staleness: Float64Array;
  readonly name: (row: number) => string;
}

const rateAxis = ({ rate, unit }: Pages): Plot.ScaleOptions =>
  logAxis(widened(extent(rate, true)), `changes per ${unit}`);

function measurePicture(measure: Measure, values: Float64Array, pages: Pages): Picture {
  const { rate, unit, staleness, name } = pages;
  const none = Uint8Array.from(values, (each) => (each > 0 ? 0 : 1));
  const without = none.reduce((sum, each) => sum + each, 0);
  const [low, high] = extent(values, true);
  const floor = low / 3;
  const isCount = measure.whole === true;
  const jitter = isCount && values.length > 300 ? 0.35 : 0;
  const y = values.map((each, i) => {
    if (isCount) return each + jitter * (((i * 0.618034) % 1) - 0.5);
    return none[i] === 1 ? floor : each;
  });
  const marked = without > 0 && !isCount;
  const never: Key[] =
    without > 0 ? [{ label: `${measure.none} (${figure(without)})`, color: ink.red, shape: 'dot' }] : [];
  return {
    id: measure.name,
    title: `${measure.title} against change rate`,
    ...(without > 0 && { keys: [{ label: 'a page', color: ink.blue, shape: 'dot' }, ...never] }),
    draw: (width) =>
      chart(width, {
        x: rateAxis(pages),
        y: isCount
          ? { label: measure.label, tickFormat: wholeTick, domain: [-0.5, Math.max(1, high) + 0.5] }
          : logAxis([marked ? floor / 1.4 : low / 1.4, high * 1.4], measure.label),
        marks: [
          ...(marked ? [Plot.ruleY([floor], { stroke: ink.red, strokeOpacity: 0.4, strokeDasharray: '2 3' })] : []),
          ...dots(
            {
              x: rate,
              y,
              color: none,
              colors: [ink.blue, ink.red],
              title: (i) =>
                `${name(i)}\n${figure(rate[i])} changes per ${unit}\n${none[i] === 1 ? measure.none : measure.text(values[i])}${Number.isFinite(staleness[i]) ? `\nstale ${percent(staleness[i])} of the time` : ''}`,
            },
            { logX: true, logY: !isCount, radius: 4 },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

function stalenessPicture(pages: Pages): Picture {
  const { rate, unit, staleness, name } = pages;
  return {
    id: 'staleness',
    title: 'Staleness against change rate',
    draw: (width) =>
      chart(width, {
        x: rateAxis(pages),
        y: { label: 'share of time stale', domain: [0, 1], tickFormat: (share: number) => percent(share) },
        marks: [
          Plot.ruleY([0], { stroke: ink.muted }),
          ...dots(
            {
              x: rate,
              y: staleness,
              colors: [ink.orange],
              title: (i) =>
                `${name(i)}\n${figure(rate[i])} changes per ${unit}\nstale ${percent(staleness[i])} of the time`,
            },
            { logX: true, radius: 4 },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** Two pages at least, of which more than one rate is known: fewer show nothing. */
const tells = (values: Float64Array): boolean => new Set(values.filter(Number.isFinite)).size > 1;

export const byChangeRate: Pictures = ({ request, answer }: Answered) => {
  const answered = at(answer.solution, 'pages');
  const staleness = column(answered, 'staleness');
  if (rowCount(answered) < 2 || !staleness.some(Number.isFinite)) return [];
  const inSeconds = at(request, 'now') !== undefined;
  const rate = changeRates(request, answered).map((each) => (inSeconds ? day * each : each));
  if (!tells(rate)) return [];
  const named = rowCount(request.pages) === staleness.length ? request.pages : answered;
  const pages: Pages = { rate, unit: inSeconds ? 'day' : 'time unit', staleness, name: (row) => nameOf(named, row) };
  const measure = kinds.find(({ name }) => column(answered, name).some(Number.isFinite));
  const values = measure && column(answered, measure.name).map((each) => each * (measure.scale ?? 1));
  return [
    ...(measure && values && values.length === rate.length ? [measurePicture(measure, values, pages)] : []),
    stalenessPicture(pages),
  ];
};
