/** access-frequencies: who is accessed how often, and how stale that leaves each page. */
import { figure } from '../format.ts';
import { chart, ink, logAxis, Plot } from './chart.ts';
import { dots, extent } from './dots.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { column, nameOf, number } from './read.ts';

const isStarved = (frequency: number): boolean => frequency === 0;

/** Frequency against change rate; pages that get nothing stand on a line of their own at the bottom. */
function frequencyPicture({ request, answer }: Answered): Picture {
  const { pages } = request;
  const answered = answer.solution?.pages;
  const rate = column(pages, 'changeRate');
  const frequency = column(answered, 'frequency');
  const staleness = column(answered, 'staleness');
  const starved = frequency.reduce((count, each) => count + (isStarved(each) ? 1 : 0), 0);
  const positive = frequency.filter((each) => each > 0);
  const [low, high] = extent(positive, true);
  const floor = low / 3;
  const shown = frequency.map((each) => (isStarved(each) ? floor : each));
  return {
    id: 'frequency',
    title: 'Frequency against change rate',
    keys: [
      { label: 'accessed', color: ink.blue, shape: 'dot' },
      ...(starved > 0 ? [{ label: `never accessed (${figure(starved)})`, color: ink.red, shape: 'dot' as const }] : []),
    ],
    draw: (width) =>
      chart(width, {
        x: logAxis(widened(extent(rate, true)), 'changes per time unit'),
        y: logAxis([starved > 0 ? floor / 1.4 : low / 1.4, high * 1.4], 'share of the accesses'),
        marks: [
          ...(starved > 0
            ? [Plot.ruleY([floor], { stroke: ink.red, strokeOpacity: 0.4, strokeDasharray: '2 3' })]
            : []),
          ...dots(
            {
              x: rate,
              y: shown,
              color: Uint8Array.from(frequency, (each) => (isStarved(each) ? 1 : 0)),
              colors: [ink.blue, ink.red],
              title: (i) =>
                `${nameOf(pages, i)}\nchanges ${figure(rate[i])} a time unit\nfrequency ${figure(frequency[i])}\nstale ${figure(staleness[i])} of the time`,
            },
            { logX: true, logY: true, radius: 4 },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

export const widened = ([low, high]: [number, number], factor = 1.3): [number, number] => [low / factor, high * factor];

/** Staleness against change rate. */
export function stalenessPicture(rate: Float64Array, staleness: Float64Array, name: (i: number) => string): Picture {
  return {
    id: 'staleness',
    title: 'Staleness against change rate',
    draw: (width) =>
      chart(width, {
        x: logAxis(widened(extent(rate, true)), 'changes per time unit'),
        y: { label: 'share of time stale', domain: [0, 1] },
        marks: [
          Plot.ruleY([0], { stroke: ink.muted }),
          ...dots(
            {
              x: rate,
              y: staleness,
              colors: [ink.orange],
              title: (i) =>
                `${name(i)}\nchanges ${figure(rate[i])} a time unit\nstale ${figure(staleness[i])} of the time`,
            },
            { logX: true, radius: 4 },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

export const accessFrequencies: Illustrator = {
  pictures(answered) {
    const { request, answer } = answered;
    if (!answer.solution) return [];
    const rate = column(request.pages, 'changeRate');
    const staleness = column(answer.solution.pages, 'staleness');
    return [frequencyPicture(answered), stalenessPicture(rate, staleness, (i) => nameOf(request.pages, i))];
  },
  headline: ({ request, answer: { solution } }) => [
    ['pages', figure(column(request.pages, 'changeRate').length)],
    ['never accessed', figure(number(solution, 'starved'))],
    ['multiplier λ', figure(number(solution, 'multiplier'))],
  ],
};
