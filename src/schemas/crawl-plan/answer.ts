/** The wire shape of `crawl-plan`'s answer. */
import * as z from 'zod';
import { repairsSchema } from '../contract/answer.ts';
import { cost, count, moment, number, plain, position, rate, share, time } from '../contract/field.ts';
import { crawlsNeeded, targetBeside } from '../parts/targets/answer.ts';
import { targetConflict } from '../parts/targets/conflict.ts';
import { tableAnswerSchema } from '../table/table-answer.ts';

const inSeconds = { unit: 'seconds' } as const;
const epoch = { unit: 'epoch seconds' } as const;
const ofFetches = { unit: 'fetches' } as const;

const pageShape = {
  changeRate: z
    .number()
    .meta(rate('Change rate, as estimated or given', { unit: '1/second', role: 'first', label: 'changes' })),
  changeRateInterval: z
    .tuple([z.number(), z.number().nullable()])
    .meta(rate('95% interval [low, high] of the change rate', { unit: '1/second', label: 'changes, interval' })),
  crawls: z.int().meta(count('Fetches in this interval', { ...ofFetches, role: 'first', label: 'fetches' })),
  fetchInterval: z
    .number()
    .nullable()
    .meta(
      time('Time between two fetches that the crawls can keep up for ever; null: no fetch is worth its price', {
        ...inSeconds,
        role: 'first',
        label: 'every',
      }),
    ),
  intervalIfUnchanged: z
    .number()
    .nullable()
    .meta(
      time('From the next fetch on, if it finds no change: time to the one after; null: never', {
        ...inSeconds,
        label: 'every, if unchanged',
      }),
    ),
  intervalIfChanged: z
    .number()
    .nullable()
    .meta(
      time('From the next fetch on, if it finds a change: time to the one after; null: never', {
        ...inSeconds,
        label: 'every, if changed',
      }),
    ),
  nextFetch: z
    .number()
    .nullable()
    .meta(
      moment('When the page is fetched next; after the interval where it gets no fetch in it; null: never', {
        ...epoch,
        role: 'first',
      }),
    ),
  staleness: z
    .number()
    .meta(share('Expected share of the interval in which the copy is stale', { unit: 'of the time', role: 'first' })),
  meanDelay: z
    .number()
    .optional()
    .meta(time('Under delay: how long a change of the interval waits for its fetch, in the mean', inSeconds)),
  meanAge: z
    .number()
    .optional()
    .meta(time('Under age: time since the first change that the copy lacks, in the mean over the interval', inSeconds)),
};

const neededFields = {
  crawls: crawlsNeeded,
  crawlRate: z
    .number()
    .optional()
    .meta(rate('With target: the same a second, before rounding up', { unit: '1/second' })),
  crawlsInterval: z
    .tuple([z.number(), z.number().nullable()])
    .optional()
    .meta(
      count('With target, where rates are estimated: 95% interval [low, high] of the crawls by what is known of them', {
        unit: 'crawls',
      }),
    ),
  hangsOn: z
    .array(
      z.object({
        page: z.int().meta(position('Position of the page')),
        crawls: z.number().meta(count('How far the interval of its rate moves the crawls', { unit: 'crawls' })),
      }),
    )
    .optional()
    .meta(plain('With it: the pages on which the number hangs most, at most ten')),
};

export const crawlPlanSolution = z.object({
  ...neededFields,
  pages: tableAnswerSchema(pageShape, 'The pages, in the order and form of the request'),
  schedule: tableAnswerSchema(
    {
      time: z.number().meta(moment('When the slot starts', epoch)),
      crawler: z.int().meta(position('Position of the crawler')),
      page: z.int().meta(position('Position of the page')),
    },
    'The slots used, in time order, in the form of the pages',
  ),
  shadowPrice: z
    .number()
    .meta(number('What the objective falls by with one more crawl, or with one more unit to spend')),
  spent: z.number().optional().meta(cost('With spending: what the fetches are expected to cost together')),
  withoutCrawl: z.array(z.int()).meta(position('Pages that get no crawl in this interval')),
  probed: z.array(z.int()).meta(position('Pages fetched sooner, or once more, for what that teaches')),
  givenUp: z
    .array(z.int())
    .meta(
      position(
        'Pages of which no fetch is worth its price: they change too often, or count too little. Only evenShare or ' +
          'maxInterval brings them fetches',
      ),
    ),
  idleSlots: z
    .int()
    .meta(count('Slots in which no page may be fetched; those outside of windows are not counted', { unit: 'slots' })),
});

export const crawlPlanBeside = {
  ...targetBeside,
  longRun: z
    .object({
      value: z
        .number()
        .meta(number('Σ weight·staleness (or weight·cost) if every page is fetched at its fetchInterval for ever')),
      bound: z
        .number()
        .nullable()
        .meta(number('What no fetch intervals within the same limits can beat; null where no bound is known')),
      gap: z.number().nullable().meta(number('(value − bound)/max(|bound|, 1e−12)')),
    })
    .nullable()
    .optional()
    .meta(
      plain(
        'The same objective for ever; null where the longest intervals ask for more fetches than there are, and where ' +
          'no bound is known',
      ),
    ),
  baselines: z
    .object({
      uniform: z
        .number()
        .meta(number('The objective if all pages took turns on the same slots, within the same limits')),
    })
    .optional()
    .meta(plain('What simpler plans reach; absent when infeasible')),
};

const deadlineConflict = z.object({
  detail: z.string().meta(plain('What cannot be kept, with the numbers')),
  pages: z.array(z.int()).meta(position('Pages concerned, at most 100')),
  host: z.string().nullable().meta(plain('The host whose limit clashes; null when it is the slots')),
  crawlsNeeded: z.int().meta(count('Fetches due up to `by`', ofFetches)),
  slots: z.int().meta(count('Fetches possible up to then', ofFetches)),
  by: z.number().meta(moment('By when they are due', epoch)),
  byLocal: z.string().meta(plain('The same by the clock of timeZone')),
  page: z
    .int()
    .nullable()
    .meta(position('The page whose fetch is the first too many; null where it is all of them together')),
  possibleBy: z
    .number()
    .nullable()
    .meta(
      moment(
        'To when the deadline of that fetch would have to move, beyond one slot of grace; null: past the interval',
        {
          ...epoch,
        },
      ),
    ),
  possibleByLocal: z.string().nullable().meta(plain('The same by the clock of timeZone')),
  costNeeded: z
    .number()
    .optional()
    .meta(cost('Where spending cannot pay for the fetches due: what they cost together, at least')),
  repair: z.string().meta(plain('What would make it possible, with the numbers')),
  repairs: repairsSchema,
});

export const crawlPlanConflict = z.union([deadlineConflict, targetConflict]);
