/**
 * The price of a crawl for the pages of a table, from their histogram and one more scan for the certificate. The scan
 * gives the crawl rate at the price and the dual function exactly, so that the answer holds for the pages, not only for
 * their histogram.
 */
import { crawlPriceRequest } from '../../schemas/crawl-price.ts';
import { relativeGap } from '../../solvers/answer.ts';
import { unlimitedBudget } from '../../solvers/budget.ts';
import {
  type CrawlGroup,
  type CrawlPriceAnswer,
  type CrawlPriceProblem,
  minimizeRate,
  priceOfRate,
  type Share,
  shareCrawls,
} from '../../solvers/crawl-price/index.ts';
import { residualOf } from '../../solvers/pages/targets/index.ts';
import {
  certificateStatement,
  type IntervalBounds,
  type PlanStatement,
  type StatementObjective,
} from '../../statements/index.ts';
import { type Engine, parseNumber, TablesError } from '../engine.ts';
import type { BucketRow, Survey, SurveyQuestion } from '../survey-pages.ts';
import { priceWithBounds } from './interval-bounds.ts';

export interface PricedPages {
  readonly pages: number;
  readonly buckets: number;
  readonly price: number;
  readonly priceBracket: readonly number[];
  /** Factor on the crawl rates at the price, so that they sum to the rate of the plan. */
  readonly scale: number;
  readonly objective: { readonly value: number; readonly bound: number; readonly gap: number };
  readonly withoutCrawl: number;
  /** Hosts with a limit and at least one page. */
  readonly hosts?: readonly PricedHost[];
}

interface PricedHost {
  readonly host: string;
  readonly price: number;
  readonly scale: number;
  /** Crawls of its pages per time unit. */
  readonly rate: number;
  readonly limited: boolean;
}

export interface PageQuestion extends SurveyQuestion {
  /** Crawls per time unit. */
  readonly rate: number;
  /** Minimum and maximum time between two crawls of any page. */
  readonly intervalBounds?: IntervalBounds | undefined;
}

/** Price and certificate of a rate of crawls. One scan; with interval bounds one scan a step of the price search. */
export async function pricePages(engine: Engine, question: PageQuestion, survey: Survey): Promise<PricedPages> {
  const { objective, rate } = question;
  const { pages, buckets } = survey;
  const solution = priceOf(question, buckets);
  const atPrice: PlanStatement = { pages: question.pages, objective, price: solution.price, scale: 1, hosts: [] };
  if (question.intervalBounds !== undefined) {
    const statement = { ...atPrice, intervalBounds: question.intervalBounds };
    return { pages, buckets: buckets.length, ...(await priceWithBounds(engine, statement, rate, pages)) };
  }
  const { hostSpending, minLagrangian, withoutCrawl } = await certifyAtPrice(engine, question, solution, survey);
  const { groups, scale, unusedCrawls } = shareCrawls(hostSpending, rate);
  const limitCost = groups.reduce(
    (sum, group) => sum + (group.limited ? (group.price - solution.price) * group.crawlRate : 0),
    0,
  );
  const bound = minLagrangian - solution.price * rate - limitCost;
  const loss = groups.reduce((sum, group) => sum + rescalingLoss(group), 0);
  const value = bound + solution.price * unusedCrawls + loss;
  const hosts = groups.flatMap(({ host, price, crawlRate, limited, ...group }) =>
    host === null ? [] : [{ host, price, scale: group.scale, rate: crawlRate, limited }],
  );
  return {
    pages,
    buckets: buckets.length,
    price: solution.price,
    priceBracket: solution.priceBracket,
    scale,
    objective: { value, bound, gap: relativeGap(value, bound) },
    withoutCrawl,
    ...(question.hosts.length > 0 && { hosts }),
  };
}

/** A target for the weighted mean of a measure, to be reached with the fewest crawls. */
export interface TableTarget {
  readonly measure: 'freshness' | 'meanDelay';
  /** A share of time, or a time in the unit of the rate. */
  readonly value: number;
}

/**
 * The fewest crawls that reach a target, from the histogram alone, without another scan. The histogram's upper bound on
 * the cost meets the target, so the pages themselves meet it too.
 */
export function rateForTarget(question: Omit<PageQuestion, 'rate'>, survey: Survey, target: TableTarget): number {
  if (question.intervalBounds !== undefined) {
    throw new TablesError('a target does not go with --min-interval and --max-interval: give --crawls');
  }
  const { measure, value } = target;
  const problem = problemOf({ ...question, rate: 1 }, survey.buckets);
  const scale = scaleOf(question.objective, survey.buckets);
  const minimum = minimizeRate(problem, residualOf(measure, value) * scale, unlimitedBudget());
  if (minimum.feasible) return minimum.rate;
  throw new TablesError(
    `a ${measure} of ${value} cannot be reached: the hosts' limits leave ${residualOf(measure, minimum.minCost / scale)} at best`,
  );
}

