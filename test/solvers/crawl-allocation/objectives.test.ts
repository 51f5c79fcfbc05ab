/**
 * Whole numbers of crawls under every objective: by enumeration, a heap, and what must follow.
 */
import { describe, expect, it } from 'vitest';
import { crawlAllocationRequest } from '../../../src/schemas/crawl-allocation.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type ObjectiveName, objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { certifiedAllocation, type Page, type Problem, poissonPage } from './allocation-request.ts';
import { heapGreedy } from './heap-greedy.ts';
import { hostProgramme } from './naive-allocation.ts';

type Costly = Exclude<ObjectiveName, 'freshness'>;
const costly: readonly Costly[] = ['delay', 'harmonic'];

/** What a copy of some age costs a unit of time, as the objectives are defined. */
const costAt: Readonly<Record<ObjectiveName, (rate: number, age: number) => number>> = {
  freshness: (rate, age) => 1 - Math.exp(-rate * age),
  delay: (rate, age) => rate * age,
  harmonic: (rate, age) => Math.log(1 + rate * age) + (rate * age) / (1 + rate * age),
};

/** Its mean over an interval with crawls at given times, by Simpson's rule over every gap. */
function meanCost(
  objective: ObjectiveName,
  rate: number,
  age: number,
  interval: number,
  times: readonly number[],
): number {
  let from = -age;
  let sum = 0;
  for (const [k, to] of [...times, interval].entries()) {
    const start = k === 0 ? 0 : from;
    const steps = 800;
    for (let s = 0; s <= steps; s++) {
      const at = start + ((to - start) * s) / steps;
      const factor = s === 0 || s === steps ? 1 : s % 2 === 1 ? 4 : 2;
      sum += (factor * (to - start) * costAt[objective](rate, at - from)) / (3 * steps);
    }
    from = to;
  }
  return sum / interval;
}

/** x crawls that leave gaps of one length, the first at once where its gap is already longer. */
function evenTimes(age: number, interval: number, x: number): number[] {
  const gap = x * age <= interval ? (interval + age) / (x + 1) : interval / x;
  const first = x * age <= interval ? gap - age : 0;
  return Array.from({ length: x }, (_, j) => first + j * gap);
}

const rateOf = ({ updates }: Page): number => (updates.type === 'poisson' ? updates.rate : Number.NaN);

const pages: readonly Page[] = [
  poissonPage(0.3, { lastCrawlAge: 0.5, weight: 2 }),
  poissonPage(2, { lastCrawlAge: 6, host: 'a' }),
  poissonPage(11, { lastCrawlAge: 0, minCrawls: 1, host: 'a' }),
  poissonPage(0.05, { weight: 5, maxCrawls: 2 }),
];

/** The age at the start: a page never crawled is stale, and begins to cost by the other objectives. */
const ageOf = ({ lastCrawlAge }: Page, objective: ObjectiveName): number =>
  lastCrawlAge ?? (objective === 'freshness' ? Number.POSITIVE_INFINITY : 0);

describe.each(objectiveNames)('whole crawls under objective %s', (objective) => {
  it('cost no more than any other split, within limits of pages and hosts', () => {
    for (const crawls of [1, 4, 9]) {
      for (const hosts of [undefined, [{ host: 'a', maxCrawls: 3 }]]) {
        const problem: Problem = { interval: 3, crawls, pages, objective, ...(hosts && { hosts }) };
        const { objective: found, status } = certifiedAllocation(problem);
        const least = hostProgramme(problem, (_, each, x) => {
          const age = ageOf(each, objective);
          return meanCost(objective, rateOf(each), age, 3, evenTimes(age, 3, x));
        });
        expect(status).toBe('optimal');
        expect(found.value / least).toBeCloseTo(1, 9);
        expect(found.gap).toBe(0);
      }
    }
  });

  it('come at times that no other times better', () => {
    const problem: Problem = { interval: 3, crawls: 7, pages, objective, idealTimes: true };
    const { idealTimes, cost } = certifiedAllocation(problem);
    if (idealTimes === null) throw new Error('no times');
    const random = seededRandom(4);
    pages.forEach((each, i) => {
      // the times of a page never crawled are drawn
      if (objective === 'freshness' && each.lastCrawlAge === undefined) return;
      const age = each.lastCrawlAge ?? 0;
      const own = Array.from(idealTimes.times.subarray(idealTimes.offsets[i], idealTimes.offsets[i + 1]));
      expect(meanCost(objective, rateOf(each), age, 3, own) / cost[i]).toBeCloseTo(1, 9);
      for (let trial = 0; trial < 50; trial++) {
        const others = own.map(() => 3 * random()).sort((a, b) => a - b);
        expect(meanCost(objective, rateOf(each), age, 3, others)).toBeGreaterThanOrEqual(cost[i] * (1 - 1e-9));
      }
    });
  });
});

