/** Page tables, their histograms made by the definition, and exact prices by bisection over the pages. */
import type { CrawlPriceProblem, Histogram } from '../../../src/solvers/crawl-price/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { ObjectiveName } from '../../../src/solvers/pages/objectives/index.ts';

export interface Page {
  readonly changeRate: number;
  /** w/λ. */
  readonly ratio: number;
  readonly host: number;
}

/** Pages of lognormal rates and ratios. */
export function lognormalPages(count: number, seed: number, { sigma = 1.5, hosts = 1 } = {}): Page[] {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => ({
    changeRate: Math.exp(sigma * normal()),
    ratio: Math.exp(sigma * normal()),
    host: Math.floor(random() * hosts),
  }));
}

/** The rows of GROUP BY host, ⌊ln(ratio)/width⌋. */
export function histogramOf(pages: readonly Page[], width: number, byHost = false) {
  const rows = new Map<string, { host: number; cells: number[] }>();
  for (const { changeRate, ratio, host } of pages) {
    const key = `${byHost ? host : 0} ${Math.floor(Math.log(ratio) / width)}`;
    let row = rows.get(key);
    if (row === undefined) {
      row = { host, cells: [0, 0, 0, 0, Infinity, 0] };
      rows.set(key, row);
    }
    const { cells } = row;
    cells[0]++;
    cells[1] += changeRate;
    cells[2] += changeRate * ratio;
    cells[3] += changeRate * Math.log(ratio);
    cells[4] = Math.min(cells[4], ratio);
    cells[5] = Math.max(cells[5], ratio);
  }
  return histogramFrom([...rows.values()]);
}

export function histogramFrom(rows: { host: number; cells: number[] }[]): { histogram: Histogram; host: Int32Array } {
  const column = (at: number): Float64Array => Float64Array.from(rows, ({ cells }) => cells[at]);
  return {
    histogram: {
      pages: column(0),
      changeRate: column(1),
      weight: column(2),
      changeRateLogRatio: column(3),
      ratioMin: column(4),
      ratioMax: column(5),
    },
    host: Int32Array.from(rows, ({ host }) => host),
  };
}

export function problemOf(histogram: Histogram, objective: ObjectiveName, rate: number): CrawlPriceProblem {
  return { objective, rate, histogram, host: null, maxRate: new Float64Array(0) };
}

/** V(y) and k(y), written as the integrals say, for y neither tiny nor huge. */
const forms = {
  freshness: { worth: (y: number) => 1 - (1 + y) * Math.exp(-y), cost: (y: number) => 1 - (1 - Math.exp(-y)) / y },
  delay: { worth: (y: number) => (y * y) / 2, cost: (y: number) => y / 2 },
  harmonic: { worth: (y: number) => (y * y) / (1 + y), cost: (y: number) => Math.log(1 + y) },
} as const;

/** The rate of a page per change, by bisection. */
export function naiveRate(objective: ObjectiveName, ratio: number, price: number): number {
  if (objective === 'freshness' && ratio <= price) return 0;
  let low = 1e-12;
  let high = 1e12;
  for (let step = 0; step < 200; step++) {
    const y = Math.sqrt(low * high);
    if (y === low || y === high) break;
    if (forms[objective].worth(y) < price / ratio) low = y;
    else high = y;
  }
  return 1 / Math.sqrt(low * high);
}

/** The exact price, and what the plan at any price costs when it is rescaled to the rate. */
export function exactPrice(pages: readonly Page[], objective: ObjectiveName, rate: number): number {
  let low = 1e-9;
  let high = 1e9;
  while (high / low > 1 + 1e-15) {
    const price = Math.sqrt(low * high);
    if (price <= low || price >= high) break;
    const spent = pages.reduce((sum, page) => sum + page.changeRate * naiveRate(objective, page.ratio, price), 0);
    if (spent > rate) low = price;
    else high = price;
  }
  return Math.sqrt(low * high);
}

export function rescaledCost(pages: readonly Page[], objective: ObjectiveName, price: number, rate: number): number {
  const rates = pages.map((page) => page.changeRate * naiveRate(objective, page.ratio, price));
  const scale = rate / rates.reduce((sum, each) => sum + each, 0);
  return pages.reduce((sum, { changeRate, ratio }, i) => {
    const crawled = rates[i] > 0;
    return sum + changeRate * ratio * (crawled ? forms[objective].cost(changeRate / (rates[i] * scale)) : 1);
  }, 0);
}
