/** The estimates: what was observed beside what was fitted. */

import { figure } from '../format.ts';
import { type Bar, bars, chart, ink, Plot, wholeTick, wholeTicks } from './chart.ts';
import type { Illustrator, Picture } from './picture.ts';
import { ratesWithIntervals } from './rates.ts';
import { at, column, list, nameOf, number, numbers, text } from './read.ts';
import { lawOf, survivalPicture } from './survival.ts';

/** Observed beside fitted, each pair relative to what was observed. */
function pairs(data: readonly { name: string; observed: number; fitted: number }[]): Bar[] {
  return data.flatMap(({ name, observed, fitted }) => [
    { label: `${name}, observed`, value: 1, text: figure(observed, 5), color: ink.grey },
    { label: `${name}, fitted`, value: fitted / observed, text: figure(fitted, 5), color: ink.orange },
  ]);
}

const phaseBins = 24;

/** When in the period the updates came: a histogram of their phases, and the phase the answer proposes. */
function phasePicture(gaps: readonly number[], periodicity: unknown): Picture[] {
  const period = number(periodicity, 'period');
  if (!(period > 0)) return [];
  let time = 0;
  const bins = new Array<number>(phaseBins).fill(0);
  for (const gap of [0, ...gaps]) {
    time += gap;
    bins[Math.min(phaseBins - 1, Math.floor(((time % period) / period) * phaseBins))]++;
  }
  const width = period / phaseBins;
  const proposed = at(periodicity, 'proposed') === true;
  return [
    {
      id: 'phases',
      title: proposed ? 'When in the period the updates come' : 'The best period found, not strong enough to propose',
      note: `Period ${figure(period)}, strength ${figure(number(periodicity, 'strength'), 3)}, p ${figure(number(periodicity, 'pValue'), 2)}; counted from the first update.`,
      draw: (size) =>
        chart(size, {
          x: { label: 'time since the start of the period', domain: [0, period] },
          y: { label: 'updates', tickFormat: wholeTick },
          marks: [
            Plot.rectY(bins, {
              x1: (_, bin: number) => bin * width,
              x2: (_, bin: number) => (bin + 1) * width,
              y: (count: number) => count,
              fill: ink.blue,
              inset: 0.5,
            }),
            ...(proposed
              ? [
                  Plot.ruleX([number(periodicity, 'phase')], {
                    stroke: ink.orange,
                    strokeWidth: 2,
                    strokeDasharray: '4 3',
                  }),
                ]
              : []),
            Plot.ruleY([0], { stroke: ink.muted }),
          ],
        }),
    },
  ];
}

/** How well a candidate fits, by what its data allow to be said. */
const fitOf = (candidate: unknown): string =>
  at(candidate, 'ks') === undefined
    ? `held out ${figure(number(candidate, 'heldOut'), 3)}`
    : `KS ${figure(number(candidate, 'ks'), 3)}`;

export const updateProcess: Illustrator = {
  pictures({ request, answer }) {
    const candidates = list(answer.solution, 'candidates');
    const fitted = candidates.slice(0, 4).flatMap((candidate) => {
      const law = lawOf(at(candidate, 'distribution'));
      return law ? [{ label: text(candidate, 'distribution', 'type'), law }] : [];
    });
    const best = number(candidates[0], 'aic');
    const ranked = candidates.map((candidate, k) => ({
      label: text(candidate, 'distribution', 'type'),
      value: number(candidate, 'aic') - best,
      text: `+${figure(number(candidate, 'aic') - best, 3)}  (${fitOf(candidate)})`,
      color: k === 0 ? ink.green : ink.blue,
    }));
    return [
      survivalPicture(
        numbers(request, 'gaps'),
        fitted,
        at(request, 'gaps') === undefined
          ? 'Gaps between changes: the fitted laws'
          : 'Gaps between changes: observed and fitted',
      ),
      {
        id: 'candidates',
        title: 'The candidates, by Akaike information criterion over the best',
        draw: (width) => bars(width, ranked, 'AIC over the best'),
      },
      ...phasePicture(numbers(request, 'gaps'), answer.solution?.periodicity),
    ];
  },
  headline: ({ request, answer: { solution } }) => [
    at(request, 'gaps') === undefined
      ? ['pages', figure(list(request, 'pages').length)]
      : ['gaps', figure(list(request, 'gaps').length)],
    ['best fit', text(solution, 'candidates', 0, 'distribution', 'type')],
    ['log-likelihood', figure(number(solution, 'candidates', 0, 'logLikelihood'))],
  ],
};

