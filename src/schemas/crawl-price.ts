/** Request and answer of `crawl-price`; the histogram of a request is one list of buckets. */

import * as z from 'zod';
import type { CrawlPriceQuestion } from '../solvers/crawl-price/index.ts';
import type { ObjectiveName } from '../solvers/pages/objectives/index.ts';
import { type DialectName, dialectNames, isStatementObjective } from '../statements/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { cost, count, crawlCount, id, number, pageCount, rate, time, weight } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { nameText, real } from './contract/range.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import { objectiveName, targetFields, targetOfRequest } from './parts/target.ts';
import { hostPositions, placeIn, refuseUnordered, type Table, table } from './table/table.ts';
import { countText, figure } from './words/numbers.ts';

/** Any rate, price or ratio; one outside this range is in the wrong unit. */
const anyPositive = real({ atLeast: 1e-100, atMost: 1e100 });

export const bucketColumns = {
  pages: real({ atLeast: 1, atMost: 1e15 }).meta(pageCount()),
  changeRate: real({ above: 0, atMost: 1e100 }).meta(rate('Sum of the change rates λ')),
  weight: real({ above: 0, atMost: 1e200 }).meta(weight('Sum of the weights w')),
  changeRateLogRatio: real({ atLeast: -1e200, atMost: 1e200 }).meta(rate('Sum of λ·ln(ratio)')),
  ratioMin: anyPositive.meta(number()),
  ratioMax: anyPositive.meta(number()),
  weightTimesRate: real({ above: 0, atMost: 1e300 }).optional().meta(weight('Sum of weight·λ, for meanDelay')),
  host: nameText.optional().meta(id()),
};

/** The weight of each bucket in the mean of the objective's measure: Σ weight, or Σ weight·rate for the mean delay. */
export function scalesOf(buckets: Buckets, objective: ObjectiveName, refuse: Refuse): Float64Array {
  const { pages, changeRate, weight, weightTimesRate } = buckets.columns;
  if (objective !== 'delay') return weight;
  for (let b = 0; b < buckets.length; b++) {
    if (weightTimesRate[b] > 0 || pages[b] === 1) continue;
    const message = `is needed for meanDelay, as the bucket has ${pages[b]} pages: SUM(weight * change rate) of them`;
    refuse(placeIn('buckets', buckets)(b, 'weightTimesRate'), 'column-missing', message, undefined);
    break;
  }
  return weightTimesRate.map((sum, b) => (sum > 0 ? sum : weight[b] * changeRate[b]));
}

/** Refuses buckets whose sums contradict each other by more than the rounding of sums over very many pages. */
export function checkBuckets(buckets: Buckets, refuse: Refuse): void {
  const slack = 1e-7;
  const at = placeIn('buckets', buckets);
  refuseUnordered(buckets, ['ratioMin', 'ratioMax'], at, refuse);
  const { changeRate, weight, changeRateLogRatio, weightTimesRate, ratioMin, ratioMax } = buckets.columns;
  for (let b = 0; b < buckets.length; b++) {
    const low = ratioMin[b];
    const high = ratioMax[b];
    if (low > high) continue;
    const mean = weight[b] / changeRate[b];
    if (!(mean >= low * (1 - slack) && mean <= high * (1 + slack))) {
      const message = `must be between ${low} and ${high} times the bucket's changeRate, as each ratio is; it is ${mean} times`;
      refuse(at(b, 'weight'), 'out-of-range', message, weight[b]);
      continue;
    }
    const maximum = weight[b] * changeRate[b];
    if (weightTimesRate[b] > maximum * (1 + slack)) {
      const message = `must be at most the bucket's weight times its changeRate, ${maximum}; got ${weightTimesRate[b]}`;
      refuse(at(b, 'weightTimesRate'), 'out-of-range', message, weightTimesRate[b]);
      continue;
    }
    const logMean = changeRateLogRatio[b] / changeRate[b];
    const error = slack * Math.max(1, Math.abs(logMean));
    if (logMean >= Math.log(low) - error && logMean <= Math.log(high) + error && logMean <= Math.log(mean) + error)
      continue;
    const message = `must be between ${Math.log(low)} and ${Math.log(mean)} times the bucket's changeRate; it is ${logMean} times`;
    refuse(at(b, 'changeRateLogRatio'), 'out-of-range', message, changeRateLogRatio[b]);
  }
}

