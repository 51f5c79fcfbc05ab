import { describe, expect, it } from 'vitest';
import { textAt } from '../../../src/console/api/read.ts';
import { crawlPlan, type RequestOf } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../../check-history.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

const day = 86_400;
const now = 1_760_000_000;

function problemOf(rates: readonly number[], more: Partial<CrawlPlanProblem>): CrawlPlanProblem {
  const pages = rates.length;
  const fill = (value: number): Float64Array => new Float64Array(pages).fill(value);
  return {
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(200),
    history: checkHistory(rates.map(() => [])),
    changeRate: Float64Array.from(rates),
    lastCrawl: Float64Array.from(rates, (_, i) => now - (day * (i + 0.5)) / pages),
    weight: fill(1),
    minInterval: fill(0),
    maxInterval: fill(Number.POSITIVE_INFINITY),
    host: Int32Array.from(rates, (_, i) => (i % 2 === 0 ? 0 : -1)),
    hostName: ['*.tumblr.com'],
    hostDelay: new Float64Array(1),
    evenShare: 0,
    ...more,
  };
}

function solved(problem: CrawlPlanProblem) {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer;
}

const rates = Array.from({ length: 40 }, (_, i) => 2e-6 * 1.12 ** i);

describe('a largest rate of a host', () => {
  it('is kept in the long run and in the schedule, and raises the price of its pages alone', () => {
    const free = solved(problemOf(rates, {}));
    const share = (intervals: Float64Array): number =>
      intervals.reduce((sum, each, i) => (i % 2 === 0 && each > 0 ? sum + 1 / each : sum), 0);
    const wanted = share(free.plan.fetchInterval);
    const limited = solved(problemOf(rates, { hostRate: Float64Array.of(0.5 * wanted) }));
    expect(share(limited.plan.fetchInterval) / (0.5 * wanted)).toBeCloseTo(1, 6);
    const fetched = limited.plan.slotPage.filter((page) => page % 2 === 0).length;
    expect(fetched).toBeLessThanOrEqual(0.5 * wanted * day + 11);
    // what the host does not take goes to the others
    expect(limited.plan.shadowPrice).toBeLessThan(free.plan.shadowPrice);
    expect(limited.longRun?.gap ?? Number.NaN).toBeLessThan(1e-6);
    expect(limited.longRun?.gap ?? Number.NaN).toBeGreaterThan(-1e-9);
  });

  it('beats no grid of other shares of two hosts', () => {
    // two pages, each its own host: Σ w(1 − (1 − e^{−λτ})/(λτ)) over rates r₁ ≤ C₁, r₁ + r₂ = R
    const [a, b] = [4e-5, 1e-5];
    const plan = solved(
      problemOf([a, b], {
        slotsByCrawler: Uint32Array.of(8),
        host: Int32Array.of(0, 1),
        hostName: ['a', 'b'],
        hostDelay: new Float64Array(2),
        hostRate: Float64Array.of(3 / day, 8 / day),
      }),
    );
    const stale = (rate: number, r: number): number => 1 - (1 - Math.exp(-rate / r)) / (rate / r);
    const cost = (r: number): number => stale(a, r) + stale(b, 8 / day - r);
    let least = Number.POSITIVE_INFINITY;
    for (let r = 0.1 / day; r <= 3 / day; r += 0.01 / day) least = Math.min(least, cost(r));
    expect(plan.longRun?.value ?? Number.NaN).toBeCloseTo(least, 4);
  });

  it('and windows are in the price: where they are open half of the time a host gets no more than it can take', () => {
    const half = solved(
      problemOf(rates, {
        hostDelay: Float64Array.of(900),
        availability: {
          spans: Float64Array.of(0, day / 4, day / 2, (3 * day) / 4),
          pageFrom: new Float64Array(40),
        },
      }),
    );
    const host = half.plan.fetchInterval.reduce((sum, each, i) => (i % 2 === 0 ? sum + 1 / each : sum), 0);
    expect(host).toBeLessThanOrEqual((0.5 / 900) * (1 + 0.02));
  });
});

describe('a conflict of a host with a largest rate', () => {
  it('names it, and says when by the clock on the wall', () => {
    const request = {
      now,
      interval: day,
      crawls: 400,
      timeZone: 'Europe/Berlin',
      maxInterval: 10_000,
      hosts: [{ host: 'h.example', maxRate: 2e-4 }],
      pages: Array.from({ length: 8 }, (_, i) => ({ changeRate: 1e-5, lastCrawl: now - 1000 * i, host: 'h.example' })),
    } satisfies RequestOf<typeof crawlPlan>;
    const { status, conflict } = crawlPlan(request);
    expect(status).toBe('infeasible');
    expect(textAt(conflict, 'detail')).toContain('maxRate of 0.0002');
    expect(textAt(conflict, 'byLocal')).toMatch(/^2025-10-\d\d \d\d:\d\d:\d\d Europe\/Berlin$/);
  });
});
