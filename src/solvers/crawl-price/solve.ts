/** The answer of `crawl-price` in the contract's form: the price of a rate, or of the least rate that meets a target. */
import { provedWithin } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { tradeOff } from '../market/index.ts';
import { bindingHosts, type MeasureTarget, measuredCurve, measureOf, targetConflict } from '../pages/targets/index.ts';
import { minimizeRate } from './minimize-rate.ts';
import { createMarket, priceOfRate, priceTolerance } from './price-of-rate.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';

export interface CrawlPriceQuestion {
  readonly problem: CrawlPriceProblem;
  readonly hostNames: readonly string[];
  /** The target that replaces the rate; null: the rate is given. */
  readonly target: MeasureTarget | null;
  readonly curve: boolean;
  /** Sum of the weights by which the measure is a mean. */
  readonly scale: number;
}

/** The prices of an answer, for statements about it. */
export interface PricesInForce {
  readonly price: number;
  readonly scale: number;
  /** Hosts with a price of their own. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
}

/**
 * @throws NothingToReturn when the budget runs out
 * @internal
 */
export function solveCrawlPrice(question: CrawlPriceQuestion, budget: Budget) {
  const { problem, hostNames, target, curve } = question;
  const needed = target === null ? null : minimizeRate(problem, target.whole, budget);
  if (target !== null && needed?.feasible === false) {
    const limits = bindingHosts('maxRate', hostNames, needed.hostPrice);
    return {
      status: 'infeasible' as const,
      conflict: targetConflict(target, needed.minLeft, limits),
      statistics: { solver: 'histogram-price' },
    };
  }
  const found = needed?.feasible === true ? needed.answer : priceOfRate(problem, budget);
  const rate = needed?.feasible === true ? needed.rate : problem.rate;
  const proved = needed?.feasible === true ? provedWithin(priceTolerance, rate, needed.bound) : found;
  const { price, priceBracket, scale, withoutCrawl, evaluations, warnings } = found;
  const hosts = hostsOf(question, found.hosts);
  return {
    status: proved.status,
    objective: proved.objective,
    solution: {
      price,
      priceBracket,
      rate: found.rate,
      scale,
      withoutCrawl,
      ...(needed !== null && { crawls: rate }),
      ...(hostNames.length > 0 && { hosts }),
    },
    beside: curve && rate > 0 ? { curve: curveOf(question, rate, budget) } : {},
    warnings,
    statistics: { solver: 'histogram-price', buckets: problem.histogram.pages.length, evaluations },
    inForce: { price, scale, hosts: hosts.filter(({ limited }) => limited) } satisfies PricesInForce,
  };
}

const hostsOf = ({ hostNames }: CrawlPriceQuestion, hosts: CrawlPriceAnswer['hosts']) =>
  hosts.map(({ host, ...rest }) => ({ host: hostNames[host], ...rest }));

function curveOf({ problem, target, scale }: CrawlPriceQuestion, rate: number, budget: Budget) {
  const measure = target?.measure ?? measureOf(problem.objective);
  return measuredCurve(tradeOff(createMarket(problem, budget).market('estimate'), rate), {
    measure,
    scale,
    perCrawl: 1,
  });
}
