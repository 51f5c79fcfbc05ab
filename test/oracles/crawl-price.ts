/**
 * Checks an answer of crawl-price with code that it does not share with the solver. Crawl rates are found by bisection
 * on the derivative of the cost, costs by their definition. The pages of a bucket count as all at the smallest ratio,
 * at the largest, or at the mean. These bounds are coarser than those of the solver, and enough to detect a wrong
 * price, bracket, bound or cost.
 */

import type { CrawlPriceAnswer, CrawlPriceProblem } from '../../src/solvers/crawl-price/problem.ts';
import type { ObjectiveName } from '../../src/solvers/pages/objectives/index.ts';
import { costDefinition } from './cost-definition.ts';
import { faultList } from './faults.ts';

type Checked = Pick<CrawlPriceAnswer, 'price' | 'priceBracket' | 'objective'> & {
  readonly hosts: CrawlPriceAnswer['hosts'];
};

/** Relative tolerances of crawl rates and of the bound. */
const slack = 1e-9;
const rounding = 1e-12;

/** The faults of an answer, one sentence each. */
export function certifyCrawlPrice(problem: CrawlPriceProblem, answer: Checked): string[] {
  const { histogram, host, maxRate, objective, rate } = problem;
  const { faults, expect } = faultList();
  const [low, high] = answer.priceBracket;
  expect(
    low <= answer.price && answer.price <= high,
    `the price ${answer.price} is not in its bracket ${low}, ${high}`,
  );
  const count = histogram.pages.length;
  const crawlsAt = (price: number, ratios: Float64Array): number => {
    const byHost = new Float64Array(maxRate.length);
    let sum = 0;
    for (let b = 0; b < count; b++) {
      const crawls = histogram.changeRate[b] / bestChanges(objective, ratios[b], price);
      if (host === null || host[b] < 0) sum += crawls;
      else byHost[host[b]] += crawls;
    }
    return byHost.reduce((all, crawls, h) => all + Math.min(crawls, maxRate[h]), sum);
  };
  if (answer.price > 0) {
    const minCrawls = crawlsAt(high, histogram.ratioMin);
    const maxCrawls = crawlsAt(low, histogram.ratioMax);
    expect(minCrawls <= rate * (1 + slack), `above the bracket ${minCrawls} crawls would be made, more than ${rate}`);
    expect(maxCrawls >= rate * (1 - slack), `below the bracket ${maxCrawls} crawls would be made, fewer than ${rate}`);
  }
  const prices = new Map(answer.hosts.map((each) => [each.host, each.price]));
  let chords = 0;
  let means = 0;
  for (let b = 0; b < count; b++) {
    const own = costBounds(problem, b, prices.get(host === null ? -1 : host[b]) ?? answer.price);
    chords += own.chord;
    means += own.mean;
  }
  let paid = answer.price * rate;
  for (const { host: h, price, rate: taken } of answer.hosts) {
    paid += (price - answer.price) * maxRate[h];
    expect(taken <= maxRate[h] * (1 + 1e-6), `host ${h} has ${taken} crawls, above its limit`);
  }
  const { value, bound } = answer.objective;
  const size = slack * (means + paid);
  expect(bound !== null && bound <= value * (1 + rounding), `the bound ${bound} is above the value ${value}`);
  expect(
    bound !== null && bound >= chords - paid - size,
    `the bound ${bound} is below that of the chords, ${chords - paid}`,
  );
  expect(bound !== null && bound <= means - paid + size, `the bound ${bound} is above the dual, ${means - paid}`);
  for (const each of answer.hosts) {
    expect(each.price >= answer.price, `host ${each.host} pays ${each.price}, less than the price`);
  }
  return faults;
}

/** Lower and upper bound on the least cost of a bucket, crawls at a price included, by its range and its mean ratio. */
function costBounds({ histogram, objective }: CrawlPriceProblem, b: number, price: number) {
  const minCost = (ratio: number): number => {
    const y = bestChanges(objective, ratio, price);
    return y === Infinity ? ratio : (ratio * costDefinition(objective).over(1, y)) / y + price / y;
  };
  const { ratioMin, ratioMax, weight, changeRate } = histogram;
  const [from, to, mean] = [ratioMin[b], ratioMax[b], weight[b] / changeRate[b]];
  const share = to > from ? Math.min(1, Math.max(0, (mean - from) / (to - from))) : 0;
  return {
    chord: changeRate[b] * ((1 - share) * minCost(from) + share * minCost(to)),
    mean: changeRate[b] * minCost(mean),
  };
}

/** The y at which one more crawl is worth its price, by bisection on ln y; Infinity if no crawl is. */
function bestChanges(objective: ObjectiveName, ratio: number, price: number): number {
  if (objective === 'freshness' && ratio <= price) return Number.POSITIVE_INFINITY;
  const { saving } = costDefinition(objective);
  const target = price / ratio;
  let low = -240;
  let high = 240;
  while (high - low > 1e-13 * Math.max(1, Math.abs(low))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (saving(Math.exp(middle)) < target) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}
