/**
 * Checks a price against the model alone, with code of its own. Rates are by bisection of the derivative of the cost,
 * costs by their definition. Of each bucket it uses only what follows at once from range and sums. All its pages are at
 * the least ratio, the largest or the mean. That is coarser than the solver's proofs, and enough to see a wrong price,
 * bracket, bound or cost.
 */

import type { CrawlPriceAnswer, CrawlPriceProblem } from '../solvers/crawl-price/problem.ts';
import { costDefinition } from '../solvers/pages/objectives/cost-definition.ts';
import type { ObjectiveName } from '../solvers/pages/objectives/index.ts';
import { faultList } from './faults.ts';
import { hostOf, objectiveIn } from './pages/allocation-request.ts';
import { asksForCrawls, curveIn, targetOf } from './pages/targets.ts';
import { listIn, numberIn, numbersIn, objectAt, objectiveOf, textIn, type WireObject, WireTable } from './wire.ts';

type Checked = Pick<CrawlPriceAnswer, 'price' | 'priceBracket' | 'objective'> & {
  readonly hosts: CrawlPriceAnswer['hosts'];
};

const slack = 1e-9;
const rounding = 1e-12;
/** Of what a point of a curve costs: what doubles that tell prices apart too coarsely may lose, in narrow buckets. */
const mostLost = 0.01;
const narrow = 1.1;