export const arrivalProcess: Illustrator = {
  pictures({ answer: { solution } }) {
    const observed = numbers(solution, 'observed', 'correlations');
    const fitted = numbers(solution, 'fitted', 'correlations');
    const lags = observed.map((value, i) => ({ lag: i + 1, observed: value, fitted: fitted[i] }));
    const batches = list(solution, 'batchSizes').map((batch) => ({
      size: number(batch, 'size'),
      probability: number(batch, 'probability'),
    }));
    const moments = ['mean', 'variance'].map((name) => ({
      name,
      observed: number(solution, 'observed', name),
      fitted: number(solution, 'fitted', name),
    }));
    return [
      {
        id: 'correlations',
        title: 'Correlation of gaps by lag',
        keys: [
          { label: 'observed', color: ink.text, shape: 'dot' },
          { label: 'fitted', color: ink.orange, shape: 'line' },
        ],
        draw: (width) =>
          chart(width, {
            x: { label: 'lag (gaps)', domain: [0.5, lags.length + 0.5], ticks: wholeTicks(1, lags.length) },
            y: { label: 'correlation', nice: true },
            marks: [
              Plot.ruleY([0], { stroke: ink.muted }),
              Plot.line(lags, { x: 'lag', y: 'fitted', stroke: ink.orange, strokeWidth: 1.75 }),
              Plot.dot(lags, { x: 'lag', y: 'observed', fill: ink.text, r: 4 }),
            ],
          }),
      },
      {
        id: 'batch-sizes',
        title: 'Batch sizes',
        draw: (width) =>
          chart(width, {
            x: {
              label: 'pages in a batch',
              domain: [0.5, Math.max(1, ...batches.map(({ size }) => size)) + 0.5],
              ticks: wholeTicks(1, Math.max(1, ...batches.map(({ size }) => size))),
            },
            y: { label: 'probability' },
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
      },
      {
        id: 'moments',
        title: 'Gaps: observed and fitted',
        draw: (width) => bars(width, pairs(moments), 'relative to the observed'),
      },
    ];
  },
  headline: ({ answer: { solution } }) => [
    ['mean gap', figure(number(solution, 'observed', 'mean'))],
    ['variance', figure(number(solution, 'observed', 'variance'))],
    ['largest batch', figure(Math.max(1, ...list(solution, 'batchSizes').map((batch) => number(batch, 'size'))))],
  ],
};

const momentsOf = (value: unknown): number[] => {
  const own = Array.isArray(value) ? numbers(value) : numbers(value, 'moments');
  return own.length > 0 ? own : ['mean', 'variance', 'scv'].map((name) => number(value, name));
};

export const serviceTime: Illustrator = {
  pictures({ request, answer }) {
    const law = lawOf(answer.solution?.distribution);
    if (law === null) return [];
    const scale = number(request, 'scale');
    const divisor = Number.isFinite(scale) ? scale : 1;
    const sample = numbers(request, 'sample').map((value) => value / divisor);
    const observed = momentsOf(answer.solution?.observed);
    const fitted = momentsOf(answer.solution?.fitted);
    const moments = observed.map((value, i) => ({ name: `moment ${i + 1}`, observed: value, fitted: fitted[i] }));
    return [
      survivalPicture(
        sample,
        [{ label: `fitted: ${text(answer.solution?.distribution, 'type')}`, law }],
        sample.length > 0 ? 'Indexing time: observed and fitted' : 'Indexing time: the fitted law',
      ),
      {
        id: 'moments',
        title: 'Moments: observed and fitted',
        draw: (width) => bars(width, pairs(moments), 'relative to the observed'),
      },
    ];
  },
  headline: ({ answer: { solution } }) => {
    const law = lawOf(solution?.distribution);
    return [
      ['law', text(solution, 'distribution', 'type')],
      ['mean', figure(law?.mean)],
      ['squared coefficient of variation', figure(law ? law.secondMoment / law.mean ** 2 - 1 : Number.NaN)],
    ];
  },
};

export const embarrassmentWeights: Illustrator = {
  pictures({ request, answer }) {
    const { solution } = answer;
    const weights = numbers(solution, 'weights');
    const found = weights.length > 0 ? Float64Array.from(weights) : column(solution?.pages, 'weight');
    const order = Array.from(found, (_, i) => i).sort((a, b) => found[b] - found[a]);
    const ids = list(solution, 'ids');
    const name = (page: number): string => (typeof ids[page] === 'string' ? ids[page] : nameOf(request.pages, page));
    const data = order.slice(0, 30).map((page) => ({ label: name(page), value: found[page] }));
    return [
      {
        id: 'weights',
        title:
          data.length < found.length
            ? `The ${figure(data.length)} heaviest of ${figure(found.length)} pages`
            : 'Weight of each page',
        wide: true,
        draw: (width) => bars(width, data, 'weight (expected embarrassments per query)'),
      },
    ];
  },
  headline: ({ answer: { solution } }) => [['pages', figure(list(solution, 'weights').length)]],
};

export const changeRates: Illustrator = {
  pictures({ request, answer }) {
    const { pages } = answer.solution ?? {};
    if (pages === undefined) return [];
    const prior = at(answer.solution, 'prior');
    const mean = number(prior, 'shape') / number(prior, 'rate');
    return ratesWithIntervals(
      pages,
      { rate: 'rate', interval: 'interval' },
      'changes per time unit',
      (i) => nameOf(request.pages, i),
      Number.isFinite(mean) ? mean : undefined,
    );
  },
  headline: ({ answer: { solution } }) => {
    const rate = column(solution?.pages, 'rate').sort();
    const sum = (name: string): string => figure(column(solution?.pages, name).reduce((a, b) => a + b, 0));
    return [
      ['pages', figure(rate.length)],
      ['median rate', figure(rate[rate.length >> 1])],
      ['checks', sum('checks')],
      ['changes seen', sum('changes')],
    ];
  },
};
