import {
  type CheckedPrice,
  crawlPriceLimits,
  crawlPriceRequest,
  crawlPriceSentence,
  crawlPriceSolution,
  priceStatements,
  priceToleranceText,
} from '../schemas/crawl-price.ts';
import { objectiveMeasures } from '../schemas/parts/objective-measures.ts';
import { targetBeside, toldCurve } from '../schemas/parts/targets/answer.ts';
import type { AskedTarget } from '../schemas/parts/targets/asked.ts';
import {
  askingLess,
  bindingHosts,
  missedTarget,
  raisedLimits,
  targetConflict,
} from '../schemas/parts/targets/conflict.ts';
import { measureOf } from '../schemas/parts/targets/measures.ts';
import { objective as objectiveOf } from '../solvers/answer.ts';
import type { Budget } from '../solvers/budget.ts';
import { nextPrice } from '../solvers/by-price/index.ts';
import {
  type NeededRateMissed,
  neededRate,
  priceCurve,
  priceTolerance,
  solveCrawlPrice,
} from '../solvers/crawl-price/index.ts';
import { dialects, histogramStatement, planStatement, tableName } from '../statements/index.ts';
import { defineOperation } from './operation.ts';

export const crawlPrice = defineOperation({
  name: 'crawl-price',
  tag: 'plans',
  summary: 'The price of a crawl for any number of pages, from a histogram of them',
  description: [
    'A table of 10⁷ to 10¹⁰ pages stays where it is. What couples its pages is one number, the price of a crawl; given it, each page',
    'knows its own rate. The price comes from one GROUP BY: for every bucket of ratios weight/change rate the number of pages, the sums',
    'of change rates, of weights and of change rate × ln(ratio), the least and the largest ratio. A few thousand rows give the price, an',
    'interval in which the exact price lies, and proved bounds of the cost.',
    '',
    'Histograms of shards, days or engines are merged by sending all their rows. With `dialect` the answer has the SQL of the histogram and',
    'of the pass that writes the plan, the price filled in. Pages change by Poisson processes; the objective is a cost per time unit, for',
    `freshness Σ weight·staleness. \`optimal\`: the gap is at most ${priceToleranceText}.`,
    '',
    'With `feedback` it takes no pages at all: from what was fetched lately at a price and what was wanted, it answers the next price.',
    '',
    'Sources: J. Cho, H. Garcia-Molina, Effective page refresh policies for web crawlers, ACM TODS 28 (2003); E. G. Coffman, Z. Liu,',
    'R. R. Weber, J. Scheduling 1 (1998); A. Kolobov et al., NeurIPS 2019 (harmonic). The bounds: the principal representations of S. Karlin,',
    'W. J. Studden, Tchebycheff Systems (1966).',
  ].join('\n'),
  request: crawlPriceRequest,
  solution: crawlPriceSolution,
  sentence: crawlPriceSentence,
  objective: ({ problem, asked }) =>
    asked === null ? objectiveMeasures[problem.objective] : { measure: 'crawls', unit: 'crawls per time unit' },
  beside: { statements: priceStatements.optional(), curve: targetBeside.curve },
  conflict: targetConflict,
  examples: [
    { name: 'crawl-price', summary: 'A million pages in 48 buckets, and the statements for DuckDB' },
    { name: 'crawl-price-feedback', summary: 'The next price, from what was fetched in the last half day' },
    { name: 'crawl-price-target', summary: 'How few crawls keep a million pages current 60% of the time' },
    { name: 'crawl-price-hosts', summary: 'Feeds by delay, two hosts with limits, in columns' },
  ],
  limits: crawlPriceLimits,
  // some 45 prices, a microsecond a bucket, and a search for the points of each
  work: ({ problem, asked, curve }) =>
    60_000 * problem.histogram.pages.length * ((asked === null ? 1 : 10) + (curve ? 20 : 0)),
  solve(request, budget) {
    const { problem, hostNames, feedback, asked, curve } = request;
    if (feedback !== undefined) {
      return {
        status: 'evaluated',
        solution: { price: nextPrice(feedback) },
        warnings: [],
        statistics: { solver: 'price-feedback' },
      };
    }
    const needed = asked === null ? null : neededRate(problem, asked.whole, budget);
    if (asked !== null && needed?.met === false) {
      const conflict = missedHere(request, asked, needed);
      return { status: 'infeasible', conflict, warnings: [], statistics: { solver: 'histogram-price' } };
    }
    const rate = needed?.met === true ? needed.rate : problem.rate;
    const answer = needed?.met === true ? needed.answer : solveCrawlPrice(problem, budget);
    const { warnings, evaluations, ...found } = answer;
    const objective = needed?.met === true ? objectiveOf(rate, needed.bound) : answer.objective;
    const proved = objective.gap !== null && objective.gap <= priceTolerance;
    const status = needed === null ? answer.status : proved ? 'optimal' : 'feasible';
    const hosts = found.hosts.map(({ host, ...rest }) => ({ host: hostNames[host], ...rest }));
    return {
      status,
      objective,
      solution: {
        price: found.price,
        priceBracket: [...found.priceBracket],
        rate: found.rate,
        scale: found.scale,
        withoutCrawl: { pages: found.withoutCrawl.pages, bracket: [...found.withoutCrawl.bracket] },
        ...(needed?.met === true && { crawls: rate }),
        ...(hostNames.length > 0 && { hosts }),
      },
      beside: {
        ...(curve && rate > 0 && { curve: curveOf(request, rate, budget) }),
        statements: statementsOf(request, found.price, found.scale, hosts),
      },
      warnings,
      statistics: { solver: 'histogram-price', buckets: problem.histogram.pages.length, evaluations },
    };
  },
});

/** The target that hosts' limits leave out of reach. */
function missedHere({ problem, hostNames }: CheckedPrice, asked: AskedTarget, missed: NeededRateMissed) {
  const hosts = hostNames.map((host, h) => ({ host, most: problem.maxRate[h] }));
  const limits = { limit: 'maxRate', hosts } as const;
  const binding = bindingHosts(limits, missed.hostPrice, (price) => price / asked.scale);
  const { least, eased } = missed;
  const repairs = [...askingLess(asked, { group: -1, least }), ...raisedLimits(limits, eased)];
  return missedTarget(asked, { group: -1, least }, binding, repairs);
}

function curveOf({ problem, asked, scale }: CheckedPrice, rate: number, budget: Budget) {
  const measure = asked?.measure ?? measureOf[problem.objective];
  return toldCurve(priceCurve(problem, rate, budget), { measure, scale, perCrawl: 1 });
}

function statementsOf(
  { dialect: name, table, problem, hostNames }: CheckedPrice,
  price: number,
  scale: number,
  hosts: readonly { host: string; price: number; scale: number; limited: boolean }[],
): { histogram: string; plan: string } | undefined {
  const { objective } = problem;
  if (name === undefined) return undefined;
  const dialect = dialects[name];
  const byHost = hostNames.length > 0;
  const pages = { ...table, from: tableName(dialect, table.name.split('.')) };
  const width = table.bucketWidth;
  return {
    histogram: histogramStatement(dialect, { pages, objective, width, byHost }),
    plan: planStatement(dialect, { pages, objective, price, scale, hosts: hosts.filter(({ limited }) => limited) }),
  };
}