type Buckets = Pick<Table<typeof bucketColumns>, 'form' | 'length' | 'columns'>;

const missingColumn = new Float64Array(0);
/** The buckets of a request without buckets. */
export const emptyBuckets = {
  form: 'rows',
  length: 0,
  columns: {
    pages: missingColumn,
    changeRate: missingColumn,
    weight: missingColumn,
    changeRateLogRatio: missingColumn,
    weightTimesRate: missingColumn,
    ratioMin: missingColumn,
    ratioMax: missingColumn,
    host: [],
  },
} as const;

export const crawlPriceLimits = { buckets: 200_000, hosts: 10_000, nameLength: 300 } as const;

const hostRate = strictObject('CrawlPriceHost', {
  host: z.string().max(2048).meta(id('The host, as the buckets name it')),
  maxRate: anyPositive.meta(rate('Most crawls of its pages together', { unit: 'crawls/time' })),
});

const columnName = z
  .string()
  .min(1)
  .max(crawlPriceLimits.nameLength)
  // No control characters.
  .regex(/^\P{Cc}+$/u);

const tableNames = strictObject('CrawlPriceTable', {
  name: columnName.describe('The table; dots separate catalogue, schema and name'),
  id: columnName.describe('Column that names a page'),
  changeRate: columnName.describe('Column of the change rate λ'),
  weight: columnName.optional().describe('Column of the weight; left out: all 1'),
  host: columnName.default('host').describe('Column of the host'),
  lastCrawl: strictObject('CrawlPriceLastCrawl', {
    column: columnName.describe('Column of the last crawl, in epoch seconds'),
    secondsPerUnit: real({ atLeast: 1e-9, atMost: 1e12 }).meta(
      number('Seconds in the unit of the rates', { unit: 'seconds' }),
    ),
  })
    .optional()
    .describe('For the next fetch in the plan, in epoch seconds'),
  bucketWidth: real({ atLeast: 1e-5, atMost: 10 })
    .default(0.001)
    .meta(number('Width of a bucket in ln(ratio)', { role: 'advanced' })),
});

const feedback = strictObject('CrawlPriceFeedback', {
  price: anyPositive.meta(cost('The price at which pages were fetched', { unit: 'weight × time' })),
  seen: real({ atLeast: 0, atMost: 1e15 }).meta(count('Fetches made since that price was set', { unit: 'fetches' })),
  wanted: real({ atLeast: 1e-9, atMost: 1e15 }).meta(count('Fetches wanted in the same time', { unit: 'fetches' })),
  elapsed: anyPositive.meta(time('The time since that price was set')),
  pages: real({ atLeast: 1, atMost: 1e15 }).meta(pageCount('How many pages are kept')),
  ahead: real({ atLeast: -1e15, atMost: 1e15 })
    .default(0)
    .meta(number('Fetches made since the start in excess, made up for slowly', { unit: 'fetches', role: 'advanced' })),
});

