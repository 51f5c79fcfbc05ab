/** The wire shape of `crawl-plan`'s answer, and its sentence. */

import * as z from 'zod';
import type { SolvedAnswer } from '../contract/answer.ts';
import { count, epochMoment, number, plain, position, rate, time } from '../contract/field.ts';
import { numberOrNull, openInterval, staleShare } from '../contract/range.ts';
import { object } from '../contract/strict-object.ts';
import { crawlsNeeded, targetAnswerFields, targetConflict } from '../parts/target.ts';
import { cellsOf, tableAnswerSchema } from '../table/table-answer.ts';
import { day } from '../words/durations.ts';
import { comparisonText, countText, durationAhead, figure, share as inPercent, inTheNext } from '../words/numbers.ts';
import type { CheckedCrawlPlan } from './request.ts';

const inSeconds = { unit: 'seconds' } as const;
const ofFetches = { unit: 'fetches' } as const;

const pageShape = {
  changeRate: z.number().meta(rate({ unit: '1/second', role: 'first', label: 'changes' })),
  changeRateInterval: openInterval.meta(
    rate('Its 95% interval [low, high]', { unit: '1/second', label: 'changes, interval' }),
  ),
  crawls: z.int().meta(count('Fetches in this interval', { ...ofFetches, role: 'first', label: 'fetches' })),
  fetchInterval: numberOrNull.meta(
    time('Time between fetches that can last; null: never fetched', { ...inSeconds, role: 'first', label: 'every' }),
  ),
  intervalIfUnchanged: numberOrNull.meta(
    time('From the next fetch to the one after, if it finds no change; null: never', {
      ...inSeconds,
      label: 'every, if unchanged',
    }),
  ),
  intervalIfChanged: numberOrNull.meta(
    time('From the next fetch to the one after, if it finds a change; null: never', {
      ...inSeconds,
      label: 'every, if changed',
    }),
  ),
  nextFetch: numberOrNull.meta(epochMoment('When the page is fetched next; null: never', { role: 'first' })),
  staleness: staleShare('of the time'),
  meanDelay: z.number().optional().meta(time('Under delay: mean time until a change is seen', inSeconds)),
};

const neededFields = {
  crawls: crawlsNeeded,
  crawlRate: z
    .number()
    .optional()
    .meta(rate('With target: the same per second, before rounding up', { unit: '1/second' })),
};

export const crawlPlanSolution = object('CrawlPlanSolution', {
  ...neededFields,
  pages: tableAnswerSchema('CrawlPlanSolutionPage', 'The pages, in the order and form of the request', pageShape),
  schedule: tableAnswerSchema('CrawlPlanSchedule', 'The crawls, in time order', {
    time: z.number().meta(epochMoment()),
    crawler: z.int().meta(position()),
    page: z.int().meta(position()),
  }),
  shadowPrice: z.number().meta(number('Objective saved by one more crawl')),
  withoutCrawl: z.array(z.int()).meta(position('Pages without a fetch in this interval')),
  probed: z.array(z.int()).meta(position('Pages fetched sooner to learn their rate')),
  givenUp: z
    .array(z.int())
    .meta(position('Pages given up: no fetch is worth its price, and no maxInterval keeps them')),
  idleSlots: z.int().meta(count('Slots inside the windows that no page may use', { unit: 'slots' })),
});

export const crawlPlanSupplement = {
  ...targetAnswerFields,
  longRun: object('CrawlPlanLongRun', {
    value: z.number().meta(number('The objective if every page is fetched at its fetchInterval')),
    bound: numberOrNull.meta(number('What no fetch intervals can beat; null: unknown')),
    gap: numberOrNull.meta(number('(value − bound)/max(|bound|, 1e−12)')),
  })
    .nullable()
    .optional()
    .meta(
      plain('The objective for ever, fetches spread evenly over all hours (windows only take slots); null: unknown'),
    ),
  keepingAll: object('CrawlPlanKeepingAll', {
    maxInterval: z.number().meta(time('The maxInterval of all pages: the interval planned', inSeconds)),
    value: z.number().meta(number('The objective for ever with it, at the price of this plan')),
  })
    .optional()
    .meta(plain('Where pages are given up: what keeping every page would cost')),
  baselines: object('CrawlPlanBaselines', {
    uniform: z.number().meta(number('If all pages took turns within the same limits')),
  })
    .optional()
    .meta(plain('What simpler plans reach; absent when infeasible, or when the time ended first')),
};