/** The sum by which the measure of an objective is a mean: of the weights, or of weights × rates. */
const scaleOf = (objective: StatementObjective, rows: readonly BucketRow[]): number =>
  rows.reduce((sum, each) => sum + (objective === 'freshness' ? each.weight : (each.weightTimesRate ?? 0)), 0);

const priceOf = (question: PageQuestion, rows: readonly BucketRow[]): CrawlPriceAnswer =>
  priceOfRate(problemOf(question, rows), unlimitedBudget());

function problemOf({ objective, rate, hosts }: PageQuestion, rows: readonly BucketRow[]): CrawlPriceProblem {
  const column = <Name extends keyof BucketRow>(name: Name): BucketRow[Name][] => rows.map((row) => row[name]);
  const numbers = ['pages', 'changeRate', 'weight', 'changeRateLogRatio', 'ratioMin', 'ratioMax'] as const;
  const buckets = Object.fromEntries(numbers.map((name) => [name, column(name)]));
  const hostColumns = hosts.length > 0 && { hosts, buckets: { ...buckets, host: column('host') } };
  const parsed = crawlPriceRequest.safeParse({ objective, rate, buckets, ...hostColumns });
  if (!parsed.success) throw new TablesError(`no price can be computed: ${parsed.error.issues[0].message}`);
  return parsed.data.problem;
}

/** Demand of the pages of a host; `host` is null for all pages of hosts without a limit. */
type HostSpending = CrawlGroup & { readonly host: string | null };

interface Certificate {
  readonly hostSpending: readonly HostSpending[];
  /** Sum over all pages of the least cost plus price × rate: the dual function plus price × rate of the plan. */
  readonly minLagrangian: number;
  readonly withoutCrawl: number;
}

/** Spending and cost at the price, by limited host; buckets that are certainly not crawled are not scanned. */
async function certifyAtPrice(
  engine: Engine,
  { pages, objective, hosts }: PageQuestion,
  { price, hosts: hostPrices }: CrawlPriceAnswer,
  survey: Survey,
): Promise<Certificate> {
  const ratioFrom = objective === 'freshness' ? crawlThreshold(survey.buckets, price) : 0;
  const skippedBuckets = survey.buckets.filter(({ ratioMax }) => ratioMax < ratioFrom);
  const priceByHost = new Map(hostPrices.map((each) => [hosts[each.host].host, each]));
  const pricedHosts = [...priceByHost].map(([host, each]) => ({ host, price: each.price, scale: 1 }));
  const statement = { pages, objective, price, scale: 1, hosts: pricedHosts, ratioFrom };
  const rows = await engine.rows(certificateStatement(engine.dialect, statement));
  // a row for each host with a price of its own, and one for all other pages
  const hostSpending = rows.map((row): HostSpending => {
    const host = typeof row.host === 'string' ? row.host : null;
    const hostPrice = host === null ? undefined : priceByHost.get(host);
    const maxRate = hostPrice === undefined ? Number.POSITIVE_INFINITY : hosts[hostPrice.host].maxRate;
    const { limited, price: groupPrice } = hostPrice ?? { limited: false, price };
    return { host, maxRate, price: groupPrice, limited, demand: parseNumber(row.spent) };
  });
  const pagesInBuckets = survey.buckets.reduce((sum, bucket) => sum + bucket.pages, 0);
  const skippedPages = skippedBuckets.reduce(
    (sum, bucket) => sum + bucket.pages,
    ratioFrom > 0 ? survey.pages - pagesInBuckets : 0,
  );
  return {
    hostSpending,
    // a page that is never crawled costs its weight
    minLagrangian: [
      ...rows.map(({ least }) => parseNumber(least)),
      ...skippedBuckets.map(({ weight }) => weight),
    ].reduce((a, b) => a + b, 0),
    withoutCrawl: rows.reduce((sum, row) => sum + parseNumber(row.withoutCrawl), skippedPages),
  };
}

/** A ratio between buckets below which no page is crawled at the price: pages below it need no scan. */
function crawlThreshold(buckets: readonly BucketRow[], price: number): number {
  let threshold = Number.POSITIVE_INFINITY;
  // buckets of different hosts overlap, so the boundary must not fall inside one
  for (const { ratioMin, ratioMax } of buckets.toSorted((a, b) => b.ratioMax - a.ratioMax)) {
    if (ratioMax > price || ratioMax >= threshold) threshold = Math.min(threshold, ratioMin);
  }
  return threshold;
}

/** Upper bound on the loss by rescaling (solvers/crawl-price/price-bounds.ts), with elasticity 2. */
function rescalingLoss({ price, demand: spent, scale }: Share<CrawlGroup>): number {
  return (price * spent * (scale - 1) ** 2) / scale;
}
