/** How pages arrive: the correlation of the gaps between batches, and the sizes of the batches. */

import { figure } from '../../../words/numbers.ts';
import { list, number, numbers } from '../../api/read.ts';
import { chart, ink, Plot, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

/** Observed beside fitted; fitted correlations that miss most of the observed ones are said to. */
function correlations(observed: readonly number[], fitted: readonly number[]): Picture {
  const lags = observed.map((value, i) => ({ lag: i + 1, observed: value, fitted: fitted[i] }));
  const furthest = Math.max(...lags.map((each) => Math.abs(each.observed - each.fitted)));
  const largest = Math.max(...lags.map((each) => Math.abs(each.observed)));
  const miss = furthest > 0.5 * largest;
  return {
    id: 'correlations',
    title: 'Correlation of gaps by lag',
    keys: [
      { label: 'observed', color: ink.text, shape: 'dot' },
      { label: 'fitted', color: ink.orange, shape: 'line' },
    ],
    ...(miss && {
      note: `The fitted process does not have these correlations: it misses them by up to ${figure(furthest, 2)}.`,
    }),
    draw: (width) =>
      chart(width, {
        x: { label: 'lag (gaps)', domain: [0.5, lags.length + 0.5], ticks: wholeTicks(1, lags.length) },
        y: { label: 'correlation', nice: true },
        marks: [
          Plot.ruleY([0], { stroke: ink.muted }),
          Plot.line(lags, { x: 'lag', y: 'fitted', stroke: ink.orange, strokeWidth: 1.75 }),
          Plot.dot(lags, { x: 'lag', y: 'fitted', fill: ink.orange, r: 2.5 }),
          Plot.dot(lags, { x: 'lag', y: 'observed', fill: ink.text, r: 4 }),
        ],
      }),
  };
}

function batchSizes(batches: readonly { readonly size: number; readonly probability: number }[]): Picture {
  const largest = Math.max(1, ...batches.map(({ size }) => size));
  return {
    id: 'batch-sizes',
    title: 'Batch sizes',
    draw: (width) =>
      chart(width, {
        x: { label: 'pages in a batch', domain: [0.5, largest + 0.5], ticks: wholeTicks(1, largest) },
        y: { label: 'probability', zero: true },
        marks: [
          Plot.rectY(batches, {
            x1: ({ size }) => size - 0.5,
            x2: ({ size }) => size + 0.5,
            y: 'probability',
            fill: ink.blue,
            inset: 1,
          }),
          Plot.ruleY([0], { stroke: ink.muted }),
        ],
      }),
  };
}

export const arrivals: Pictures = ({ answer: { solution } }) => {
  const observed = numbers(solution, 'observed', 'correlations');
  const batches = list(solution, 'batchSizes').map((batch) => ({
    size: number(batch, 'size'),
    probability: number(batch, 'probability'),
  }));
  return [
    ...(observed.length > 0 ? [correlations(observed, numbers(solution, 'fitted', 'correlations'))] : []),
    ...(batches.length > 1 ? [batchSizes(batches)] : []),
  ];
};
