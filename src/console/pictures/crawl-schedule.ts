/** crawl-schedule: who fetches what when, and how far the schedule is from its bound and from plain counts. */
import { figure } from '../format.ts';
import { bars, chart, ink, Plot } from './chart.ts';
import { clashBars } from './clash.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { at, column, list, nameOf, number, text } from './read.ts';

const mostDrawn = 4000;
const mostCrawlers = 40;

function timeline({ request, answer }: Answered): Picture {
  const crawlers = list(request, 'crawlers').slice(0, mostCrawlers);
  const names = crawlers.map((each, k) => text(each, 'id') || `crawler ${k}`);
  const interval = number(request, 'interval');
  const schedule = at(answer.solution, 'schedule');
  const [time, crawler, page] = ['time', 'crawler', 'page'].map((name) => column(schedule, name));
  const placed = Array.from(time.keys()).filter((k) => crawler[k] < names.length);
  const every = Math.ceil(placed.length / mostDrawn);
  const drawn = placed.filter((_, k) => k % every === 0);
  return {
    id: 'schedule',
    title: 'Crawlers and their slots over the interval',
    wide: true,
    keys: [{ label: 'fetch', color: ink.blue, shape: 'square' }],
    note: every > 1 ? `One in ${figure(every)} fetches is drawn.` : undefined,
    draw: (size) =>
      chart(size, {
        height: Math.max(130, 66 + Math.min(34, 300 / names.length + 14) * names.length),
        marginLeft: Math.min(160, 24 + 7 * Math.max(...names.map((name) => name.length))),
        x: { label: 'time', domain: [0, interval] },
        y: { type: 'band', label: null, domain: names, padding: 0.25 },
        marks: [
          Plot.rect(drawn, {
            x1: (k: number) => time[k],
            x2: (k: number) => time[k] + interval / number(crawlers[crawler[k]], 'slots'),
            y: (k: number) => names[crawler[k]],
            fill: ink.blue,
            inset: drawn.length > 600 ? 0 : 1,
            className: 'fetches',
            title: (k: number) => `${nameOf(request.pages, page[k])}\nat ${figure(time[k])} on ${names[crawler[k]]}`,
            tip: drawn.length <= 600,
          }),
        ],
      }),
  };
}

function compared({ answer }: Answered): Picture {
  const data = [
    { label: 'times free: a bound', value: number(answer, 'bounds', 'freeTimes'), color: ink.grey },
    { label: 'on these slots: the bound', value: number(answer.objective, 'bound'), color: ink.grey },
    { label: 'this schedule', value: number(answer.objective, 'value'), color: ink.blue },
    { label: 'equal counts, times free', value: number(answer, 'baselines', 'uniform'), color: ink.orange },
    { label: 'by update rate, times free', value: number(answer, 'baselines', 'proportional'), color: ink.orange },
  ].map((each) => ({ ...each, text: figure(each.value) }));
  return {
    id: 'baselines',
    title: 'Staleness by weight: the schedule, its bound, and plain counts',
    draw: (width) => bars(width, data, 'Σ weight·staleness'),
  };
}

/** What is asked for beside what there is: where the bars of demand pass those of supply, there is no schedule. */
function clash({ answer: { conflict } }: Answered): Picture {
  const data = [
    { label: 'crawls to make', value: number(conflict, 'crawls'), color: ink.red },
    { label: 'fewest that limits allow', value: number(conflict, 'least'), color: ink.orange },
    { label: 'most that limits allow', value: number(conflict, 'most'), color: ink.green },
    { label: 'slots', value: number(conflict, 'slots'), color: ink.blue },
  ];
  return clashBars(conflict, 'What is asked for, and what there is', data, 'crawls');
}

export const crawlSchedule: Illustrator = {
  pictures(answered) {
    if (answered.answer.conflict) return [clash(answered)];
    return answered.answer.solution ? [timeline(answered), compared(answered)] : [];
  },
};
