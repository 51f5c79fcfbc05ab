/** Estimated rates with their intervals, in order of rate; a band where there are too many to tell apart. */

import { day } from '../../../schemas/words/durations.ts';
import { figure } from '../../../schemas/words/numbers.ts';
import { at, cells, column, number } from '../../api/read.ts';
import { chart, ink, level, logAxis, Plot, rule, wholeTicks, widened } from '../frame/chart.ts';
import { extent } from '../frame/dots.ts';
import { nameOf } from '../frame/names.ts';
import type { Pictures } from '../frame/picture.ts';
import { whiskers, withinDomain } from '../frame/whiskers.ts';

/** Most pages that have their names beside them, and that have marks of their own. */
const mostNamed = 24;
const mostWhiskers = 120;

interface Rate {
  readonly rank: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly page: number;
}

/** The columns of the rates, and what they are multiplied by to be in the unit of the picture. */
interface RateColumns {
  readonly rate: string;
  readonly interval: string;
  readonly scale?: number;
}

/** Pages sorted by rate, thinned to about five hundred. */
function sortedRates(table: unknown, names: RateColumns): Rate[] {
  const { scale = 1 } = names;
  const rate = column(table, names.rate).map((each) => scale * each);
  const interval = cells(table, names.interval);
  const order = Array.from(rate, (_, i) => i).sort((a, b) => rate[a] - rate[b]);
  const every = Math.max(1, Math.floor(order.length / 500));
  return order.flatMap((page, rank) =>
    rank % every === 0
      ? [
          {
            rank,
            rate: rate[page],
            low: scale * number(interval[page], 0),
            high: scale * number(interval[page], 1),
            page,
          },
        ]
      : [],
  );
}

/** The mean that the rates are drawn to; undefined where nothing draws them. */
type PriorMean = number | undefined;

const priorLabel = (mean: number): string => `prior mean ${figure(mean)}`;

/** Every page under the other, the fastest first. */
function namedRates(
  width: number,
  rates: readonly Rate[],
  axis: { readonly domain: readonly [number, number]; readonly label: string },
  name: (page: number) => string,
  mean: PriorMean,
): Element {
  const rows = rates.toReversed().map(({ page, rate, low, high }) => ({ name: name(page), value: rate, low, high }));
  return whiskers(width, rows, axis, mean === undefined ? [] : rule(mean, priorLabel(mean), ink.violet));
}

/** The rates by their place in the order; single pages as long as these can be told apart. */
function rankedRates(
  rates: readonly Rate[],
  few: boolean,
  title: (each: Rate) => string,
  mean: PriorMean,
): Plot.Markish[] {
  const marks = few
    ? [
        Plot.ruleX(rates, {
          x: 'rank',
          y1: 'low',
          y2: 'high',
          stroke: ink.blue,
          strokeOpacity: 0.4,
          strokeWidth: 2.5,
        }),
        Plot.dot(rates, { x: 'rank', y: 'rate', fill: ink.blue, r: 4, title, tip: true }),
      ]
    : [
        Plot.areaY(rates, { x: 'rank', y1: 'low', y2: 'high', fill: ink.blue, fillOpacity: 0.2 }),
        Plot.lineY(rates, { x: 'rank', y: 'rate', stroke: ink.blue, strokeWidth: 2 }),
      ];
  return [...marks, ...(mean === undefined ? [] : level(mean, priorLabel(mean), ink.violet))];
}

/** The estimated rates of the pages of an answer, in order with their intervals. */
export const estimatedRates: Pictures = ({ request, answer }) => {
  const table = at(answer.solution, 'pages');
  const isPlan = cells(table, 'changeRateInterval').some(Array.isArray);
  if (!isPlan && !cells(table, 'interval').some(Array.isArray)) return [];
  const names: RateColumns = isPlan
    ? { rate: 'changeRate', interval: 'changeRateInterval', scale: day }
    : { rate: 'rate', interval: 'interval' };
  const prior = at(answer.solution, 'prior');
  const drawnTo = number(prior, 'shape') / number(prior, 'rate');
  const mean = Number.isFinite(drawnTo) ? drawnTo : undefined;
  const label = isPlan ? 'changes per day' : 'changes per time unit';
  const name = (page: number): string => nameOf(request.pages, page);
  const rates = sortedRates(table, names);
  const all = column(table, names.rate).map((each) => (names.scale ?? 1) * each);
  const finite = rates.flatMap(({ rate, low, high }) => [rate, low, high]).filter((each) => each > 0);
  const domain = widened(extent(finite, true), 1.4);
  const few = rates.length <= mostWhiskers;
  const title = ({ page, rate, low, high }: Rate): string =>
    `${name(page)}\n${figure(rate)} (${figure(low)} to ${figure(high)})`;
  const ranked = (width: number): Element =>
    chart(width, {
      x: {
        label: 'pages, by estimated rate',
        domain: [-0.5, Math.max(0.5, all.length - 0.5)],
        ticks: wholeTicks(0, all.length - 1, 8),
      },
      y: logAxis(domain, label),
      marks: rankedRates(withinDomain(rates, domain), few, title, mean),
    });
  return [
    {
      id: 'rates',
      title: 'Estimated rates with their intervals, in order',
      wide: true,
      ...(rates.length <= mostNamed &&
        rates.some(({ low, high }) => !(low > 0) || !Number.isFinite(high)) && {
          note: 'An arrow: the interval goes on, to 0 or without an end.',
        }),
      keys: [
        { label: 'estimate', color: ink.blue, shape: few ? 'dot' : 'line' },
        { label: 'interval', color: ink.blue, shape: 'band' },
      ],
      draw: (width) =>
        rates.length <= mostNamed ? namedRates(width, rates, { domain, label }, name, mean) : ranked(width),
    },
  ];
};
