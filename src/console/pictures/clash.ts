/** What clashes where an operation has no solution: what is asked for beside what there is. */
import { figure } from '../format.ts';
import { type Bar, bars, chart, ink, Plot, wholeTick } from './chart.ts';
import type { Answered, Picture } from './picture.ts';
import { cells, column, list, nameOf, number, text } from './read.ts';

const secondsPerHour = 3600;
const mostDue = 4000;

/** crawl-plan: fetches due so that no page waits longer than it may, against the slots there are, by time. */
function dueAgainstSlots({ request, answer }: Answered): Picture[] {
  const by = number(answer.conflict, 'by');
  const now = number(request, 'now');
  const interval = number(request, 'interval');
  const general = number(request, 'maxInterval');
  const own = column(request.pages, 'maxInterval', general);
  const last = column(request.pages, 'lastCrawl', now);
  const concerned = list(answer.conflict, 'pages').filter((page) => typeof page === 'number');
  const due = concerned
    .flatMap((page) => {
      const times: { at: number; name: string }[] = [];
      const longest = own[page];
      for (let at = last[page] + longest; longest > 0 && at <= now + interval; at += longest) {
        times.push({ at: Math.max(0, at - now) / secondsPerHour, name: nameOf(request.pages, page) });
        if (times.length >= mostDue / concerned.length) break;
      }
      return times;
    })
    .sort((a, b) => a.at - b.at)
    .map((each, i) => ({ ...each, count: i + 1 }));
  if (!Number.isFinite(by) || due.length === 0) return [];
  const slots = number(request, 'crawls') || cells(request.crawlers, 'slots').reduce<number>(add, 0);
  const end = interval / secondsPerHour;
  const supply = Array.from({ length: Math.min(slots, mostDue) }, (_, k) => ({ at: (k * end) / slots, count: k + 1 }));
  const clashAt = (by - now) / secondsPerHour;
  return [
    {
      id: 'clash',
      title: 'Where it clashes: fetches due against slots',
      wide: true,
      keys: [
        { label: 'fetches due by then, so that no page waits too long', color: ink.red, shape: 'line' },
        { label: 'slots by then', color: ink.green, shape: 'line' },
        { label: 'the clash', color: ink.text, shape: 'dash' },
      ],
      draw: (width) =>
        chart(width, {
          x: { label: 'hours from now', domain: [0, end] },
          y: { label: 'fetches', tickFormat: wholeTick, zero: true },
          marks: [
            Plot.ruleX([clashAt], { stroke: ink.text, strokeDasharray: '4 3' }),
            Plot.line([{ at: 0, count: 0 }, ...supply, { at: end, count: slots }], {
              x: 'at',
              y: 'count',
              curve: 'step-after',
              stroke: ink.green,
              strokeWidth: 2,
            }),
            Plot.line([{ at: 0, count: 0 }, ...due, { at: end, count: due.length }], {
              x: 'at',
              y: 'count',
              curve: 'step-after',
              stroke: ink.red,
              strokeWidth: 2,
            }),
            Plot.ruleY([0], { stroke: ink.muted }),
          ],
        }),
    },
  ];
}

const add = (sum: number, each: unknown): number => sum + (typeof each === 'number' ? each : 0);

/** What is asked for and what there is, as bars of the conflict's own numbers. */
function askedAndThere({ request, answer }: Answered): Bar[] {
  const { conflict } = answer;
  const red = { color: ink.red };
  const green = { color: ink.green };
  const limits = list(conflict, 'limits').flatMap((each): Bar[] => [
    { label: `${text(each, 'constraint')}, least there is`, value: number(each, 'smallest'), ...red },
    { label: `${text(each, 'constraint')}, allowed`, value: number(each, 'limit'), ...green },
  ]);
  const nearest = list(conflict, 'limits').flatMap((each): Bar[] => [
    {
      label: `${text(each, 'constraint')}, nearest policy`,
      value: number(conflict, 'nearest', 'measures', text(each, 'constraint')),
      color: ink.orange,
    },
  ]);
  const pairs: Bar[] = [
    { label: 'fewest crawls the limits allow', value: number(conflict, 'least'), ...red },
    { label: 'most crawls the limits allow', value: number(conflict, 'most'), color: ink.orange },
    { label: 'crawls', value: number(conflict, 'crawls'), ...red },
    { label: 'slots', value: number(conflict, 'slots'), ...green },
    { label: 'least frequency asked for', value: number(conflict, 'minFrequency'), ...red },
    { label: 'largest there can be', value: number(conflict, 'largestMinFrequency'), ...green },
    { label: 'left side', value: number(conflict, 'left'), ...red },
    { label: 'right side', value: number(conflict, 'right'), ...green },
    { label: 'asked for', value: Number.isFinite(number(conflict, 'least')) ? number(request, 'crawls') : Number.NaN },
  ];
  return [...limits, ...nearest, ...pairs].filter(({ value }) => Number.isFinite(value));
}

/** The picture of a conflict; none where the answer names no numbers. */
export function clashPictures(answered: Answered): Picture[] {
  const { conflict } = answered.answer;
  if (conflict === undefined) return [];
  const due = dueAgainstSlots(answered);
  if (due.length > 0) return due;
  const data = askedAndThere(answered).map((each) => ({ ...each, text: figure(each.value) }));
  const inequality = text(conflict, 'inequality');
  return data.length === 0
    ? []
    : [
        {
          id: 'clash',
          title: inequality === '' ? 'What clashes' : `What clashes: ${inequality}`,
          wide: true,
          draw: (width) => bars(width, data, ''),
        },
      ];
}
