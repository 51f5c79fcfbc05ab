/** The wire shapes of `crawl-price`, and its request as the solver takes it. */

import * as z from 'zod';
import { type CrawlPriceProblem, priceTolerance } from '../solvers/crawl-price/index.ts';
import { objectiveNames } from '../solvers/pages/objectives/index.ts';
import { type DialectName, dialectNames } from '../statements/index.ts';
import { counted, figure, share as percent } from '../words/numbers.ts';
import type { Wire } from './contract/answer.ts';
import { cost, count, id, number, rate, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { strictObject } from './contract/strict-object.ts';
import { list } from './parts/list.ts';
import { type AskedTarget, askedTarget } from './parts/targets/asked.ts';
import { wholeTargetFields } from './parts/targets/request.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';

/** Sizes this operation accepts. */
export const crawlPriceLimits = { buckets: 200_000, hosts: 10_000, nameLength: 300 } as const;

const ratios = { atLeast: 1e-100, atMost: 1e100 } as const;

const bucketColumns = {
  pages: numberColumn(count('How many pages', { unit: 'pages' }), { atLeast: 1, atMost: 1e15 }),
  changeRate: numberColumn(rate('Sum of the change rates λ'), { above: 0, atMost: 1e100 }),
  weight: numberColumn(weight('Sum of the weights w (for `age`: of w/λ)'), { above: 0, atMost: 1e200 }),
  changeRateLogRatio: numberColumn(rate('Sum of λ·ln(ratio), the ratio of a page being w/λ (for `age`: w/λ²)'), {
    atLeast: -1e200,
    atMost: 1e200,
  }),
  ratioMin: numberColumn(number('Least ratio'), ratios),
  ratioMax: numberColumn(number('Largest ratio'), ratios),
  weightTimesRate: numberColumn(weight('Sum of weight·λ, for meanDelay and meanAge; left out: known of one page'), {
    above: 0,
    atMost: 1e300,
    optional: true,
  }),
  host: textColumn(id('Host of the pages'), { optional: true }),
};

const hostRate = strictObject({
  host: z.string().max(2048).meta(id('The host, as the buckets name it')),
  maxRate: z
    .number()
    .min(1e-100)
    .max(1e100)
    .meta(rate('Most crawls of its pages together', { unit: 'crawls/time' })),
});

const columnName = z
  .string()
  .min(1)
  .max(crawlPriceLimits.nameLength)
  // No control characters.
  .regex(/^\P{Cc}+$/u);

const tableNames = strictObject({
  name: columnName.default('pages').describe('The table; dots separate catalogue, schema and name'),
  id: columnName.default('id').describe('Column that names a page'),
  changeRate: columnName.default('change_rate').describe('Column of the change rate λ'),
  weight: columnName.optional().describe('Column of the weight; left out: all 1'),
  host: columnName.default('host').describe('Column of the host'),
  bucketWidth: z
    .number()
    .min(1e-5)
    .max(10)
    .default(0.001)
    .meta(number('Width of a bucket in ln(ratio)', { role: 'advanced' })),
});

const feedback = strictObject({
  price: z
    .number()
    .min(1e-100)
    .max(1e100)
    .meta(cost('The price at which pages were fetched', { unit: 'weight × time' })),
  seen: z
    .number()
    .min(0)
    .max(1e15)
    .meta(count('Fetches made since that price was set', { unit: 'fetches' })),
  wanted: z
    .number()
    .min(1e-9)
    .max(1e15)
    .meta(count('Fetches wanted in the same time', { unit: 'fetches' })),
  elapsed: z.number().min(1e-100).max(1e100).meta(time('The time since that price was set')),
  pages: z
    .number()
    .min(1)
    .max(1e15)
    .meta(count('How many pages are kept', { unit: 'pages' })),
  ahead: z
    .number()
    .min(-1e15)
    .max(1e15)
    .default(0)
    .meta(
      number('Fetches made since the start in excess, made up for slowly', {
        unit: 'fetches',
        role: 'advanced',
      }),
    ),
});

const wireRequest = requestSchema({
  feedback: feedback.optional().describe('In place of all else: recent fetches at a price, to get the next price'),
  buckets: table(bucketColumns, {
    maxRows: crawlPriceLimits.buckets,
    description: 'Histogram of the pages by ratio: rows of GROUP BY FLOOR(LN(ratio)/width), of all shards',
  }).optional(),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .describe(
      'What staleness costs: time out of date, delay of changes, age of the copy, or harmonic ' + '(no page starves)',
    ),
  interval: z.number().min(1e-100).max(1e100).optional().meta(time('Length of the interval')),
  crawls: z
    .number()
    .min(1e-100)
    .max(1e100)
    .optional()
    .meta(count('Crawls in the interval', { unit: 'crawls', lever: { factor: 4 } })),
  rate: z
    .number()
    .min(1e-100)
    .max(1e100)
    .optional()
    .meta(rate('In place of crawls and interval: crawls per time unit', { unit: 'crawls/time', lever: { factor: 4 } })),
  ...wholeTargetFields,
  hosts: list(hostRate, { minItems: 0, maxItems: crawlPriceLimits.hosts }, 'hosts {host, maxRate}')
    .optional()
    .describe('Hosts with limits'),
  dialect: z.enum(dialectNames).optional().describe('Write SQL for the histogram and the plan'),
  table: tableNames.optional().describe('The names the statements use'),
});

/** A checked request. */
export interface CheckedPrice {
  readonly options?: z.output<typeof wireRequest>['options'];
  /** Where it is given, all that is asked. */
  readonly feedback: z.output<typeof feedback> | undefined;
  readonly problem: CrawlPriceProblem;
  /** What stands in the place of the rate; null: the problem has it. */
  readonly asked: AskedTarget | null;
  readonly curve: boolean;
  /** Σ of what the measure is a mean by. */
  readonly scale: number;
  readonly hostNames: readonly string[];
  readonly dialect: DialectName | undefined;
  readonly table: z.output<typeof tableNames>;
}

type WireRequest = z.output<typeof wireRequest>;

export const crawlPriceRequest = wireRequest.transform((request, context): CheckedPrice => {
  const refuse = refusals(context.issues);
  const { objective, dialect } = request;
  const buckets = request.buckets ?? noBuckets;
  const table = request.table ?? tableNames.parse({});
  if (request.feedback !== undefined) {
    for (const name of besideBuckets) {
      if (request[name] !== undefined) refuse([name], 'not-applicable', 'has no effect with `feedback`', request[name]);
    }
    const problem = { objective, rate: 1, histogram: buckets.columns, host: null, maxRate: new Float64Array(0) };
    const { options, feedback: given } = request;
    return {
      options,
      feedback: given,
      problem,
      asked: null,
      curve: false,
      scale: 0,
      hostNames: [],
      dialect: undefined,
      table,
    };
  }
  if (request.buckets === undefined) refuse([], 'one-of', 'must have either `buckets` or `feedback`', undefined);
  const scales = request.target === undefined && !request.curve ? noColumn : scalesOf(buckets, objective, refuse);
  const asked = targetOf(request, scales, refuse);
  const rate = request.target === undefined ? rateOf(request, refuse) : null;
  checkBuckets(buckets, refuse);
  const total = buckets.columns.changeRate.reduce((sum, each) => sum + each, 0);
  if (rate !== null && request.buckets !== undefined && !(rate / total >= 1e-50 && rate / total <= 1e50)) {
    const message = `must be between 1e-50 and 1e+50 times the sum of the change rates, ${total}; got ${rate}: no price of a crawl can be computed`;
    refuse([request.rate === undefined ? 'crawls' : 'rate'], 'rate-out-of-range', message, rate);
  }
  const hosts = request.hosts ?? [];
  const positions = new Map<string, number>();
  for (const [at, { host }] of hosts.entries()) {
    if (positions.has(host)) refuse(['hosts', at, 'host'], 'duplicate', 'must be named once', host);
    positions.set(host, at);
  }
  if (request.table !== undefined && dialect === undefined) {
    refuse(['table'], 'not-applicable', 'has no effect without `dialect`', request.table);
  }
  return {
    options: request.options,
    feedback: undefined,
    problem: {
      objective,
      rate: rate ?? 1,
      histogram: buckets.columns,
      host:
        hosts.length === 0 ? null : Int32Array.from(buckets.columns.host, (name) => positions.get(name ?? '') ?? -1),
      maxRate: Float64Array.from(hosts, ({ maxRate }) => maxRate),
    },
    asked,
    curve: request.curve,
    scale: scales.reduce((sum, each) => sum + each, 0),
    hostNames: hosts.map(({ host }) => host),
    dialect,
    table,
  };
});

const noColumn = new Float64Array(0);
const noBuckets = {
  form: 'rows',
  length: 0,
  columns: {
    pages: noColumn,
    changeRate: noColumn,
    weight: noColumn,
    changeRateLogRatio: noColumn,
    weightTimesRate: noColumn,
    ratioMin: noColumn,
    ratioMax: noColumn,
    host: [],
  },
} as const;

/** The target of all pages. */
function targetOf({ target, objective, rate, crawls }: WireRequest, scales: Float64Array, refuse: Refuse) {
  if (target === undefined) return null;
  if (rate !== undefined || crawls !== undefined) {
    const message = 'does not go with target, which asks for it';
    refuse([rate === undefined ? 'crawls' : 'rate'], 'one-of', message, rate ?? crawls);
  }
  const none = Array.from(scales, () => undefined);
  const ones = new Float64Array(scales.length).fill(1);
  return askedTarget({ target, objective, weight: scales, rate: ones, class: none, host: none }, refuse);
}

/** By bucket: the sum of what the objective's measure is a mean by, weights or weights times rates. */
function scalesOf(
  { form, length, columns }: Pick<Table<Columns>, 'form' | 'length'> & BucketColumns,
  objective: WireRequest['objective'],
  refuse: Refuse,
): Float64Array {
  const { pages, changeRate, weight, weightTimesRate } = columns;
  if (objective === 'freshness' || objective === 'harmonic') return weight;
  for (let b = 0; b < length; b++) {
    if (weightTimesRate[b] > 0 || pages[b] === 1) continue;
    const path = form === 'rows' ? ['buckets', b, 'weightTimesRate'] : ['buckets', 'weightTimesRate', b];
    const message = `is needed for ${objective === 'delay' ? 'meanDelay' : 'meanAge'}, as the bucket has ${pages[b]} pages: SUM(weight * change rate) of them`;
    refuse(path, 'column-missing', message, undefined);
    break;
  }
  return weightTimesRate.map((sum, b) => (sum > 0 ? sum : weight[b] * changeRate[b]));
}

/** What says nothing where feedback is given. */
const besideBuckets = ['target', 'buckets', 'interval', 'crawls', 'rate', 'hosts', 'dialect', 'table'] as const;

function rateOf({ rate, crawls, interval }: WireRequest, refuse: Refuse): number | null {
  if (rate !== undefined && crawls === undefined && interval === undefined) return rate;
  if (rate === undefined && crawls !== undefined && interval !== undefined) return crawls / interval;
  refuse([], 'one-of', 'must have `rate`, or `crawls` and `interval`, or `target`', undefined);
  return null;
}

/** What the sums of a bucket must have in common, to within the rounding of sums over very many pages. */
function checkBuckets(
  { form, length, columns }: Pick<Table<Columns>, 'form' | 'length'> & BucketColumns,
  refuse: Refuse,
): void {
  const slack = 1e-7;
  const { changeRate, weight, changeRateLogRatio, weightTimesRate, ratioMin, ratioMax } = columns;
  for (let b = 0; b < length; b++) {
    const at = (name: string): (string | number)[] => (form === 'rows' ? ['buckets', b, name] : ['buckets', name, b]);
    const low = ratioMin[b];
    const high = ratioMax[b];
    if (low > high) {
      refuse(at('ratioMin'), 'out-of-range', `must be at most the bucket's ratioMax of ${high}; got ${low}`, low);
      continue;
    }
    const mean = weight[b] / changeRate[b];
    if (!(mean >= low * (1 - slack) && mean <= high * (1 + slack))) {
      const message = `must be between ${low} and ${high} times the bucket's changeRate, as each ratio is; it is ${mean} times`;
      refuse(at('weight'), 'out-of-range', message, weight[b]);
      continue;
    }
    const most = weight[b] * changeRate[b];
    if (weightTimesRate[b] > most * (1 + slack)) {
      const message = `must be at most the bucket's weight times its changeRate, ${most}; got ${weightTimesRate[b]}`;
      refuse(at('weightTimesRate'), 'out-of-range', message, weightTimesRate[b]);
      continue;
    }
    const logMean = changeRateLogRatio[b] / changeRate[b];
    const error = slack * Math.max(1, Math.abs(logMean));
    if (logMean >= Math.log(low) - error && logMean <= Math.log(high) + error && logMean <= Math.log(mean) + error)
      continue;
    const message = `must be between ${Math.log(low)} and ${Math.log(mean)} times the bucket's changeRate; it is ${logMean} times`;
    refuse(at('changeRateLogRatio'), 'out-of-range', message, changeRateLogRatio[b]);
  }
}

interface BucketColumns {
  readonly columns: Readonly<Record<Exclude<keyof typeof bucketColumns, 'host'>, Float64Array>>;
}

const hostAnswer = z.object({
  host: z.string().meta(id('The host')),
  price: z.number().meta(cost('Price of its pages: higher if its limit binds', { unit: 'weight × time' })),
  scale: z.number().meta(number("By what the rates at that price are multiplied to spend the host's share")),
  rate: z.number().meta(rate('Crawls of its pages', { unit: 'crawls/time' })),
  limited: z.boolean().describe('Whether its limit binds'),
});

export const crawlPriceSolution = z.object({
  price: z.number().meta(
    cost('The price of a crawl: crawl each page at the rate at which its next crawl is worth it', {
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
    .meta(
      rate('Of a histogram: estimated crawl rate at the price, before rescaling', {
        unit: 'crawls/time',
      }),
    ),
  scale: z.number().optional().meta(number('Of a histogram: factor of the rates that spends exactly what is given')),
  crawls: z
    .number()
    .optional()
    .meta(rate('With target: the fewest crawls that keep it', { unit: 'crawls/time', role: 'first' })),
  withoutCrawl: z
    .object({
      pages: z.number().meta(count('How many pages, estimated', { unit: 'pages' })),
      bracket: z
        .array(z.number())
        .length(2)
        .meta(count('Of a histogram: [low, high] around the exact number', { unit: 'pages' })),
    })
    .optional()
    .describe('Of a histogram: pages whose first crawl is worth less than the price'),
  hosts: z.array(hostAnswer).optional().describe('The given hosts that occur in the buckets'),
});

export const priceStatements = z
  .object({
    histogram: z.string().describe('Query whose rows are `buckets`'),
    plan: z.string().describe('Query for id, rate, interval and staleness of every page'),
  })
  .describe('SQL in the dialect asked for');

export const priceToleranceText = String(priceTolerance);

/** The answer in words. */
export function crawlPriceSentence(
  { solution }: { readonly solution: Wire<z.input<typeof crawlPriceSolution>> },
  request: CheckedPrice,
): string {
  const { price, rate: spent, scale, withoutCrawl, hosts = [] } = solution;
  if (request.feedback !== undefined || spent === undefined || scale === undefined || withoutCrawl === undefined) {
    return feedbackSentence(price, request);
  }
  if (solution.crawls === 0) return 'No crawl is needed: the target is kept without one.';
  const asked =
    solution.crawls === undefined ? '' : `${figure(solution.crawls)} crawls per time unit keep the target. `;
  const limited = hosts.filter(({ limited: binds }) => binds).length;
  const none =
    withoutCrawl.pages < 0.5
      ? ''
      : ` About ${counted(Math.round(withoutCrawl.pages), 'page is', 'pages are')} never crawled.`;
  const hosted = limited === 0 ? '' : ` ${counted(limited, 'host pays', 'hosts pay')} more, as the limit binds.`;
  const off = Math.abs(scale - 1);
  const rest = off < 5e-4 ? '' : `, ${percent(off)} off what there is`;
  return `${asked}Crawl a page whenever that is worth ${figure(price)}: all pages then take ${figure(spent)} crawls per time unit${rest}.${none}${hosted}`;
}

function feedbackSentence(price: number, { feedback: given }: CheckedPrice): string {
  if (given === undefined) return `Crawl a page whenever that is worth ${figure(price)}.`;
  const made = `${counted(Math.round(given.seen), 'fetch was', 'fetches were')} made where ${figure(given.wanted)} were wanted`;
  const off = percent(Math.abs(price / given.price - 1));
  const moved = price > given.price ? `up by ${off}` : price < given.price ? `down by ${off}` : 'as before';
  return `Fetch a page whenever that is worth ${figure(price)}, ${moved}: ${made}.`;
}
