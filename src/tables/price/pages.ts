/**
 * The price of a crawl for the pages of a table, from a survey of them and one more scan, for the certificate. The
 * answer holds for the pages themselves, not only for their histogram. That scan gives what they spend at the price and
 * the dual function, exactly.
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
import { leftOf, measureOfLeft } from '../../solvers/pages/targets/index.ts';
import type { IntervalBounds, PlanStatement, StatementObjective } from '../../statements/index.ts';
import { type Engine, TablesError } from '../engine.ts';
import type { BucketRow, Survey, SurveyQuestion } from '../survey-pages.ts';
import { certifyPages } from './certify-pages.ts';
import { priceWithBounds } from './interval-bounds.ts';

export interface PricedPages {
  readonly pages: number;
  readonly buckets: number;
  readonly price: number;
  readonly priceBracket: readonly number[];
  /** Factor on the rates at the price, so that they spend the budget exactly. */
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
  readonly within?: IntervalBounds | undefined;
}

/** Takes one scan; with interval bounds, one scan a step of the price search. */
export async function pricePages(engine: Engine, question: PageQuestion, survey: Survey): Promise<PricedPages> {
  const { objective, rate } = question;
  const { pages, buckets } = survey;
  const found = priceOf(question, buckets);
  const atPrice: PlanStatement = { pages: question.pages, objective, price: found.price, scale: 1, hosts: [] };
  if (question.within !== undefined) {
    const bounded = { ...atPrice, within: question.within };
    return { pages, buckets: buckets.length, ...(await priceWithBounds(engine, bounded, rate, pages)) };
  }
  const { spending, least, withoutCrawl } = await certifyAtPrice(engine, question, found, survey);
  const { groups, scale, unused } = shareCrawls(spending, rate);
  const paid = groups.reduce(
    (sum, group) => sum + (group.limited ? (group.price - found.price) * group.crawlRate : 0),
    0,
  );
  const bound = least - found.price * rate - paid;
  const loss = groups.reduce((sum, group) => sum + rescalingLoss(group), 0);
  const value = bound + found.price * unused + loss;
  const hosts = groups.flatMap(({ host, price, crawlRate: taken, limited, ...group }) =>
    host === null ? [] : [{ host, price, scale: group.scale, rate: taken, limited }],
  );
  return {
    pages,
    buckets: buckets.length,
    price: found.price,
    priceBracket: found.priceBracket,
    scale,
    objective: { value, bound, gap: relativeGap(value, bound) },
    withoutCrawl,
    ...(question.hosts.length > 0 && { hosts }),
  };
}

/** A target for the weighted mean, to be reached with the fewest crawls. */
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
  if (question.within !== undefined) {
    throw new TablesError('a target does not go with --min-interval and --max-interval: give --crawls');
  }
  const { measure, value } = target;
  const problem = problemOf({ ...question, rate: 1 }, survey.buckets);
  const scale = scaleOf(question.objective, survey.buckets);
  const needed = minimizeRate(problem, leftOf(measure, value) * scale, unlimitedBudget());
  if (needed.feasible) return needed.rate;
  throw new TablesError(
    `a ${measure} of ${value} cannot be reached: the hosts' limits leave ${measureOfLeft(measure, needed.minCost / scale)} at best`,
  );
}

/** Normalisation of an objective's measure: the sum of the weights, or of weights times rates. */
const scaleOf = (objective: StatementObjective, rows: readonly BucketRow[]): number =>
  rows.reduce((sum, each) => sum + (objective === 'freshness' ? each.weight : (each.weightTimesRate ?? 0)), 0);

const priceOf = (question: PageQuestion, rows: readonly BucketRow[]): CrawlPriceAnswer =>
  priceOfRate(problemOf(question, rows), unlimitedBudget());

function problemOf({ objective, rate, hosts }: PageQuestion, rows: readonly BucketRow[]): CrawlPriceProblem {
  const column = <Name extends keyof BucketRow>(name: Name): BucketRow[Name][] => rows.map((row) => row[name]);
  const numbers = ['pages', 'changeRate', 'weight', 'changeRateLogRatio', 'ratioMin', 'ratioMax'] as const;
  const buckets = Object.fromEntries(numbers.map((name) => [name, column(name)]));
  const byHost = hosts.length > 0 && { hosts, buckets: { ...buckets, host: column('host') } };
  const checked = crawlPriceRequest.safeParse({ objective, rate, buckets, ...byHost });
  if (!checked.success) throw new TablesError(`no price can be computed: ${checked.error.issues[0].message}`);
  return checked.data.problem;
}

/** `host` is null for the pages of hosts without a limit. */
type HostSpending = CrawlGroup & { readonly host: string | null };

interface Certificate {
  readonly spending: readonly HostSpending[];
  /** Σ min(cost, price) over all pages. */
  readonly least: number;
  readonly withoutCrawl: number;
}

/** Spending and cost at the price, by limited host; buckets that are certainly not crawled are not scanned. */
async function certifyAtPrice(
  engine: Engine,
  { pages, objective, hosts }: PageQuestion,
  { price, hosts: priced }: CrawlPriceAnswer,
  survey: Survey,
): Promise<Certificate> {
  const ratioFrom = objective === 'freshness' ? crawlThreshold(survey.buckets, price) : 0;
  const left = survey.buckets.filter(({ ratioMax }) => ratioMax < ratioFrom);
  const own = new Map(priced.map((each) => [hosts[each.host].host, each]));
  const named = [...own].map(([host, each]) => ({ host, price: each.price, scale: 1 }));
  const statement = { pages, objective, price, scale: 1, hosts: named, ratioFrom };
  const groups = await certifyPages(engine, statement);
  const spending = groups.map(({ host, spent }): HostSpending => {
    const known = host === null ? undefined : own.get(host);
    const maxRate = known === undefined ? Number.POSITIVE_INFINITY : hosts[known.host].maxRate;
    const { limited, price: paid } = known ?? { limited: false, price };
    return { host, maxRate, price: paid, limited, demand: spent };
  });
  const bucketed = survey.buckets.reduce((sum, bucket) => sum + bucket.pages, 0);
  const leftPages = left.reduce((sum, bucket) => sum + bucket.pages, ratioFrom > 0 ? survey.pages - bucketed : 0);
  return {
    spending,
    // a page that is never crawled costs its weight
    least: [...groups.map((group) => group.least), ...left.map(({ weight }) => weight)].reduce((a, b) => a + b, 0),
    withoutCrawl: groups.reduce((sum, group) => sum + group.withoutCrawl, leftPages),
  };
}

/** A bucket boundary below which every page is worth less than the price. */
function crawlThreshold(buckets: readonly BucketRow[], price: number): number {
  let least = Number.POSITIVE_INFINITY;
  // buckets of different hosts overlap, so the boundary must not fall inside one
  for (const { ratioMin, ratioMax } of buckets.toSorted((a, b) => b.ratioMax - a.ratioMax)) {
    if (ratioMax > price || ratioMax >= least) least = Math.min(least, ratioMin);
  }
  return least;
}

/** Upper bound on the loss by rescaling (solvers/crawl-price/price-bounds.ts), with elasticity 2. */
function rescalingLoss({ price, demand: spent, scale }: Share<CrawlGroup>): number {
  return (price * spent * (scale - 1) ** 2) / scale;
}
