/** The wire shapes of `crawl-price`, and its request as the solver takes it. */
import * as z from 'zod';
import { type CrawlPriceProblem, priceTolerance } from '../solvers/crawl-price/index.ts';
import { objectiveNames } from '../solvers/objectives/index.ts';
import { type DialectName, dialectNames } from '../statements/index.ts';
import { requestSchema } from './contract/options.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { list } from './parts/list.ts';
import { strictObject } from './parts/strict-object.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';

/** Sizes this operation accepts. */
export const crawlPriceLimits = { buckets: 200_000, hosts: 10_000, nameLength: 300 } as const;

const ratios = { atLeast: 1e-100, atMost: 1e100 } as const;

const bucketColumns = {
  pages: numberColumn('How many pages', { atLeast: 1, atMost: 1e15 }),
  changeRate: numberColumn('Sum of the change rates λ, per time unit', { above: 0, atMost: 1e100 }),
  weight: numberColumn('Sum of the weights w (for `age`: of w/λ)', { above: 0, atMost: 1e200 }),
  changeRateLogRatio: numberColumn('Sum of λ·ln(ratio), the ratio of a page being w/λ (for `age`: w/λ²)', {
    atLeast: -1e200,
    atMost: 1e200,
  }),
  ratioMin: numberColumn('Least ratio', ratios),
  ratioMax: numberColumn('Largest ratio', ratios),
  host: textColumn('Host of the pages, where hosts have limits', { optional: true }),
};

const hostRate = strictObject({
  host: z.string().max(2048).describe('The host, as the buckets name it'),
  maxRate: z.number().min(1e-100).max(1e100).describe('Most crawls of its pages together, per time unit'),
});

const columnName = z
  .string()
  .min(1)
  .max(crawlPriceLimits.nameLength)
  // No control characters.
  .regex(/^\P{Cc}+$/u);

const tableNames = strictObject({
  name: columnName.default('pages').describe('The table; dots part catalogue, schema and name'),
  id: columnName.default('id').describe('Column that names a page'),
  changeRate: columnName.default('change_rate').describe('Column of the change rate λ'),
  weight: columnName.optional().describe('Column of the weight; left out: every page weighs 1'),
  host: columnName.default('host').describe('Column of the host, read where `hosts` are given'),
  bucketWidth: z.number().min(1e-5).max(10).default(0.001).describe('Width of a bucket in ln(ratio)'),
});

const wireRequest = requestSchema({
  buckets: table(bucketColumns, {
    maxRows: crawlPriceLimits.buckets,
    description:
      'The histogram of the pages by ratio: the rows of GROUP BY FLOOR(LN(ratio)/width). Any width and any split will do, so ' +
      'that histograms of shards are merged by sending all their rows',
  }),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .describe(
      'freshness: time a copy is out of date; delay: time a change waits to be seen; age: age of what is shown; harmonic: no page starves',
    ),
  interval: z.number().min(1e-100).max(1e100).optional().describe('Length of the interval in which `crawls` are made'),
  crawls: z.number().min(1e-100).max(1e100).optional().describe('Crawls in the interval'),
  rate: z
    .number()
    .min(1e-100)
    .max(1e100)
    .optional()
    .describe('Crawls per time unit, in place of `crawls` and `interval`'),
  hosts: list(hostRate, { minItems: 0, maxItems: crawlPriceLimits.hosts }, 'hosts {host, maxRate}')
    .optional()
    .describe('Hosts whose pages together may take only so many crawls per time unit'),
  dialect: z
    .enum(dialectNames)
    .optional()
    .describe('Write the SQL of the histogram and of the plan in this dialect, the price filled in'),
  table: tableNames.optional().describe('The names the statements use'),
});

/** A checked request. */
export interface CheckedPrice {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: CrawlPriceProblem;
  readonly hostNames: readonly string[];
  readonly dialect: DialectName | undefined;
  readonly table: z.output<typeof tableNames>;
}

type WireRequest = z.output<typeof wireRequest>;

export const crawlPriceRequest = wireRequest.transform((request, context): CheckedPrice => {
  const refuse = refusals(context.issues);
  const { buckets, objective, dialect } = request;
  const rate = rateOf(request, refuse);
  checkBuckets(buckets, refuse);
  const total = buckets.columns.changeRate.reduce((sum, each) => sum + each, 0);
  if (rate !== null && !(rate / total >= 1e-50 && rate / total <= 1e50)) {
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
    problem: {
      objective,
      rate: rate ?? 1,
      histogram: buckets.columns,
      host:
        hosts.length === 0 ? null : Int32Array.from(buckets.columns.host, (name) => positions.get(name ?? '') ?? -1),
      maxRate: Float64Array.from(hosts, ({ maxRate }) => maxRate),
    },
    hostNames: hosts.map(({ host }) => host),
    dialect,
    table: request.table ?? tableNames.parse({}),
  };
});

function rateOf({ rate, crawls, interval }: WireRequest, refuse: Refuse): number | null {
  if (rate !== undefined && crawls === undefined && interval === undefined) return rate;
  if (rate === undefined && crawls !== undefined && interval !== undefined) return crawls / interval;
  refuse([], 'one-of', 'must have either `rate`, or `crawls` and `interval`', undefined);
  return null;
}

/** What the sums of a bucket must have in common, to within the rounding of sums over very many pages. */
function checkBuckets(
  { form, length, columns }: Pick<Table<Columns>, 'form' | 'length'> & BucketColumns,
  refuse: Refuse,
): void {
  const slack = 1e-7;
  const { changeRate, weight, changeRateLogRatio, ratioMin, ratioMax } = columns;
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
  host: z.string().describe('The host'),
  price: z.number().describe('What a crawl of its pages costs: the price, or more where its limit binds'),
  scale: z.number().describe("By what the rates at that price are multiplied to spend the host's share"),
  rate: z.number().describe('Crawls per time unit of its pages together'),
  limited: z.boolean().describe('Whether its limit binds'),
});

export const crawlPriceSolution = z.object({
  price: z
    .number()
    .describe(
      'What one more crawl is worth, in weight × time; crawl each page at the rate at which its next crawl is worth that',
    ),
  priceBracket: z.array(z.number()).length(2).describe('[low, high]: the exact price lies between them'),
  rate: z.number().describe('Crawls per time unit that the pages take at the price, estimated, before rescaling'),
  scale: z.number().describe('By what to multiply the rates at the price so that they spend what is given out'),
  withoutCrawl: z
    .object({
      pages: z.number().describe('How many pages, estimated'),
      bracket: z.array(z.number()).length(2).describe('[low, high]: the exact number lies between them'),
    })
    .describe('Pages that are never crawled, as their first crawl is worth less than the price'),
  hosts: z.array(hostAnswer).optional().describe('The hosts that were given and occur in the buckets'),
});

export const priceStatements = z
  .object({
    histogram: z.string().describe('Query whose rows are `buckets`, under the same names'),
    plan: z.string().describe('Query that gives id, rate, interval and staleness of every page at the price'),
  })
  .describe('SQL in the dialect asked for');

export const priceToleranceText = String(priceTolerance);