export function certifyCrawlPrice(problem: CrawlPriceProblem, answer: Checked): string[] {
  const { histogram, host, maxRate, objective, rate } = problem;
  const { faults: wrong, expect } = faultList();
  const [low, high] = answer.priceBracket;
  expect(
    low <= answer.price && answer.price <= high,
    `the price ${answer.price} is not in its bracket ${low}, ${high}`,
  );
  const count = histogram.pages.length;
  const spent = (price: number, ratios: Float64Array): number => {
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
    const least = spent(high, histogram.ratioMin);
    const most = spent(low, histogram.ratioMax);
    expect(least <= rate * (1 + slack), `above the bracket ${least} crawls would be made, more than ${rate}`);
    expect(most >= rate * (1 - slack), `below the bracket ${most} crawls would be made, fewer than ${rate}`);
  }
  const prices = new Map(answer.hosts.map((each) => [each.host, each.price]));
  let chords = 0;
  let means = 0;
  for (let b = 0; b < count; b++) {
    const own = paidIn(problem, b, prices.get(host === null ? -1 : host[b]) ?? answer.price);
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
  return wrong;
}

/** The least that a bucket costs at a price, crawls among it: its range and its mean bound it from both sides. */
function paidIn({ histogram, objective }: CrawlPriceProblem, b: number, price: number) {
  const least = (ratio: number): number => {
    const y = bestChanges(objective, ratio, price);
    return y === Infinity ? ratio : (ratio * costDefinition(objective).over(1, y)) / y + price / y;
  };
  const { ratioMin, ratioMax, weight, changeRate } = histogram;
  const [from, to, mean] = [ratioMin[b], ratioMax[b], weight[b] / changeRate[b]];
  const share = to > from ? Math.min(1, Math.max(0, (mean - from) / (to - from))) : 0;
  return {
    chord: changeRate[b] * ((1 - share) * least(from) + share * least(to)),
    mean: changeRate[b] * least(mean),
  };
}

/** The same of a request and an answer of the contract. */
export function verifyCrawlPrice(request: WireObject, answer: WireObject): string[] {
  if (request.feedback !== undefined) return verifyFeedback(objectAt(request.feedback), answer);
  if (answer.status === 'infeasible') return [];
  const asks = asksForCrawls(request);
  const buckets = new WireTable(request.buckets, 'buckets');
  const limits = listIn(request, 'hosts', true).map((host) => objectAt(host));
  const names = limits.map((limit) => textIn(limit, 'host'));
  const column = (name: string): Float64Array => buckets.numbers(name);
  const solution = objectAt(answer, 'solution');
  const problem: CrawlPriceProblem = {
    objective: objectiveIn(request),
    rate: asks
      ? numberIn(solution, 'crawls')
      : numberIn(request, 'rate', numberIn(request, 'crawls', 0) / numberIn(request, 'interval', 1)),
    histogram: {
      pages: column('pages'),
      changeRate: column('changeRate'),
      weight: column('weight'),
      changeRateLogRatio: column('changeRateLogRatio'),
      ratioMin: column('ratioMin'),
      ratioMax: column('ratioMax'),
    },
    host: limits.length === 0 ? null : hostOf(buckets.texts('host'), names),
    maxRate: Float64Array.from(limits, (limit) => numberIn(limit, 'maxRate')),
  };
  const hosts = listIn(solution, 'hosts', true).map((each) => {
    const host = objectAt(each);
    const [price, scale, rate] = ['price', 'scale', 'rate'].map((name) => numberIn(host, name));
    return { host: names.indexOf(textIn(host, 'host')), price, scale, rate, limited: host.limited === true };
  });
  const objective = objectiveOf(answer);
  const scale = scalesOf(buckets, problem);
  const told = pricesIn(solution, 'price', 'priceBracket');
  if (!asks) {
    const wrong = certifyCrawlPrice(problem, { ...told, objective, hosts });
    return [...wrong, ...curveFaults(problem, answer, scale)];
  }
  const { value, bound } = objective;
  const faults = value === problem.rate ? [] : ['the objective is not the crawls'];
  if (value === 0) return problem.objective === 'freshness' ? faults : [...faults, 'no crawl keeps no target'];
  const most = targetOf(request) * scale.reduce((sum, each) => sum + each, 0);
  const left = { value: most, bound: bound === null ? null : most + (bound - value) * told.price, gap: null };
  faults.push(...certifyCrawlPrice(problem, { ...told, objective: left, hosts }));
  return [...faults, ...curveFaults(problem, answer, scale)];
}

/**
 * What crawls of the curve are said to leave must follow from their price: it bounds every plan of as many crawls (weak
 * duality), and the best one comes that far. Of hosts no price along the curve is told: the bound then holds from below.
 */
function curveFaults(problem: CrawlPriceProblem, answer: WireObject, scale: Float64Array): string[] {
  const all = scale.reduce((sum, each) => sum + each, 0);
  // what wide buckets leave is proved far above what it is
  const isNarrow = problem.histogram.ratioMax.every((most, b) => most <= narrow * problem.histogram.ratioMin[b]);
  let before = 0;
  return curveIn(answer).flatMap(({ crawls, left, price: toldPrice }) => {
    const [saved, price] = [left * all, toldPrice * all];
    let [low, high, size] = [-price * crawls, -price * crawls, price * crawls];
    for (let b = 0; b < scale.length; b++) {
      const { chord, mean } = paidIn(problem, b, price);
      low += chord;
      high += mean;
      size += mean;
    }
    const isTight = isNarrow && problem.host === null;
    const fits = saved >= low - slack * size && (!isTight || saved <= high + mostLost * size);
    const rises = crawls > before;
    before = crawls;
    return fits && rises ? [] : [`the curve says that ${crawls} crawls leave ${saved}, not ${low} to ${high}`];
  });
}

function pricesIn(from: WireObject, price: string, bracket: string): Pick<Checked, 'price' | 'priceBracket'> {
  const [low, high] = numbersIn(from, bracket);
  return { price: numberIn(from, price), priceBracket: [low, high] };
}

/** By bucket: what the measure is a mean by, weights or weights times rates. */
function scalesOf(buckets: WireTable, { objective, histogram }: CrawlPriceProblem): Float64Array {
  const { weight, changeRate } = histogram;
  if (objective === 'freshness' || objective === 'harmonic') return weight;
  const products = buckets.numbers('weightTimesRate', Number.NaN);
  return products.map((each, b) => (Number.isNaN(each) ? weight[b] * changeRate[b] : each));
}

/** The y at which one more crawl is worth its price, by bisection on ln y; Infinity where none is. */
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

/** The formula of docs/how-to/crawling-by-a-price.md, in logarithms. */
function verifyFeedback(feedback: WireObject, answer: WireObject): string[] {
  const [price, seen, wanted, pages] = ['price', 'seen', 'wanted', 'pages'].map((name) => numberIn(feedback, name));
  const half = Math.min(0.5, wanted / pages / 4);
  const aimed = wanted - half * numberIn(feedback, 'ahead', 0);
  const within = (value: number, middle: number): number => Math.max(middle / 5, Math.min(middle * 5, value));
  const ratio = (seen + 0.5) / (within(aimed, wanted) + 0.5);
  const next = Math.exp(Math.log(price) + 2 * half * Math.log(within(ratio, 1)));
  const told = numberIn(objectAt(answer, 'solution'), 'price');
  return Math.abs(told - next) <= 1e-9 * next ? [] : [`the next price is ${next}, not ${told}`];
}
