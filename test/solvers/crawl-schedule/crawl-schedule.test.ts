import { describe, expect, it } from 'vitest';
import { crawlSchedule } from '../../../src/index.ts';
import { unlessStopped, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { type CrawlScheduleProblem, solveCrawlSchedule } from '../../../src/solvers/crawl-schedule/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifySchedule } from '../../certificates/solved-problems.ts';

function problemOf(
  pages: number,
  slots: readonly number[],
  set: (updates: UpdateProcesses, i: number) => void,
  more: Partial<CrawlScheduleProblem['allocation']> = {},
): CrawlScheduleProblem {
  const updates = new UpdateProcesses(pages);
  for (let i = 0; i < pages; i++) set(updates, i);
  return {
    allocation: {
      interval: 1,
      crawls: slots.reduce((sum, count) => sum + count, 0),
      updates,
      weight: new Float64Array(pages).fill(1),
      minCrawls: new Int32Array(pages),
      maxCrawls: new Int32Array(pages).fill(-1),
      lastCrawlAge: null,
      hosts: null,
      quasiDeterministic: 'exact',
      idealTimes: true,
      objective: 'freshness',
      baselines: true,
      ...more,
    },
    slotCounts: Int32Array.from(slots),
    upTo: false,
    hostDelays: null,
  };
}

function scheduled(problem: CrawlScheduleProblem) {
  const answer = solveCrawlSchedule(problem, unlimitedBudget(1));
  expect(certifySchedule(problem, answer)).toEqual([]);
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}

function anyUpdates(random: Random): (updates: UpdateProcesses, i: number) => void {
  return (updates, i) => {
    const kind = Math.floor(4 * random());
    if (kind === 0) updates.setPoisson(i, 10 * random() + 0.1, []);
    else if (kind === 1) updates.setRenewal(i, { type: 'lomax', shape: 1.2 + 2 * random(), scale: 0.2 + random() }, []);
    else if (kind === 2) updates.setRenewal(i, { type: 'weibull', shape: 0.6 + random(), scale: 0.1 + random() }, []);
    else {
      const times = Array.from({ length: 1 + Math.floor(4 * random()) }, () => random()).sort((a, b) => a - b);
      const probabilities = times.map(() => random());
      const staleAtStart = random() < 0.5 ? random() : Number.NaN;
      updates.setQuasiDeterministic(i, { times, probabilities, staleAtStart, interval: 1 }, () => []);
    }
  };
}

describe('a crawl schedule', () => {
  it('makes ten crawls of pages that may change at .95, on two crawlers of five slots, all before it', () => {
    const problem = problemOf(10, [5, 5], (updates, i) => {
      const quasi = { times: [0.95], probabilities: [0.5], staleAtStart: (i + 1) / 10, interval: 1 };
      updates.setQuasiDeterministic(i, quasi, () => []);
    });
    const {
      solution: { schedule },
      objective,
    } = scheduled(problem);
    expect(schedule.time.length).toBe(10);
    // the copies most likely to be stale first: sum over the sorted order of the exchange argument
    const start = [0, 0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8];
    let best = 0;
    for (const [k, time] of start.entries()) best += ((10 - k) / 10) * time + 0.05 * 0.5;
    expect(objective.value).toBeCloseTo(best, 10);
  });

  it('keeps limits, slots and its own figures on pages of every kind, above its bound', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 25; round++) {
      const pages = 1 + Math.floor(12 * random());
      const slots = [1 + Math.floor(12 * random()), Math.floor(9 * random())];
      const ages = Float64Array.from({ length: pages }, () => (random() < 0.3 ? Number.NaN : random()));
      const minCrawls = Int32Array.from({ length: pages }, () => (random() < 0.1 ? 1 : 0));
      const problem = problemOf(pages, slots, anyUpdates(random), {
        weight: Float64Array.from({ length: pages }, () => 3 * random()),
        lastCrawlAge: ages,
        minCrawls,
      });
      const answer = solveCrawlSchedule(problem, unlimitedBudget(round));
      expect(certifySchedule(problem, answer)).toEqual([]);
    }
  });

  it('is within 1% of free times for Poisson pages with twenty crawls each, and a slot for every crawl', () => {
    const random = seededRandom(2);
    const problem = problemOf(50, [500, 500], (updates, i) => updates.setPoisson(i, 40 * random() + 0.2, []), {
      lastCrawlAge: Float64Array.from({ length: 50 }, () => random() / 20),
    });
    expect(scheduled(problem).objective.gap).toBeLessThan(0.01);
  });

  it.each([1e3, 1e7, 1e14, 1e90])(
    'counts a copy %f intervals old as stale as its law has it, above its bound',
    (age) => {
      const pages = 8;
      const laws = [
        { type: 'deterministic', value: 1 },
        { type: 'lomax', shape: 1.6, scale: 0.3 },
        { type: 'weibull', shape: 0.7, scale: 1e-3 * age },
      ] as const;
      const set = (updates: UpdateProcesses, i: number): void => {
        if (i % 4 === 3) updates.setPoisson(i, 1 / age, []);
        else updates.setRenewal(i, laws[i % 4], []);
      };
      const lastCrawlAge = new Float64Array(pages).fill(age);
      const { objective, solution } = scheduled(problemOf(pages, [2], set, { lastCrawlAge }));
      expect(objective.value).toBeGreaterThanOrEqual((objective.bound ?? Number.NaN) * (1 - 1e-9));
      const unvisited = solution.pages.crawls.findIndex((crawls, i) => crawls === 0 && i % 4 === 3);
      expect(unvisited).toBeGreaterThanOrEqual(0);
      // a page that changes once in `age` is fresh, after that long, with probability 1/e
      expect(solution.pages.staleness[unvisited]).toBeCloseTo(-Math.expm1(-1 - 0.5 / age), 6);
    },
  );

  it('makes crawls that the delay of their host puts off to where too few slots are left', () => {
    const interval = 0.001;
    const times = Array.from({ length: 7 }, (_, k) => (interval * k) / 7);
    const updates = {
      type: 'quasi-deterministic' as const,
      times,
      probabilities: times.map(() => 0.5),
      staleAtStart: 0.5,
    };
    const pages = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0].map((weight, i) => ({
      updates,
      weight,
      // the host was crawled just now
      ...(i === 0 && { lastCrawlAge: 0, host: 'slow' }),
    }));
    const hosts = [{ host: 'slow', minDelay: interval * (1 / 7) }];
    const { status, solution } = crawlSchedule({ interval, pages, crawlers: [{ slots: 40 }], hosts });
    expect(status).toBe('feasible');
    expect(solution?.idleSlots).toBeLessThan(40);
  });

  it('says what clashes', () => {
    const problem = problemOf(3, [2], (updates, i) => updates.setPoisson(i, 1, []), { crawls: 5 });
    const answer = solveCrawlSchedule(problem, unlimitedBudget());
    expect(answer).toMatchObject({ status: 'infeasible', conflict: { crawls: 5, slots: 2 } });
    expect(certifySchedule(problem, answer)).toEqual([]);
  });

  it('stopped while exchanging, answers with what it has and says so', () => {
    const random = seededRandom(3);
    const problem = problemOf(16, [40], anyUpdates(random));
    let [unanswered, stoppedEarly] = [0, 0];
    for (let last = 2; last < 90; last += 4) {
      let polls = 0;
      const budget = { ...unlimitedBudget(), stopRequested: () => polls++ >= last };
      const answer = unlessStopped(null, () => solveCrawlSchedule(problem, budget));
      if (answer === null) unanswered++;
      else {
        expect(certifySchedule(problem, answer, 20)).toEqual([]);
        if (answer.status !== 'infeasible' && answer.warnings.some(({ code }) => code === 'stopped-early'))
          stoppedEarly++;
      }
    }
    expect(unanswered).toBeGreaterThan(0);
    expect(stoppedEarly).toBeGreaterThan(0);
  });
});
