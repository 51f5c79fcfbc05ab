/** The answer of `crawl-price` as the contract has it: the price of a rate, or of the least rate that keeps targets. */
import { provedWithin } from '../answer.ts';
import type { Budget } from '../budget.ts';
import {
  type AskedTarget,
  askingLess,
  bindingHosts,
  type Groups,
  measureOf,
  missedTarget,
  raisedLimits,
  told,
  toldCurve,
  toldPrice,
} from '../pages/targets/index.ts';
import { type NeededByTarget, neededByTarget, type TargetsMissed } from './needed-by-target.ts';
import { neededRate, priceCurve } from './needed-rate.ts';
import { priceOfRate, priceTolerance } from './price-of-rate.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';

export interface CrawlPriceQuestion {
  readonly problem: CrawlPriceProblem;
  readonly hostNames: readonly string[];
  /** What stands in the place of the rate; null: the problem has it. */
  readonly asked: AskedTarget | null;
  readonly curve: boolean;
  /** Σ of what the measure is a mean by. */
  readonly scale: number;
}

/** What a statement needs of an answer. */
export interface PricesInForce {
  /** Null: pages without a target of their own are not crawled. */
  readonly price: number | null;
  readonly scale: number;
  /** Hosts and classes whose price is their own. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
}

/**
 * @throws NothingToReturn when the budget runs out
 * @internal
 */
export function solveCrawlPrice(question: CrawlPriceQuestion, budget: Budget) {
  const { problem, hostNames, asked, curve } = question;
  if (asked !== null && asked.own !== null) return byTargets(question, { ...asked, own: asked.own }, budget);
  const needed = asked === null ? null : neededRate(problem, asked.whole, budget);
  if (asked !== null && needed?.met === false) return missed(question, asked, { ...needed, group: -1, others: [] });
  const found = needed?.met === true ? needed.answer : priceOfRate(problem, budget);
  const rate = needed?.met === true ? needed.rate : problem.rate;
  const proved = needed?.met === true ? provedWithin(priceTolerance, rate, needed.bound) : found;
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
  hosts.map(({ host, limitedBy: _, ...rest }) => ({ host: hostNames[host], ...rest }));

/** Targets of classes and hosts, with that of all pages beside them. */
function byTargets(question: CrawlPriceQuestion, asked: AskedTarget & { readonly own: Groups }, budget: Budget) {
  const { problem, hostNames } = question;
  const needed = neededByTarget(problem, asked, budget, question);
  if (!needed.met) return missed(question, asked, needed);
  const parts = [...needed.apart, ...(needed.rest === null ? [] : [needed.rest])].map(({ answer }) => answer);
  const hosts = hostsOf(
    question,
    parts.flatMap((part) => part.hosts).sort((a, b) => a.host - b.host),
  );
  const rest = needed.rest?.answer;
  const sum = (of: (part: CrawlPriceAnswer) => number): number => parts.reduce((all, each) => all + of(each), 0);
  const own = asked.owns.map((each, g) => ({ ...needed.groups[g], host: each.class ?? each.host ?? '' }));
  return {
    ...provedWithin(priceTolerance, needed.rate, needed.bound),
    solution: {
      price: rest?.price ?? null,
      ...(rest !== undefined && { priceBracket: rest.priceBracket, scale: rest.scale }),
      rate: sum((each) => each.rate),
      withoutCrawl: {
        pages: sum((each) => each.withoutCrawl.pages),
        bracket: [sum((each) => each.withoutCrawl.bracket[0]), sum((each) => each.withoutCrawl.bracket[1])],
      },
      crawls: needed.rate,
      ...(hostNames.length > 0 && { hosts }),
    },
    beside: {
      targets: targetsOf(asked, needed),
      ...(question.curve && {
        curve: toldCurve(needed.curve, { measure: asked.measure, scale: question.scale, perCrawl: 1 }),
      }),
    },
    warnings: parts.flatMap((each) => each.warnings),
    statistics: {
      solver: 'histogram-price',
      buckets: problem.histogram.pages.length,
      evaluations: sum((each) => each.evaluations),
    },
    inForce: {
      price: rest?.price ?? null,
      scale: rest?.scale ?? 1,
      hosts: [...hosts.filter(({ limited }) => limited), ...own.filter(({ apart }) => apart)],
    } satisfies PricesInForce,
  };
}

function targetsOf({ owns }: AskedTarget, { groups }: NeededByTarget) {
  return owns.map((each, g) => ({
    ...(each.class !== undefined && { class: each.class }),
    ...(each.host !== undefined && { host: each.host }),
    crawls: groups[g].crawls,
    ...told(each.measure, groups[g].left, each.scale),
    // what no crawl is needed for has none
    price: groups[g].crawls > 0 ? toldPrice(groups[g].price, each.scale) : null,
    crawlPrice: groups[g].price,
    crawlPriceBracket: groups[g].priceBracket,
    scale: groups[g].scale,
    bound: groups[g].apart ? groups[g].bound : null,
  }));
}

/** The target that hosts' limits leave out of reach. */
function missed({ problem, hostNames }: CrawlPriceQuestion, asked: AskedTarget, found: TargetsMissed) {
  const scale = found.group < 0 ? asked.scale : asked.owns[found.group].scale;
  const hosts = hostNames.map((host, h) => ({ host, most: problem.maxRate[h] }));
  const limits = { limit: 'maxRate', hosts } as const;
  const binding = bindingHosts(limits, found.hostPrice, (price) => price / scale);
  const raised = found.others.length === 0 ? raisedLimits(limits, found.eased) : [];
  return {
    status: 'infeasible' as const,
    conflict: missedTarget(asked, found, binding, [...askingLess(asked, found), ...raised]),
    statistics: { solver: 'histogram-price' },
  };
}

function curveOf({ problem, asked, scale }: CrawlPriceQuestion, rate: number, budget: Budget) {
  const measure = asked?.measure ?? measureOf(problem.objective);
  return toldCurve(priceCurve(problem, rate, budget), { measure, scale, perCrawl: 1 });
}
