/**
 * crawl-plan: the next interval as a timeline, and how stale the pages are now, under the plan and under uniform
 * crawling.
 */
import { figure, percent, seconds } from '../format.ts';
import { widened } from './access-frequencies.ts';
import { bars, chart, ink, logAxis, Plot } from './chart.ts';
import { clashBars } from './clash.ts';
import { dots, extent } from './dots.ts';
import { learntPictures } from './learnt.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { termsPictures } from './plan-terms.ts';
import { ratesWithIntervals } from './rates.ts';
import { cells, column, list, nameOf, number, rowCount, text } from './read.ts';

const mostDrawn = 4000;
const secondsPerDay = 86_400;

function crawlerNames(request: unknown, crawlers: Float64Array): string[] {
  const given = list(request, 'crawlers');
  const count = Math.max(given.length, 1 + crawlers.reduce((most, each) => Math.max(most, each), 0));
  return Array.from({ length: Math.min(count, 40) }, (_, i) => text(given[i], 'id') || `crawler ${i + 1}`);
}

function timeline({ request, answer }: Answered): Picture {
  const schedule = answer.solution?.schedule;
  const time = column(schedule, 'time');
  const page = column(schedule, 'page');
  const crawler = column(schedule, 'crawler', 0);
  const now = number(request, 'now');
  const interval = number(request, 'interval');
  const names = crawlerNames(request, crawler);
  const rate = column(answer.solution?.pages, 'changeRate');
  const [slowest, fastest] = extent(rate, true);
  const every = Math.max(1, Math.ceil(time.length / mostDrawn));
  const drawn = Array.from(time, (at, i) => ({ hours: (at - now) / 3600, crawler: crawler[i], page: page[i] })).filter(
    (each, i) => i % every === 0 && each.crawler < names.length,
  );
  const speed = (page: number): number => Math.log(rate[page] / slowest) / Math.max(1e-12, Math.log(fastest / slowest));
  return {
    id: 'timeline',
    title: 'The next interval, fetch by fetch',
    wide: true,
    keys: [
      {
        label: 'a fetch, by how often its page changes: seldom to often',
        color: ink.blue,
        to: ink.orange,
        shape: 'gradient',
      },
    ],
    ...(every > 1 && { note: `One in ${figure(every)} of ${figure(time.length)} fetches is drawn.` }),
    draw: (width) =>
      chart(width, {
        height: 70 + Math.min(40, 20 + 200 / names.length) * names.length,
        marginLeft: Math.min(160, 26 + 7 * Math.max(...names.map((name) => name.length))),
        x: { label: 'hours from now', domain: [0, interval / 3600] },
        y: { type: 'band', label: null, domain: names, padding: 0.2 },
        marks: [
          Plot.tickX(drawn, {
            x: 'hours',
            y: ({ crawler }) => names[crawler],
            stroke: ({ page }) => `color-mix(in oklab, ${ink.orange} ${Math.round(100 * speed(page))}%, ${ink.blue})`,
            strokeWidth: drawn.length > 400 ? 1 : 3,
            className: 'fetches',
            title: ({ page, hours }) => `${nameOf(request.pages, page)}\nin ${seconds(hours * 3600)}`,
            tip: drawn.length <= 400,
          }),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** Probability that each page is stale at this moment: changed since its last crawl, or never crawled. */
function stalenessNow({ request, answer }: Answered): Float64Array {
  const rate = column(answer.solution?.pages, 'changeRate');
  const last = column(request.pages, 'lastCrawl');
  const now = number(request, 'now');
  const observed = cells(request.pages, 'observations').map((each) =>
    Array.isArray(each)
      ? each.reduce<number>(
          (latest, one) => Math.max(latest, number(one, 'time') || Number.NEGATIVE_INFINITY),
          Number.NEGATIVE_INFINITY,
        )
      : Number.NaN,
  );
  return rate.map((each, i) => {
    const crawled = Number.isFinite(last[i]) ? last[i] : observed[i];
    return Number.isFinite(crawled) ? -Math.expm1(-each * Math.max(0, now - crawled)) : 1;
  });
}

function weightedMean(values: Float64Array, weight: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    sum += weight[i] * values[i];
    total += weight[i];
  }
  return sum / total;
}

function stalenessCompared(answered: Answered): Picture {
  const { request, answer } = answered;
  const weight = column(request.pages, 'weight', 1);
  const mean = (name: string): number => weightedMean(column(answer.solution?.pages, name), weight);
  const data = [
    { label: 'now', value: weightedMean(stalenessNow(answered), weight), color: ink.grey },
    { label: 'under the plan', value: mean('staleness'), color: ink.blue },
    { label: 'under uniform crawling', value: mean('uniformStaleness'), color: ink.orange },
  ].map((each) => ({ ...each, text: percent(each.value) }));
  return {
    id: 'staleness',
    title: 'Staleness, by weight: now, under the plan, under uniform',
    draw: (width) => bars(width, data, 'mean share of time stale'),
    note: 'Now: the probability that a page has changed since its last crawl.',
  };
}

function intervalAgainstRate({ request, answer }: Answered): Picture {
  const rate = column(answer.solution?.pages, 'changeRate').map((each) => each * secondsPerDay);
  const wait = column(answer.solution?.pages, 'fetchInterval').map((each) => each / 3600);
  return {
    id: 'fetch-intervals',
    title: 'Time between fetches against change rate',
    draw: (width) =>
      chart(width, {
        x: logAxis(widened(extent(rate, true)), 'changes per day'),
        y: logAxis(widened(extent(wait, true)), 'hours between fetches'),
        marks: dots(
          {
            x: rate,
            y: wait,
            colors: [ink.blue],
            title: (i) =>
              `${nameOf(request.pages, i)}\n${figure(rate[i])} changes a day\na fetch every ${seconds(wait[i] * 3600)}`,
          },
          { logX: true, logY: true, radius: 4.5 },
        ),
      }),
  };
}

/** Fetches due against fetches possible up to the moment at which they clash. */
function clash({ answer: { conflict } }: Answered): Picture {
  const data = [
    { label: 'fetches due by then', value: number(conflict, 'crawlsNeeded'), color: ink.red },
    { label: 'fetches possible', value: number(conflict, 'slots'), color: ink.green },
  ];
  return clashBars(conflict, 'What the longest intervals ask for, and what there is', data, 'fetches');
}

export const crawlPlan: Illustrator = {
  pictures(answered) {
    const { request, answer } = answered;
    if (answer.conflict) return [clash(answered)];
    if (!answer.solution) return [];
    return [
      timeline(answered),
      stalenessCompared(answered),
      intervalAgainstRate(answered),
      ...termsPictures(answered),
      ...learntPictures(answered),
      ...ratesWithIntervals(
        answer.solution.pages,
        { rate: 'changeRate', interval: 'changeRateInterval', scale: secondsPerDay },
        'changes per day',
        (i) => nameOf(request.pages, i),
      ),
    ];
  },
  headline: ({ request, answer: { solution } }) => [
    ['pages', figure(rowCount(request.pages))],
    ['fetches planned', figure(rowCount(solution?.schedule))],
    ['idle slots', figure(number(solution, 'idleSlots'))],
    ...(solution !== undefined && 'probed' in solution
      ? [['probed for what that teaches', figure(list(solution, 'probed').length)] as const]
      : []),
    ...(solution !== undefined && 'spent' in solution
      ? [['expected to be spent', figure(number(solution, 'spent'))] as const]
      : []),
    ['shadow price', figure(number(solution, 'shadowPrice'))],
  ],
};