const wireRequest = requestSchema({
  feedback: feedback.optional().describe('In place of all else: recent fetches, to get the next price'),
  buckets: table(
    'CrawlPriceBucket',
    crawlPriceLimits.buckets,
    'Rows of GROUP BY FLOOR(LN(ratio)/width), of all shards',
    bucketColumns,
  ).optional(),
  objective: objectiveName.describe('What staleness costs: time, delay, or harmonic (no page starves)'),
  interval: anyPositive.optional().meta(time()),
  crawls: anyPositive.optional().meta(crawlCount({ lever: { factor: 4 } })),
  rate: anyPositive
    .optional()
    .meta(rate('In place of crawls and interval: crawls per time unit', { unit: 'crawls/time', lever: { factor: 4 } })),
  ...targetFields,
  hosts: list(hostRate, { minItems: 0, maxItems: crawlPriceLimits.hosts }).optional().describe('Hosts with limits'),
  dialect: choice('CrawlPriceDialect', dialectNames).optional().describe('Write SQL for the histogram and the plan'),
  table: tableNames.optional().describe('The names the statements use'),
});

export interface CheckedPrice extends CrawlPriceQuestion {
  readonly options?: z.output<typeof wireRequest>['options'];
  /** The fetches made at a price and those wanted; a request with feedback asks for the next price only. */
  readonly feedback: z.output<typeof feedback> | undefined;
  /** The dialect and the names of the SQL statements; undefined if none are asked for. */
  readonly statements: { readonly dialect: DialectName; readonly table: z.output<typeof tableNames> } | undefined;
}

type WireRequest = z.output<typeof wireRequest>;

export const crawlPriceRequest = wireRequest.transform((request, context): CheckedPrice => {
  const refuse = refusals(context.issues);
  const { objective, dialect, table: names } = request;
  const buckets = request.buckets ?? emptyBuckets;
  if (request.feedback !== undefined) {
    for (const name of unusedWithFeedback) {
      if (request[name] !== undefined) refuse([name], 'not-applicable', 'has no effect with `feedback`', request[name]);
    }
    const problem = { objective, rate: 1, histogram: buckets.columns, host: null, maxRate: new Float64Array(0) };
    const { options, feedback: currentFeedback } = request;
    return {
      options,
      feedback: currentFeedback,
      problem,
      target: null,
      curve: false,
      scale: 0,
      hostNames: [],
      statements: undefined,
    };
  }
  if (request.buckets === undefined) refuse([], 'one-of', 'must have either `buckets` or `feedback`', undefined);
  const asks = request.target !== undefined;
  const scales = !asks && !request.curve ? missingColumn : scalesOf(buckets, objective, refuse);
  const measureTarget = targetOf(request, scales, refuse);
  const rate = asks ? null : rateOf(request, refuse);
  checkBuckets(buckets, refuse);
  const total = buckets.columns.changeRate.reduce((sum, each) => sum + each, 0);
  if (rate !== null && request.buckets !== undefined && !(rate / total >= 1e-50 && rate / total <= 1e50)) {
    const message = `must be between 1e-50 and 1e+50 times the sum of the change rates, ${total}; got ${rate}: no price of a crawl can be computed`;
    refuse([request.rate === undefined ? 'crawls' : 'rate'], 'rate-out-of-range', message, rate);
  }
  const hosts = request.hosts ?? [];
  const host = hostPositions(buckets.columns.host, hosts, refuse);
  if (dialect !== undefined && !isStatementObjective(objective)) {
    refuse(['dialect'], 'not-applicable', `has no statements under ${objective}: leave it out`, dialect);
  }
  if (names !== undefined && dialect === undefined) {
    refuse(['table'], 'not-applicable', 'has no effect without `dialect`', names);
  }
  if (names === undefined && dialect !== undefined) {
    refuse(['table'], 'table-missing', 'must name the table of the statements and its columns', undefined);
  }
  return {
    options: request.options,
    feedback: undefined,
    problem: {
      objective,
      rate: rate ?? 1,
      histogram: buckets.columns,
      host: hosts.length === 0 ? null : host,
      maxRate: Float64Array.from(hosts, ({ maxRate }) => maxRate),
    },
    target: measureTarget,
    curve: request.curve,
    scale: scales.reduce((sum, each) => sum + each, 0),
    hostNames: hosts.map(({ host }) => host),
    statements: dialect && names && { dialect, table: names },
  };
});