describe.each(costly)('many whole crawls under objective %s', (objective) => {
  it('are those of the heap greedy on 9,000 pages, and the price search needs no second attempt', () => {
    const random = seededRandom(8);
    const many = Array.from({ length: 9000 }, (_, i) =>
      poissonPage(Math.exp(6 * random() - 3), {
        weight: Math.exp(2 * random() - 1),
        ...(i % 3 > 0 && { lastCrawlAge: i % 3 === 1 ? 0 : 4 * random() }),
      }),
    );
    const answer = certifiedAllocation({ interval: 1, crawls: 30_000, pages: many, objective });
    const costs = many.map((each) => {
      const age = each.lastCrawlAge ?? 0;
      const by = closedForm(objective, rateOf(each));
      return (x: number): number => (x * age <= 1 ? (x + 1) * by((1 + age) / (x + 1)) - by(age) : x * by(1 / x));
    });
    const weight = many.map((each) => each.weight ?? 1);
    const counts = heapGreedy(costs, weight, 30_000);
    const heapCost = costs.reduce((sum, cost, i) => sum + weight[i] * cost(counts[i]), 0);
    expect(answer.objective.value / heapCost).toBeCloseTo(1, 11);
  });

  it('are computed from rates of 1e−14 to 1e+14 an interval', () => {
    const wide = [-14, -7, 0, 7, 14].map((power) => poissonPage(10 ** power, { lastCrawlAge: 0.3 }));
    const { cost } = certifiedAllocation({ interval: 1, crawls: 50, pages: wide, objective });
    for (const each of cost) expect(each).toBeGreaterThan(0);
  });
});

/** ∫₀^τ c. */
function closedForm(objective: Costly, rate: number): (tau: number) => number {
  if (objective === 'delay') return (tau) => (rate * tau * tau) / 2;
  if (objective === 'harmonic') return (tau) => tau * Math.log(1 + rate * tau);
  return (tau) => {
    const y = rate * tau;
    // a series where the closed form would cancel
    if (y < 0.1)
      return ((tau * tau * y) / 6) * (1 - (y / 4) * (1 - (y / 5) * (1 - (y / 6) * (1 - (y / 7) * (1 - y / 8)))));
    return (y * y) / 2 / rate / rate - (y - 1 + Math.exp(-y)) / rate / rate;
  };
}

describe('a page never crawled under another objective', () => {
  it('begins to cost at the start, and is stale until its first crawl', () => {
    const { crawls, cost, meanDelay, staleness } = certifiedAllocation({
      interval: 2,
      crawls: 3,
      pages: [poissonPage(4)],
      objective: 'delay',
    });
    expect(crawls[0]).toBe(3);
    const [gap, fresh] = [0.5, (1 - Math.exp(-2)) / 4];
    expect(cost[0]).toBeCloseTo((4 * 4 * (gap ** 2 / 2)) / 2, 12);
    expect(meanDelay?.[0]).toBe(cost[0] / 4);
    expect(staleness[0]).toBeCloseTo((gap + 3 * (gap - fresh)) / 2, 12);
  });
});

describe('the objective of a request', () => {
  const request = (updates: object, objective: string): object => ({
    interval: 24,
    crawls: 4,
    objective,
    pages: [{ changeRate: 1 }, { updates }],
  });

  it('is refused for other pages than Poisson ones, saying what to send instead', () => {
    const weibull = { type: 'renewal', distribution: { type: 'weibull', shape: 1, scale: 8 } };
    const timed = { type: 'quasi-deterministic', times: [6], probabilities: [0.5] };
    for (const [updates, words] of [
      [weibull, 'by a renewal process'],
      [timed, 'at given times'],
    ] as const) {
      expect(crawlAllocationRequest.safeParse(request(updates, 'freshness')).success).toBe(true);
      const { error } = crawlAllocationRequest.safeParse(request(updates, 'delay'));
      expect(error?.issues).toHaveLength(1);
      expect(error?.issues[0].path).toEqual(['pages', 1, 'updates']);
      expect(error?.issues[0].message).toContain(words);
    }
    const exponential = { type: 'renewal', distribution: { type: 'exponential', rate: 0.1 } };
    expect(crawlAllocationRequest.safeParse(request(exponential, 'delay')).success).toBe(true);
  });
});