const deadlineConflict = object('CrawlPlanDeadlineConflict', {
  detail: z.string(),
  pages: z.array(z.int()).meta(position('Pages concerned, at most 100')),
  host: z.string().nullable().meta(plain('The host whose limit clashes; null: the slots')),
  crawlsNeeded: z.int().meta(count('Fetches due up to `by`', ofFetches)),
  slots: z.int().meta(count('Fetches possible up to then', ofFetches)),
  by: z.number().meta(epochMoment('By when they are due')),
  byLocal: z.string().meta(plain('The same by the clock of timeZone')),
  page: z.int().nullable().meta(position('The page whose fetch is the first too many; null: no slot is open')),
  possibleBy: numberOrNull.meta(
    epochMoment('When that fetch could be made, beyond one slot of grace; null: after the interval'),
  ),
  possibleByLocal: z.string().nullable().meta(plain('The same by the clock of timeZone')),
});

export const crawlPlanConflict = z.union([deadlineConflict, targetConflict]).meta({ id: 'CrawlPlanConflict' });

/** The summary: the number of fetches, how stale copies are, and how near the fetch intervals come to the best. */
export function crawlPlanSentence(
  { solution, objective, supplement }: SolvedAnswer<typeof crawlPlanSolution> & Proof,
  { problem }: CheckedCrawlPlan,
): string {
  const { interval, weight, objective: name = 'freshness' } = problem;
  const { crawls, schedule, pages } = solution;
  if (crawls === 0) return 'No fetch is needed: the target is kept without one.';
  if (crawls !== undefined) {
    const boundText = objective?.bound == null ? '' : `; fewer than ${figure(objective.bound)} cannot`;
    return `${countText(crawls, 'fetch', 'fetches')} ${durationAhead(interval)} keep the target for ever${boundText}.`;
  }
  const fetches = countText(cellsOf(schedule, 'page').length, 'fetch', 'fetches');
  const fetchedPages = Array.from(cellsOf(pages, 'crawls')).filter((each) => Number(each) > 0).length;
  const totalWeight = weight.reduce((sum, each) => sum + each, 0);
  const value = objective?.value ?? Number.NaN;
  const inTurn = supplement?.baselines?.uniform ?? Number.NaN;
  const turns =
    name === 'freshness'
      ? `: copies are stale ${inPercent(value / totalWeight)} of the time, ${inPercent(inTurn / totalWeight)} if all pages took turns`
      : `: all pages in turn would cost ${comparisonText(inTurn, value)} in ${name}`;
  const gap = supplement?.longRun?.gap ?? null;
  const nearBest = `its fetch intervals are within ${inPercent(gap ?? 0)} of the best there is`;
  const proof = gap === null ? '' : `; ${gap < 5e-4 ? 'in the long run no other fetch intervals do better' : nearBest}`;
  return `Make ${fetches} of ${countText(fetchedPages, 'page')} ${inTheNext(interval)}${totalWeight > 0 ? turns : ''}${proof}.${givenUp(solution, problem, supplement)}`;
}

/** Maximum number of given-up pages that the summary names. */
const mostNamed = 3;

/** The given-up pages of most weight, and what keeping every page would cost, with the option of the command line. */
function givenUp(
  { givenUp: positions }: SolvedAnswer<typeof crawlPlanSolution>['solution'],
  { weight, pageName }: CheckedCrawlPlan['problem'],
  { keepingAll, longRun }: NonNullable<Proof['supplement']> = {},
): string {
  const totalWeight = weight.reduce((sum, each) => sum + each, 0);
  if (!keepingAll || !longRun || positions.length === 0 || !(totalWeight > 0)) return '';
  const heaviest = Array.from(positions).sort((a, b) => weight[b] - weight[a]);
  const names = heaviest.slice(0, mostNamed).map((i) => JSON.stringify(pageName?.[i] ?? i));
  const ellipsis = heaviest.length > mostNamed ? ', …' : '';
  const { maxInterval, value } = keepingAll;
  const flag = maxInterval % day === 0 ? `${maxInterval / day}d` : `${maxInterval}s`;
  const than = `${inPercent(value / totalWeight, 3)} in place of ${inPercent(longRun.value / totalWeight, 3)}`;
  return ` ${countText(heaviest.length, 'page is', 'pages are')} given up (${names.join(', ')}${ellipsis}); every page at least once in ${flag} (--max-interval ${flag}) leaves copies stale ${than} of the time for ever.`;
}

/** The parts of the answer beside its solution that the summary reads. */
interface Proof {
  readonly supplement?: {
    readonly baselines?: { readonly uniform: number } | undefined;
    readonly longRun?: { readonly value: number; readonly gap: number | null } | null | undefined;
    readonly keepingAll?: { readonly maxInterval: number; readonly value: number } | undefined;
  };
}