/** Properties that are refused together with feedback. */
const unusedWithFeedback = ['target', 'buckets', 'interval', 'crawls', 'rate', 'hosts', 'dialect', 'table'] as const;

function rateOf({ rate, crawls, interval }: WireRequest, refuse: Refuse): number | null {
  if (rate !== undefined && crawls === undefined && interval === undefined) return rate;
  if (rate === undefined && crawls !== undefined && interval !== undefined) return crawls / interval;
  refuse([], 'one-of', 'must have `rate`, or `crawls` and `interval`, or `target`', undefined);
  return null;
}

function targetOf({ target, objective, rate, crawls }: WireRequest, scales: Float64Array, refuse: Refuse) {
  if (target === undefined) return null;
  if (rate !== undefined || crawls !== undefined) {
    const message = 'does not go with target, which asks for it';
    refuse([rate === undefined ? 'crawls' : 'rate'], 'one-of', message, rate ?? crawls);
  }
  return targetOfRequest({ target, objective, weight: scales, rate: new Float64Array(scales.length).fill(1) }, refuse);
}

const hostAnswer = object('CrawlPriceSolutionHost', {
  host: z.string().meta(id()),
  price: z.number().meta(cost('Price of its pages: higher if a limit binds', { unit: 'weight × time' })),
  scale: z.number().meta(number("By what the rates at that price are multiplied to spend the host's share")),
  rate: z.number().meta(rate({ unit: 'crawls/time' })),
  limited: z.boolean().describe('Whether a limit binds it'),
});

export const crawlPriceSolution = object('CrawlPriceSolution', {
  price: z.number().meta(
    cost('The price: crawl each page at the rate at which its next crawl is worth it', {
      unit: 'weight × time',
      role: 'first',
    }),
  ),
  priceBracket: z
    .array(z.number())
    .length(2)
    .optional()
    .meta(cost('Of a histogram: [low, high] around the exact price', { unit: 'weight × time' })),
  rate: z
    .number()
    .optional()
    .meta(rate('Of a histogram: estimated crawl rate at the price, before rescaling', { unit: 'crawls/time' })),
  scale: z.number().optional().meta(number('Of a histogram: factor of the rates')),
  crawls: z
    .number()
    .optional()
    .meta(rate('With target: the fewest crawls that keep it', { unit: 'crawls/time', role: 'first' })),
  withoutCrawl: object('CrawlPriceWithoutCrawl', {
    pages: z.number().meta(pageCount('How many pages, estimated')),
    bracket: z.array(z.number()).length(2).meta(pageCount('Of a histogram: [low, high] around the exact number')),
  })
    .optional()
    .describe('Of a histogram: pages that are never crawled'),
  hosts: z.array(hostAnswer).optional().describe('The given hosts that occur in the buckets'),
});

export const priceStatements = object('CrawlPriceStatements', {
  histogram: z.string().describe('Query whose rows are `buckets`'),
  plan: z.string().describe('Query for id, rate, interval and staleness of every page'),
}).describe('SQL in the dialect asked for');

export function crawlPriceSentence(
  { solution }: SolvedAnswer<typeof crawlPriceSolution>,
  { feedback }: CheckedPrice,
): string {
  const { price, rate: crawlRate, crawls, withoutCrawl } = solution;
  if (crawls === 0) return 'No crawl is needed: the target is kept without one.';
  const rule = `Crawl a page whenever that is worth ${figure(price)}`;
  if (feedback !== undefined) {
    const madeText = countText(Math.round(feedback.seen), 'fetch was', 'fetches were');
    return `${rule}, in place of ${figure(feedback.price)}: ${madeText} made where ${figure(feedback.wanted)} were wanted.`;
  }
  const neverText = countText(Math.round(withoutCrawl?.pages ?? 0), 'page is', 'pages are');
  return `${rule}: all pages then take ${figure(crawlRate)} crawls per time unit, and about ${neverText} never crawled.`;
}
