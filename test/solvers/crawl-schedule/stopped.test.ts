/** What an answer says, and keeps, where its time ends: the clock shows how often it was asked. */
import { describe, expect, it } from 'vitest';
import { deadlineBudget } from '../../../src/solvers/budget.ts';
import { UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { type CrawlScheduleProblem, solveCrawlSchedule } from '../../../src/solvers/crawl-schedule/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../../../src/solvers/numerics/random/random-variates.ts';

/** Overdue Poisson pages of random rates, each of one of so many hosts that ask for a delay. */
function overdue(pages: number, slots: number, hosts: number): CrawlScheduleProblem {
  const random = seededRandom(31);
  const updates = new UpdateProcesses(pages);
  for (let i = 0; i < pages; i++) updates.setPoisson(i, Math.exp(standardNormal(random)), []);
  const of = Int32Array.from({ length: pages }, (_, i) => (hosts > 0 ? i % hosts : -1));
  const delay = new Float64Array(hosts).fill((0.9 * hosts) / slots);
  return {
    allocation: {
      interval: 1,
      crawls: slots,
      updates,
      weight: new Float64Array(pages).fill(1),
      minCrawls: new Int32Array(pages),
      maxCrawls: new Int32Array(pages).fill(-1),
      lastCrawlAge: new Float64Array(pages).fill(10),
      hosts:
        hosts === 0
          ? null
          : { of, maxCrawls: new Float64Array(hosts).fill(Number.POSITIVE_INFINITY), names: [...delay].map(String) },
      quasiDeterministic: 'exact',
      idealTimes: true,
      objective: 'freshness',
      baselines: true,
    },
    upTo: true,
    slotCounts: Int32Array.of(slots),
    hostDelays: hosts === 0 ? null : { of, delay, from: new Float64Array(hosts) },
  };
}

function solvedBy(problem: CrawlScheduleProblem, deadline: number) {
  let asked = 0;
  const answer = solveCrawlSchedule(problem, deadlineBudget({ clock: () => asked++, deadline, seed: 0 }));
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { objective, beside, warnings } = answer;
  return {
    value: objective.value,
    bound: objective.bound ?? Number.NaN,
    freeTimesBound: beside.bounds.freeTimes,
    isCut: warnings.some(({ code }) => code === 'stopped-early'),
    asked,
  };
}

describe('a schedule whose time ends', () => {
  it.each([0, 4])('says so wherever it or its bound might have been better: %i hosts', (hosts) => {
    const problem = overdue(16, 24, hosts);
    const whole = solvedBy(problem, 1e15);
    expect(whole.isCut).toBe(false);
    let cut = 0;
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.97]) {
      const { value, bound, freeTimesBound, isCut } = solvedBy(problem, Math.round(share * whole.asked));
      expect(isCut || (value === whole.value && bound === whole.bound)).toBe(true);
      expect(bound).toBeGreaterThanOrEqual(freeTimesBound);
      expect(bound).toBeLessThanOrEqual(whole.value);
      if (isCut) cut++;
    }
    expect(cut).toBeGreaterThan(4);
  });

  it('has computed the bound of all pages by then, at the prices found', () => {
    // more pages than the search of prices takes one by one
    const problem = overdue(310, 130, 0);
    const whole = solvedBy(problem, 1e15);
    const { value, bound, freeTimesBound, isCut } = solvedBy(problem, Math.round(0.8 * whole.asked));
    expect(isCut).toBe(true);
    expect(freeTimesBound).toBeLessThan(0.97 * value);
    expect(bound).toBeGreaterThan(0.99 * whole.bound);
  });

  it('has computed the bound at the prices found of hosts, before any time is left for other prices', () => {
    const problem = overdue(30, 60, 4);
    const whole = solvedBy(problem, 1e15);
    const { bound, isCut } = solvedBy(problem, Math.round(0.95 * whole.asked));
    expect(isCut).toBe(true);
    expect(bound).toBeGreaterThan(0.97 * whole.bound);
  });
});
