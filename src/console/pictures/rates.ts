/** Estimated rates with their intervals, in order of rate; a band where there are too many to tell apart. */
import { figure } from '../format.ts';
import { widened } from './access-frequencies.ts';
import { chart, ink, logAxis, Plot, wholeTick, wholeTicks } from './chart.ts';
import { extent } from './dots.ts';
import type { Picture } from './picture.ts';
import { cells, column, number } from './read.ts';

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

/** The pictures of estimated rates: sorted with their intervals, and how they are spread. */
export function ratesWithIntervals(
  table: unknown,
  names: RateColumns,
  label: string,
  name: (page: number) => string,
  extra: readonly Plot.Markish[] = [],
): Picture[] {
  const rates = sortedRates(table, names);
  const all = column(table, names.rate).map((each) => (names.scale ?? 1) * each);
  const finite = rates.flatMap(({ rate, low, high }) => [rate, low, high]).filter((each) => each > 0);
  const domain = widened(extent(finite, true), 1.4);
  // An interval that reaches 0 or has no upper end runs to the edge of the picture.
  const shown = rates.map((each) => ({
    ...each,
    low: each.low > 0 ? each.low : domain[0],
    high: Number.isFinite(each.high) ? each.high : domain[1],
  }));
  const few = shown.length <= mostWhiskers;
  const bins = Plot.binX({ y: 'count' }, { x: (rate: number) => Math.log10(rate), thresholds: 30 });
  return [
    {
      id: 'rates',
      title: 'Estimated rates with their intervals, in order',
      wide: true,
      keys: [
        { label: 'estimate', color: ink.blue, shape: few ? 'dot' : 'line' },
        { label: 'interval', color: ink.blue, shape: 'band' },
      ],
      draw: (width) =>
        chart(width, {
          x: {
            label: 'pages, by estimated rate',
            domain: [-0.5, Math.max(0.5, all.length - 0.5)],
            ticks: wholeTicks(0, all.length - 1, 8),
          },
          y: logAxis(domain, label),
          marks: [
            ...(few
              ? [
                  Plot.ruleX(shown, {
                    x: 'rank',
                    y1: 'low',
                    y2: 'high',
                    stroke: ink.blue,
                    strokeOpacity: 0.4,
                    strokeWidth: few && shown.length < 30 ? 5 : 2.5,
                  }),
                  Plot.dot(shown, {
                    x: 'rank',
                    y: 'rate',
                    fill: ink.blue,
                    r: 4,
                    title: (each: Rate) =>
                      `${name(each.page)}\n${figure(each.rate)} (${figure(each.low)} to ${figure(each.high)})`,
                    tip: true,
                  }),
                ]
              : [
                  Plot.areaY(shown, { x: 'rank', y1: 'low', y2: 'high', fill: ink.blue, fillOpacity: 0.2 }),
                  Plot.lineY(shown, { x: 'rank', y: 'rate', stroke: ink.blue, strokeWidth: 2 }),
                ]),
            ...extra,
          ],
        }),
    },
    ...(all.length >= 20
      ? [
          {
            id: 'rate-histogram',
            title: 'How the rates are spread',
            draw: (width: number) =>
              chart(width, {
                x: { label: `log₁₀ of ${label}` },
                y: { label: 'pages', tickFormat: wholeTick },
                marks: [
                  Plot.rectY(all, { ...bins, fill: ink.blue, inset: 0.5 }),
                  Plot.ruleY([0], { stroke: ink.muted }),
                ],
              }),
          },
        ]
      : []),
  ];
}
