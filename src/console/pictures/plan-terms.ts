/**
 * What a crawl-plan was told beside checks: the signals of changes that came, and what fetches cost against the budget.
 */
import { figure, percent } from '../format.ts';
import { chart, ink, Plot, rule } from './chart.ts';
import type { Answered, Picture } from './picture.ts';
import { cells, column, nameOf, number, rowCount } from './read.ts';
import { spendingOverTime } from './spending.ts';

const mostPages = 30;

/** The pictures of what was given; none where nothing was. */
export function termsPictures(answered: Answered): Picture[] {
  const told = pagesWithSignals(answered.request);
  return [
    ...(told.length === 0 ? [] : [signalsByPage(answered, told)]),
    ...(Number.isFinite(number(answered.request, 'budget')) ? [spending(answered)] : []),
  ];
}

function pagesWithSignals(request: Answered['request']): number[] {
  const signals = cells(request.pages, 'signals');
  return [...signals.keys()].filter((i) => Array.isArray(signals[i]));
}

/** Every page's signals about its last fetch, and when it is fetched next. */
function signalsByPage({ request, answer }: Answered, told: readonly number[]): Picture {
  const now = number(request, 'now');
  const last = column(request.pages, 'lastCrawl');
  const next = column(answer.solution?.pages, 'nextFetch');
  const staleness = column(answer.solution?.pages, 'staleness');
  const signals = cells(request.pages, 'signals');
  const shown = told.slice(0, mostPages);
  const names = shown.map((i) => nameOf(request.pages, i));
  const hours = (time: number): number => (time - now) / 3600;
  // what came since the fetch before the longest wait is what the picture is about
  const earliest = Math.min(0, ...shown.map((i) => 1.5 * hours(last[i])).filter((each) => Number.isFinite(each)));
  const latest = Math.max(1, ...shown.map((i) => hours(next[i])).filter((each) => Number.isFinite(each)));
  const came = shown.flatMap((i, lane) => {
    const times = signals[i];
    const all = Array.isArray(times) ? times.filter((time) => typeof time === 'number') : [];
    return all
      .map((time) => ({ page: names[lane], hours: hours(time), fresh: !(time <= last[i]) }))
      .filter((each) => each.hours >= earliest);
  });
  const fetches = (times: Float64Array): { page: string; hours: number; stale: number }[] =>
    shown
      .map((i, lane) => ({ page: names[lane], hours: hours(times[i]), stale: staleness[i] }))
      .filter((each) => Number.isFinite(each.hours));
  return {
    id: 'signals',
    title: 'Signals of changes, and what they bring forward',
    wide: true,
    keys: [
      { label: 'a signal since the last fetch', color: ink.orange, shape: 'line' },
      { label: 'an earlier one', color: ink.grey, shape: 'line' },
      { label: 'the last fetch', color: ink.blue, shape: 'dot' },
      { label: 'the next', color: ink.green, shape: 'dot' },
    ],
    ...(told.length > mostPages && { note: `The first ${mostPages} of ${figure(told.length)} pages with signals.` }),
    draw: (width) =>
      chart(width, {
        height: 70 + 22 * shown.length,
        marginLeft: Math.min(220, 26 + 7 * Math.max(...names.map((name) => name.length))),
        x: { label: 'hours from now', domain: [earliest, latest] },
        y: { type: 'band', label: null, domain: names, padding: 0.2 },
        marks: [
          ...rule(0, 'now'),
          Plot.tickX(came, {
            x: 'hours',
            y: 'page',
            stroke: ({ fresh }) => (fresh ? ink.orange : ink.grey),
            strokeWidth: 2,
            className: 'signals',
          }),
          Plot.dot(fetches(last), { x: 'hours', y: 'page', fill: ink.blue, r: 4 }),
          Plot.dot(fetches(next), {
            x: 'hours',
            y: 'page',
            fill: ink.green,
            r: 4,
            title: ({ page, stale }) => `${page}\nstale ${percent(stale)} of the interval`,
          }),
        ],
        color: { type: 'identity' },
      }),
  };
}

function spending(answered: Answered): Picture {
  const { request } = answered;
  const budget = number(request, 'budget');
  const end = number(request, 'interval') / 3600;
  const fetches = spendingOverTime(answered);
  const even = [
    { hours: 0, spent: 0 },
    { hours: end, spent: budget },
  ];
  return {
    id: 'spending',
    title: 'What is spent, fetch by fetch',
    keys: [
      { label: 'expected cost of the fetches', color: ink.blue, shape: 'line' },
      { label: 'the budget, given out evenly', color: ink.orange, shape: 'line' },
    ],
    note: `${figure(fetches.at(-1)?.spent ?? 0)} of ${figure(budget)} for ${figure(rowCount(answered.answer.solution?.schedule))} fetches.`,
    draw: (width) =>
      chart(width, {
        x: { label: 'hours from now', domain: [0, end] },
        y: { label: 'spent, in the unit of the budget', zero: true },
        marks: [
          Plot.line(even, { x: 'hours', y: 'spent', stroke: ink.orange, strokeDasharray: '4 3' }),
          Plot.line(fetches, { x: 'hours', y: 'spent', stroke: ink.blue, strokeWidth: 2, curve: 'step-after' }),
        ],
        color: { type: 'identity' },
      }),
  };
}
