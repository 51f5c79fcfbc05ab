/**
 * A price for a histogram of pages: y(ratio, price), the changes between two crawls at which one more is worth the
 * price, is found by bisection. At the price's bracket the crawls of all buckets are compared with those there are, and
 * the bound with the dual, whose buckets lie between the chord over their ratios and their mean ratio.
 */
import type { Findings } from './findings.ts';
import { objectiveIn, targetOf } from './page-costs.ts';
import { isObject, listIn, numberIn, numbersIn, objectAt, textIn, type WireObject, WireTable } from './wire.ts';

const rounding = 1e-9;

/** V(y), what one more crawl saves of a page with λ = 1, and C(y), what its copy has cost by then. */
const costs: Readonly<
  Record<string, { readonly saving: (y: number) => number; readonly until: (y: number) => number }>
> = {
  freshness: {
    // 1 − (1 + y)·e^(−y) and y − 1 + e^(−y); by their series where these cancel
    saving: (y) => (y < 0.5 ? series(y, (k) => k - 1) : -Math.expm1(-y) - y * Math.exp(-y)),
    until: (y) => (y < 0.5 ? series(y, () => 1) : y + Math.expm1(-y)),
  },
  delay: { saving: (y) => (y * y) / 2, until: (y) => (y * y) / 2 },
  harmonic: { saving: (y) => (y * y) / (1 + y), until: (y) => y * Math.log1p(y) },
};

/** Σ_{k ≥ 2} (−1)^k·factor(k)·y^k/k!, for y below 1/2. */
function series(y: number, factor: (k: number) => number): number {
  let [sum, term] = [0, -y];
  for (let k = 2; k <= 18; k++) {
    term *= -y / k;
    sum += factor(k) * term;
  }
  return sum;
}

export function checkPrice(request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = objectAt(answer, 'solution');
  const price = numberIn(solution, 'price', 0);
  if (isObject(request.feedback)) {
    findings.compare('solution.price', price, nextPrice(request.feedback));
    return;
  }
  const asked = new WireTable(request.buckets, 'buckets');
  const { saving, until } = costs[objectiveIn(request)];
  const buckets = ['changeRate', 'weight', 'ratioMin', 'ratioMax'].map((name) => asked.numbers(name));
  const [changeRate, weight, ratioMin, ratioMax] = buckets;
  const limits = listIn(request, 'hosts', true).map((host) => objectAt(host));
  const names = limits.map((limit) => textIn(limit, 'host'));
  const most = limits.map((limit) => numberIn(limit, 'maxRate'));
  const host = asked.texts('host').map((name) => (name === null ? -1 : names.indexOf(name)));
  const target = targetOf(request);
  const rate =
    target === null
      ? numberIn(request, 'rate', numberIn(request, 'crawls', 0) / numberIn(request, 'interval', 1))
      : numberIn(solution, 'crawls');
  const never = objectiveIn(request) === 'freshness';
  const changesAt = (ratio: number, at: number): number =>
    never && ratio <= at ? Number.POSITIVE_INFINITY : rootOf(saving, at / ratio);
  const crawls = (at: number, ratios: Float64Array): number => {
    const own = names.map(() => 0);
    let sum = 0;
    for (const [b, ratio] of ratios.entries()) {
      const more = changeRate[b] / changesAt(ratio, at);
      if (host[b] >= 0) own[host[b]] += more;
      else sum += more;
    }
    return own.reduce((all, each, h) => all + Math.min(each, most[h]), sum);
  };
  const [low, high] = numbersIn(solution, 'priceBracket');
  findings.expect(
    'solution.price',
    low <= price && price <= high,
    `the price ${price} is not within ${low} to ${high}`,
  );
  if (price > 0) {
    const [fewest, all] = [crawls(high, ratioMin), crawls(low, ratioMax)];
    const field = 'solution.priceBracket';
    findings.expect(field, fewest <= rate * (1 + rounding), `above the bracket ${fewest} crawls are made, not ${rate}`);
    findings.expect(field, all >= rate * (1 - rounding), `below the bracket ${all} crawls are made, not ${rate}`);
  }
  const prices = checkHosts(solution, { names, most, price }, findings);
  if (target !== null) {
    findings.compare('objective.value', objectAt(answer, 'objective').value, rate);
    return;
  }
  if (solution.rate !== undefined) findings.compare('solution.rate', solution.rate, rate);
  // the least that buckets cost at these prices, crawls among it
  let [chords, means, paid] = [0, 0, price * rate];
  const least = (ratio: number, at: number): number => {
    const y = changesAt(ratio, at);
    return y === Number.POSITIVE_INFINITY ? ratio : (ratio * until(y)) / y + at / y;
  };
  for (const [b, from] of ratioMin.entries()) {
    const at = prices.get(host[b]) ?? price;
    const [to, mean] = [ratioMax[b], weight[b] / changeRate[b]];
    const share = to > from ? Math.min(1, Math.max(0, (mean - from) / (to - from))) : 0;
    chords += changeRate[b] * ((1 - share) * least(from, at) + share * least(to, at));
    means += changeRate[b] * least(mean, at);
  }
  for (const [h, own] of prices) paid += Math.max(0, own - price) * most[h];
  const { bound } = objectAt(answer, 'objective');
  const slack = rounding * (means + paid);
  const holds = typeof bound === 'number' && bound >= chords - paid - slack && bound <= means - paid + slack;
  findings.expect('objective.bound', holds, `the bound ${bound} is not within ${chords - paid} to ${means - paid}`);
}

/** Limits of hosts; the price that each pays. */
function checkHosts(
  solution: WireObject,
  { names, most, price }: { names: readonly string[]; most: readonly number[]; price: number },
  findings: Findings,
): Map<number, number> {
  const prices = new Map<number, number>();
  for (const each of listIn(solution, 'hosts', true)) {
    const told = objectAt(each);
    const name = textIn(told, 'host');
    const h = names.indexOf(name);
    const [own, rate] = [numberIn(told, 'price'), numberIn(told, 'rate')];
    findings.expect(
      'solution.hosts.rate',
      rate <= most[h] * (1 + 1e-6),
      `host ${name} has ${rate}, above its ${most[h]}`,
    );
    findings.expect(
      'solution.hosts.price',
      own >= price * (1 - rounding),
      `host ${name} pays ${own}, less than ${price}`,
    );
    prices.set(h, own);
  }
  return prices;
}

/** y with V(y) = value, by bisection on ln y; V rises. */
function rootOf(saving: (y: number) => number, value: number): number {
  let [low, high] = [-240, 240];
  while (high - low > 1e-13 * Math.max(1, Math.abs(low))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (saving(Math.exp(middle)) < value) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

/** The formula of docs/how-to/crawling-by-a-price.md, in logarithms. */
function nextPrice(feedback: WireObject): number {
  const [price, seen, wanted, pages] = ['price', 'seen', 'wanted', 'pages'].map((name) => numberIn(feedback, name));
  const half = Math.min(0.5, wanted / pages / 4);
  const aimed = wanted - half * numberIn(feedback, 'ahead', 0);
  const within = (value: number, middle: number): number => Math.max(middle / 5, Math.min(middle * 5, value));
  const ratio = (seen + 0.5) / (within(aimed, wanted) + 0.5);
  return Math.exp(Math.log(price) + 2 * half * Math.log(within(ratio, 1)));
}
