import {
  type CheckedPrice,
  crawlPriceLimits,
  crawlPriceRequest,
  crawlPriceSolution,
  priceStatements,
  priceToleranceText,
} from '../schemas/crawl-price.ts';
import { solveCrawlPrice } from '../solvers/crawl-price/index.ts';
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
    'Sources: J. Cho, H. Garcia-Molina, Effective page refresh policies for web crawlers, ACM TODS 28 (2003); E. G. Coffman, Z. Liu,',
    'R. R. Weber, J. Scheduling 1 (1998); A. Kolobov et al., NeurIPS 2019 (harmonic). The bounds: the principal representations of S. Karlin,',
    'W. J. Studden, Tchebycheff Systems (1966).',
  ].join('\n'),
  request: crawlPriceRequest,
  solution: crawlPriceSolution,
  beside: { statements: priceStatements.optional() },
  examples: [
    { name: 'crawl-price', summary: 'A million pages in 41 buckets, and the statements for DuckDB' },
    { name: 'crawl-price-hosts', summary: 'Feeds by delay, two hosts with limits, in columns' },
  ],
  limits: crawlPriceLimits,
  // some 45 prices, a microsecond a bucket, and a search for the points of each
  work: ({ problem }) => 60_000 * problem.histogram.pages.length,
  solve(request, budget) {
    const { problem, hostNames } = request;
    const { status, objective, warnings, evaluations, ...found } = solveCrawlPrice(problem, budget);
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
        ...(hostNames.length > 0 && { hosts }),
      },
      beside: { statements: statementsOf(request, found.price, found.scale, hosts) },
      warnings,
      statistics: { solver: 'histogram-price', buckets: problem.histogram.pages.length, evaluations },
    };
  },
});

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
