/**
 * The price of a crawl for the pages of a table, from a survey of them and one more scan, for the certificate. The
 * answer holds for the pages themselves, not only for their histogram. That scan gives what they spend at the price and
 * the dual function, exactly.
 */
import { crawlPriceRequest } from '../../schemas/crawl-price/index.ts';
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
  /** By what rates at the price are multiplied so that they spend the budget, exactly. */
  readonly scale: number;
  readonly objective: { readonly value: number; readonly bound: number; readonly gap: number };
  readonly withoutCrawl: number;
  /** The hosts that have a limit and pages. */
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
  /** The least and the most time between two crawls of any page. */
  readonly within?: IntervalBounds | undefined;
}

/** One scan, under bounds of intervals as many as their price needs. */
export async function pricePages(engine: Engine, question: PageQuestion, survey: Survey): Promise<PricedPages> {
  const { objective, rate } = question;
  const { pages, buckets } = survey;
  const found = priceOf(question, buckets);
  const atPrice: PlanStatement = { pages: question.pages, objective, price: found.price, scale: 1, hosts: [] };
  if (question.within !== undefined) {
    const bounded = { ...atPrice, within: question.within };
    return { pages, buckets: buckets.length, ...(await priceWithBounds(engine, bounded, rate, pages)) };
  }
  const { spending, least, withoutCrawl } = await certified(engine, question, found, survey);
  const { groups, scale, unused } = shareCrawls(spending, rate);
  const paid = groups.reduce((sum, group) => sum + (group.limited ? (group.price - found.price) * group.taken : 0), 0);
  const bound = least - found.price * rate - paid;
  const loss = groups.reduce((sum, group) => sum + rescalingLoss(group), 0);
  const value = bound + found.price * unused + loss;
  const hosts = groups.flatMap(({ host, price, taken, limited, ...group }) =>
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

/** What is to be kept with as few crawls as will do, in the mean by weight. */
export interface TableTarget {
  readonly measure: 'freshness' | 'meanDelay';
  /** Times in the unit of the rate. */
  readonly value: number;
}

/**
 * As few crawls as keep a target, by the histogram alone: no scan more. What the histogram proves from above is
 * within the target, and so is what the pages themselves leave.
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
    `a ${measure} of ${value} cannot be reached: the hosts' limits leave ${measureOfLeft(measure, needed.least / scale)} at best`,
  );
}

/** What the measure of an objective is a mean by: weights, or weights times rates. */
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

/** Null for the pages of no host with a limit. */
type HostSpending = CrawlGroup & { readonly host: string | null };

interface Certificate {
  readonly spending: readonly HostSpending[];
  /** Σ of the least of cost and price over all pages. */
  readonly least: number;
  readonly withoutCrawl: number;
}

/** What the pages spend and cost at the price, hosts with limits apart. It skips those that are surely not crawled. */
async function certified(
  engine: Engine,
  { pages, objective, hosts }: PageQuestion,
  { price, hosts: priced }: CrawlPriceAnswer,
  survey: Survey,
): Promise<Certificate> {
  const ratioFrom = objective === 'freshness' ? leastCrawled(survey.buckets, price) : 0;
  const left = survey.buckets.filter(({ ratioMax }) => ratioMax < ratioFrom);
  const own = new Map(priced.map((each) => [hosts[each.host].host, each]));
  const named = [...own].map(([host, each]) => ({ host, price: each.price, scale: 1 }));
  const statement = { pages, objective, price, scale: 1, hosts: named, ratioFrom };
  const groups = await certifyPages(engine, statement);
  const spending = groups.map(({ host, spent }): HostSpending => {
    const known = host === null ? undefined : own.get(host);
    const maxRate = known === undefined ? Number.POSITIVE_INFINITY : hosts[known.host].maxRate;
    const { limited, price: paid } = known ?? { limited: false, price };
    return { host, maxRate, price: paid, limited, spent };
  });
  const bucketed = survey.buckets.reduce((sum, bucket) => sum + bucket.pages, 0);
  const leftPages = left.reduce((sum, bucket) => sum + bucket.pages, ratioFrom > 0 ? survey.pages - bucketed : 0);
  return {
    spending,
    // what is never crawled costs its weight
    least: [...groups.map((group) => group.least), ...left.map(({ weight }) => weight)].reduce((a, b) => a + b, 0),
    withoutCrawl: groups.reduce((sum, group) => sum + group.withoutCrawl, leftPages),
  };
}

/** A ratio between buckets, below which all pages are worth less than the price. */
function leastCrawled(buckets: readonly BucketRow[], price: number): number {
  let least = Number.POSITIVE_INFINITY;
  // buckets of hosts overlap: none may be cut
  for (const { ratioMin, ratioMax } of buckets.toSorted((a, b) => b.ratioMax - a.ratioMax)) {
    if (ratioMax > price || ratioMax >= least) least = Math.min(least, ratioMin);
  }
  return least;
}

/** What rescaling loses at most: solvers/crawl-price/price-bounds.ts, at an elasticity of 2. */
function rescalingLoss({ price, spent, scale }: Share<CrawlGroup>): number {
  return (price * spent * (scale - 1) ** 2) / scale;
}
