import * as contract from '../schemas/crawl-price.ts';
import { targetAnswerFields, targetConflict } from '../schemas/parts/target.ts';
import { type PricesInForce, priceTolerance, solveCrawlPrice } from '../solvers/crawl-price/index.ts';
import { stalenessCost } from '../solvers/pages/objectives/index.ts';
import { nextPrice } from '../solvers/price-policy/index.ts';
import { dialects, histogramStatement, isStatementObjective, planStatement, tableName } from '../statements/index.ts';
import { defineOperation } from './operation.ts';

export const crawlPrice = defineOperation({
  name: 'crawl-price',
  tag: 'plans',
  summary: 'The price of a crawl for any number of pages, from a histogram of them',
  description: [
    'A table of 10⁷ to 10¹⁰ pages stays where it is. One number couples its pages, the price of a crawl: given it, each page knows its',
    'own rate. The price comes from one GROUP BY over buckets of ratios weight/change rate. A few thousand rows give the price, an',
    'interval that contains the exact price, and proved bounds of the cost.',
    '',
    'Send the rows of all shards to merge their histograms. With `dialect` the answer has the SQL of the histogram and of the plan, with',
    'the price filled in. Pages change by Poisson processes; the objective is a cost per time unit, for',
    `freshness Σ weight·staleness. \`optimal\`: the gap is at most ${priceTolerance}.`,
    '',
    'With `feedback` it takes no pages: from the fetches made at a price and those wanted, it answers the next price.',
    '',
    'Sources: J. Cho, H. Garcia-Molina, Effective page refresh policies for web crawlers, ACM TODS 28 (2003); E. G. Coffman, Z. Liu,',
    'R. R. Weber, J. Scheduling 1 (1998); A. Kolobov et al., NeurIPS 2019 (harmonic).',
  ].join('\n'),
  request: contract.crawlPriceRequest,
  solution: contract.crawlPriceSolution,
  sentence: contract.crawlPriceSentence,
  objective: ({ problem, target }) =>
    target === null ? stalenessCost(problem.objective).measured : { measure: 'crawls', unit: 'crawls per time unit' },
  supplement: { statements: contract.priceStatements.optional(), curve: targetAnswerFields.curve },
  conflict: targetConflict,
  examples: {
    'crawl-price': 'A million pages in 48 buckets, and the statements for DuckDB',
    'crawl-price-feedback': 'The next price, from what was fetched in the last half day',
    'crawl-price-target': 'How few crawls keep a million pages current 60% of the time',
  },
  limits: contract.crawlPriceLimits,
  // about 45 prices at a microsecond a bucket, and a search for each point of the curve
  work: ({ problem, target, curve }) =>
    60_000 * problem.histogram.pages.length * ((target === null ? 1 : 2) + (curve ? 20 : 0)),
  solve(request, budget) {
    const { feedback } = request;
    if (feedback !== undefined) {
      const solution = { price: nextPrice(feedback) };
      return { status: 'evaluated', solution, statistics: { solver: 'price-feedback' } };
    }
    const answer = solveCrawlPrice(request, budget);
    if (answer.status === 'infeasible') return answer;
    const { inForce, ...wireAnswer } = answer;
    return { ...wireAnswer, supplement: { ...wireAnswer.supplement, statements: statementsOf(request, inForce) } };
  },
});

/** The requested SQL statements, with the prices filled in. */
function statementsOf(
  { statements, problem, hostNames }: contract.CheckedPrice,
  { price, scale, hosts }: PricesInForce,
): { histogram: string; plan: string } | undefined {
  const { objective } = problem;
  if (statements === undefined || !isStatementObjective(objective)) return undefined;
  const { table } = statements;
  const dialect = dialects[statements.dialect];
  const pages = { ...table, from: tableName(dialect, table.name.split('.')) };
  const groupBy = hostNames.length > 0 ? 'host' : undefined;
  return {
    histogram: histogramStatement(dialect, { pages, objective, width: table.bucketWidth, groupBy }),
    plan: planStatement(dialect, {
      pages,
      objective,
      price,
      scale,
      hosts,
      nextFetch: table.lastCrawl && {
        lastCrawl: table.lastCrawl.column,
        format: 'epoch-seconds',
        secondsPerUnit: table.lastCrawl.secondsPerUnit,
      },
    }),
  };
}
