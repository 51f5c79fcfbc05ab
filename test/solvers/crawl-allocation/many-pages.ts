/**
 * The pages of the paper's experiments (Wolf et al. 2002, section 5), any number of them. Update rates are Zipf-like
 * with a mean of 1.5 an interval, in random order, 60% Poisson, 30% Pareto (Lomax) and 10% quasi-deterministic unless
 * said otherwise.
 */
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

/** Columns as on the wire. */
export interface PageColumns {
  process: string[];
  changeRate: (number | null)[];
  shape: (number | null)[];
  scale: (number | null)[];
  times: (number[] | null)[];
  probabilities: (number[] | null)[];
  staleAtStart: (number | null)[];
  weight: number[];
  lastCrawlAge?: (number | null)[];
  minCrawls?: number[];
  maxCrawls?: (number | null)[];
}

export interface Mix {
  readonly poisson: number;
  readonly lomax: number;
  /** Zipf-like exponent parameter: 0 is Zipf, 1 uniform. */
  readonly theta?: number;
  /** Lomax tail index; default drawn from 1.1 to 3. */
  readonly alpha?: number;
  readonly weighted?: boolean;
  /** Just crawled, never crawled, or all kinds of ages. */
  readonly start?: 'just-crawled' | 'never' | 'ages';
  readonly bounds?: boolean;
}

/** The pages, for an interval of length 1. */
export function manyPages(count: number, mix: Mix, seed = 1): PageColumns {
  const random = seededRandom(seed);
  const { poisson, lomax, theta = 0.5, start = 'just-crawled' } = mix;
  const rates = zipfRates(count, theta, random);
  const empty = <T>(): T[] => new Array<T>(count);
  const pages: PageColumns = {
    process: empty(),
    changeRate: empty(),
    shape: empty(),
    scale: empty(),
    times: empty(),
    probabilities: empty(),
    staleAtStart: empty(),
    weight: empty(),
  };
  for (let i = 0; i < count; i++) {
    const kind = random();
    const rate = rates[i];
    const process = kind < poisson ? 'poisson' : kind < poisson + lomax ? 'lomax' : 'quasi-deterministic';
    const alpha = mix.alpha ?? 1.1 + 1.9 * random();
    pages.process[i] = process;
    pages.changeRate[i] = process === 'poisson' ? rate : null;
    pages.shape[i] = process === 'lomax' ? alpha : null;
    pages.scale[i] = process === 'lomax' ? (alpha - 1) / rate : null;
    const updates = process === 'quasi-deterministic' ? quasiUpdates(rate, random) : null;
    pages.times[i] = updates?.times ?? null;
    pages.probabilities[i] = updates?.probabilities ?? null;
    pages.staleAtStart[i] = updates === null ? null : start === 'just-crawled' ? 0 : 1;
    pages.weight[i] = mix.weighted === false ? 1 : 0.01 + random();
  }
  if (start === 'just-crawled') pages.lastCrawlAge = new Array<number>(count).fill(0);
  if (start === 'ages') pages.lastCrawlAge = rates.map(() => (random() < 0.3 ? null : 2 * random()));
  if (mix.bounds) {
    pages.minCrawls = rates.map(() => (random() < 0.2 ? 1 : 0));
    pages.maxCrawls = rates.map(() => (random() < 0.5 ? 1 + Math.floor(20 * random()) : null));
  }
  return pages;
}

function zipfRates(count: number, theta: number, random: Random): number[] {
  const rates = Array.from({ length: count }, (_, k) => (k + 1) ** (theta - 1));
  const factor = (1.5 * count) / rates.reduce((sum, rate) => sum + rate, 0);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rates[i], rates[j]] = [rates[j], rates[i]];
  }
  return rates.map((rate) => rate * factor);
}

/** One to eight possible updates at random times, as likely as a Poisson process of the rate would make them. */
function quasiUpdates(rate: number, random: Random): { times: number[]; probabilities: number[] } {
  const count = 1 + Math.floor(8 * random());
  const times = Array.from({ length: count }, () => random()).sort((a, b) => a - b);
  return { times, probabilities: times.map(() => -Math.expm1(-rate / count)) };
}
