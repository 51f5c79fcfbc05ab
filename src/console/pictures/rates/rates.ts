/** Estimated rates with their intervals, the fastest first. */

import { day } from '../../../schemas/words/durations.ts';
import { figure } from '../../../schemas/words/numbers.ts';
import { cells, column, numberAt, valueAt } from '../../api/read.ts';
import { extent, ink, rule, widenDomain } from '../frame/chart.ts';
import { nameOf } from '../frame/names.ts';
import type { Pictures } from '../frame/picture.ts';
import { whiskers } from '../frame/whiskers.ts';

/** The other pages are in the table. */
const maxPages = 24;

/** The estimated rates of the pages of an answer, with their intervals. */
export const estimatedRates: Pictures = ({ request, answer }) => {
  const table = valueAt(answer.solution, 'pages');
  const isPlan = cells(table, 'changeRateInterval').some(Array.isArray);
  if (!isPlan && !cells(table, 'interval').some(Array.isArray)) return [];
  const scale = isPlan ? day : 1;
  const rate = column(table, isPlan ? 'changeRate' : 'rate').map((each) => scale * each);
  const interval = cells(table, isPlan ? 'changeRateInterval' : 'interval');
  const rows = Array.from(rate.keys())
    .sort((a, b) => rate[b] - rate[a])
    .slice(0, maxPages)
    .map((page) => ({
      name: nameOf(request.pages, page),
      value: rate[page],
      low: scale * numberAt(interval[page], 0),
      high: scale * numberAt(interval[page], 1),
    }));
  const finite = rows.flatMap(({ value, low, high }) => [value, low, high]).filter((each) => each > 0);
  const domain = widenDomain(extent(finite, true), 1.4);
  const prior = valueAt(answer.solution, 'prior');
  const mean = numberAt(prior, 'shape') / numberAt(prior, 'rate');
  return [
    {
      id: 'rates',
      title: `Estimated rates with their intervals${rows.length < rate.length ? `, the ${maxPages} fastest of ${figure(rate.length)}` : ''}`,
      wide: true,
      ...(rows.some(({ low, high }) => !(low > 0) || !Number.isFinite(high)) && {
        note: 'An interval at the edge goes on, to 0 or without an end.',
      }),
      keys: [
        { label: 'estimate', color: ink.blue, shape: 'dot' },
        { label: 'interval', color: ink.blue, shape: 'band' },
      ],
      draw: (width) =>
        whiskers(
          width,
          rows,
          { domain, label: isPlan ? 'changes per day' : 'changes per time unit' },
          Number.isFinite(mean) ? rule(mean, `prior mean ${figure(mean)}`, ink.violet) : [],
        ),
    },
  ];
};
