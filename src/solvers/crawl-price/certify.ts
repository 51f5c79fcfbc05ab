/**
 * Checks a price against the model alone, with code of its own: rates by bisection of the derivative of the cost, costs
 * by their definition, and only what each bucket's range and sums say at first sight (all its pages at the least ratio,
 * all at the largest, all at the mean). That is coarser than the solver's proofs, and enough to see a wrong price,
 * bracket, bound or cost.
 */
import type { ObjectiveName } from '../objectives/index.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';

const slack = 1e-9;

/** k(y) of a page fetched after y changes in the mean. */
const costs: Readonly<Record<ObjectiveName, (y: number) => number>> = {
  freshness: (y) => (y < 1e-4 ? y / 2 - (y * y) / 6 : 1 + Math.expm1(-y) / y),
  delay: (y) => y / 2,
  age: (y) => (y < 1e-2 ? (y * y) / 6 - y ** 3 / 24 + y ** 4 / 120 - y ** 5 / 720 : y / 2 - 1 - Math.expm1(-y) / y),
  harmonic: (y) => Math.log1p(y),
};

/** What is wrong with an answer; empty for a right one. */
export function certifyCrawlPrice(problem: CrawlPriceProblem, answer: CrawlPriceAnswer): string[] {
  const { histogram, host, maxRate, objective, rate } = problem;
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(what);
  };
  const [low, high] = answer.priceBracket;
  expect(
    low <= answer.price && answer.price <= high,
    `the price ${answer.price} is not in its bracket ${low}, ${high}`,
  );
  const count = histogram.pages.length;
  const spent = (price: number, ratios: Float64Array): number => {
    const byHost = new Map<number, number>();
    for (let b = 0; b < count; b++) {
      const at = host === null ? -1 : host[b];
      const more = histogram.changeRate[b] / bestChanges(objective, ratios[b], price);
      byHost.set(at, (byHost.get(at) ?? 0) + more);
    }
    let sum = 0;
    for (const [at, each] of byHost) sum += at < 0 ? each : Math.min(each, maxRate[at]);
    return sum;
  };
  if (answer.price > 0) {
    const least = spent(high, histogram.ratioMin);
    const most = spent(low, histogram.ratioMax);
    expect(least <= rate * (1 + slack), `above the bracket ${least} crawls would be made, more than ${rate}`);
    expect(most >= rate * (1 - slack), `below the bracket ${most} crawls would be made, fewer than ${rate}`);
  }
  const prices = new Map(answer.hosts.map((each) => [each.host, each.price]));
  let chords = 0;
  let means = 0;
  for (let b = 0; b < count; b++) {
    const price = prices.get(host === null ? -1 : host[b]) ?? answer.price;
    const least = (ratio: number): number => {
      const y = bestChanges(objective, ratio, price);
      return y === Infinity ? ratio : ratio * costs[objective](y) + price / y;
    };
    const from = histogram.ratioMin[b];
    const to = histogram.ratioMax[b];
    const mean = histogram.weight[b] / histogram.changeRate[b];
    const share = to > from ? Math.min(1, Math.max(0, (mean - from) / (to - from))) : 0;
    chords += histogram.changeRate[b] * ((1 - share) * least(from) + share * least(to));
    means += histogram.changeRate[b] * least(mean);
  }
  const limited = answer.hosts.filter((each) => each.limited);
  const paid = limited.reduce((sum, each) => sum + (each.price - answer.price) * each.rate, 0) + answer.price * rate;
  const { value, bound } = answer.objective;
  const size = slack * (means + paid);
  expect(bound !== null && bound <= value, `the bound ${bound} is above the value ${value}`);
  expect(
    bound !== null && bound >= chords - paid - size,
    `the bound ${bound} is below that of the chords, ${chords - paid}`,
  );
  expect(bound !== null && bound <= means - paid + size, `the bound ${bound} is above the dual, ${means - paid}`);
  for (const each of answer.hosts) {
    expect(each.rate <= maxRate[each.host] * (1 + 1e-6), `host ${each.host} has ${each.rate} crawls, above its limit`);
    expect(each.price >= answer.price, `host ${each.host} pays ${each.price}, less than the price`);
  }
  return wrong;
}

/** The y at which one more crawl is worth its price, by bisection on ln y; Infinity where none is. */
function bestChanges(objective: ObjectiveName, ratio: number, price: number): number {
  if (objective === 'freshness' && ratio <= price) return Number.POSITIVE_INFINITY;
  const target = price / ratio;
  let low = -240;
  let high = 240;
  while (high - low > 1e-13 * Math.max(1, Math.abs(low))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (savingOf(objective, Math.exp(middle)) < target) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

/** y²k'(y): what a crawl saves, per unit of the ratio. */
function savingOf(objective: ObjectiveName, y: number): number {
  switch (objective) {
    case 'freshness':
      return y < 1e-3 ? (y * y) / 2 - y ** 3 / 3 + y ** 4 / 8 : -Math.expm1(-y) - y * Math.exp(-y);
    case 'delay':
      return (y * y) / 2;
    case 'age':
      return y < 1e-2
        ? y ** 3 / 3 - y ** 4 / 8 + y ** 5 / 30 - y ** 6 / 144
        : (y * y) / 2 + Math.expm1(-y) + y * Math.exp(-y);
    case 'harmonic':
      return (y * y) / (1 + y);
  }
}
