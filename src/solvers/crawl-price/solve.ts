/** The answer of `crawl-price` in the form of the contract: the price of a rate, or of the least rate for a target. */
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
  /** Sum of the pages' scales: the measure is Σ weight·cost over this sum. */
  readonly scale: number;
}

/** The prices of an answer from which the SQL of the plan is written. */
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
  const minRate = target === null ? null : minimizeRate(problem, target.maxResidual, budget);
  if (target !== null && minRate?.feasible === false) {
    const limits = bindingHosts('maxRate', hostNames, minRate.hostPrice);
    return {
      status: 'infeasible' as const,
      conflict: targetConflict(target, minRate.minCost, limits),
      statistics: { solver: 'histogram-price' },
    };
  }
  const answer = minRate?.feasible === true ? minRate.answer : priceOfRate(problem, budget);
  const rate = minRate?.feasible === true ? minRate.rate : problem.rate;
  const proof = minRate?.feasible === true ? provedWithin(priceTolerance, rate, minRate.bound) : answer;
  const { price, priceBracket, scale, withoutCrawl, evaluations, warnings } = answer;
  const hosts = hostsOf(question, answer.hosts);
  return {
    status: proof.status,
    objective: proof.objective,
    solution: {
      price,
      priceBracket,
      rate: answer.rate,
      scale,
      withoutCrawl,
      ...(minRate !== null && { crawls: rate }),
      ...(hostNames.length > 0 && { hosts }),
    },
    supplement: curve && rate > 0 ? { curve: curveOf(question, rate, budget) } : {},
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
