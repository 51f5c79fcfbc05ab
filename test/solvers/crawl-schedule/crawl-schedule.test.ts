import { describe, expect, it } from 'vitest';
import { crawlSchedule } from '../../../src/operations/crawl-schedule.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { answerOf, ask } from '../../contract/outcomes.ts';
import { certifiedSchedule } from './certified-schedule.ts';

const renewal = (distribution: object) => ({ updates: { type: 'renewal', distribution } });

function requestOf(slots: readonly number[], pages: readonly object[]) {
  return { interval: 1, crawlers: slots.map((count) => ({ slots: count })), pages };
}

function anyUpdates(random: Random): object {
  const kind = Math.floor(4 * random());
  if (kind === 0) return { changeRate: 10 * random() + 0.1 };
  if (kind === 1) return renewal({ type: 'lomax', shape: 1.2 + 2 * random(), scale: 0.2 + random() });
  if (kind === 2) return renewal({ type: 'weibull', shape: 0.6 + random(), scale: 0.1 + random() });
  const times = Array.from({ length: 1 + Math.floor(4 * random()) }, () => random()).sort((a, b) => a - b);
  const probabilities = times.map(() => random());
  const start = random() < 0.5 ? { staleAtStart: random() } : {};
  return { updates: { type: 'quasi-deterministic', times, probabilities, ...start } };
}

describe('a crawl schedule', () => {
  it('makes ten crawls of pages that may change at .95, on two crawlers of five slots, all before it', () => {
    const pages = Array.from({ length: 10 }, (_, i) => ({
      updates: {
        type: 'quasi-deterministic' as const,
        times: [0.95],
        probabilities: [0.5],
        staleAtStart: (i + 1) / 10,
      },
    }));
    const {
      solution: { schedule },
      objective,
    } = certifiedSchedule(requestOf([5, 5], pages));
    expect(schedule).toHaveLength(10);
    // the copies most likely to be stale first: sum over the sorted order of the exchange argument
    const start = [0, 0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8];
    let best = 0;
    for (const [k, time] of start.entries()) best += ((10 - k) / 10) * time + 0.05 * 0.5;
    expect(objective.value).toBeCloseTo(best, 10);
  });

  it('keeps limits, slots and its own figures on pages of every kind, above its bound', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 25; round++) {
      const count = 1 + Math.floor(12 * random());
      const slots = [1 + Math.floor(12 * random()), Math.floor(9 * random())];
      const pages = Array.from({ length: count }, () => ({
        ...anyUpdates(random),
        weight: 3 * random(),
        minCrawls: random() < 0.1 ? 1 : 0,
        ...(random() < 0.7 && { lastCrawlAge: random() }),
      }));
      certifiedSchedule({ ...requestOf(slots, pages), crawls: slots[0] + slots[1] }, unlimitedBudget(round));
    }
  });

  it('is within 1% of free times for Poisson pages with twenty crawls each, and a slot for every crawl', () => {
    const random = seededRandom(2);
    const pages = Array.from({ length: 50 }, () => ({
      changeRate: 40 * random() + 0.2,
      lastCrawlAge: random() / 20,
    }));
    expect(certifiedSchedule(requestOf([500, 500], pages)).objective.gap).toBeLessThan(0.01);
  });

  it.each([1e3, 1e7, 1e14, 1e90])(
    'counts a copy %f intervals old as stale as its law has it, above its bound',
    (age) => {
      const laws = [
        { type: 'deterministic', value: 1 },
        { type: 'lomax', shape: 1.6, scale: 0.3 },
        { type: 'weibull', shape: 0.7, scale: 1e-3 * age },
      ];
      const pages = Array.from({ length: 8 }, (_, i) => ({
        ...(i % 4 === 3 ? { changeRate: 1 / age } : renewal(laws[i % 4])),
        lastCrawlAge: age,
      }));
      const { objective, solution } = answerOf(crawlSchedule, requestOf([2], pages));
      expect(objective.value).toBeGreaterThanOrEqual((objective.bound ?? Number.NaN) * (1 - 1e-9));
      const unvisited = solution.pages.find(({ crawls }: { crawls: number }, i: number) => crawls === 0 && i % 4 === 3);
      // a page that changes once in `age` is fresh, after that long, with probability 1/e
      expect(unvisited.staleness).toBeCloseTo(-Math.expm1(-1 - 0.5 / age), 6);
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
    const { status, solution } = certifiedSchedule({ interval, pages, crawlers: [{ slots: 40 }], hosts });
    expect(status).toBe('feasible');
    expect(solution.idleSlots).toBeLessThan(40);
  });

  it('names the limits that clash', () => {
    const pages = Array.from({ length: 3 }, () => ({ changeRate: 1 }));
    expect(certifiedSchedule({ ...requestOf([2], pages), crawls: 5 })).toMatchObject({
      status: 'infeasible',
      conflict: { crawls: 5, slots: 2 },
    });
  });

  it('stopped while exchanging, answers with what it has and says so', () => {
    const random = seededRandom(3);
    const request = requestOf(
      [40],
      Array.from({ length: 16 }, () => anyUpdates(random)),
    );
    let [unanswered, stoppedEarly] = [0, 0];
    for (let last = 2; last < 90; last += 4) {
      let polls = 0;
      const budget = { ...unlimitedBudget(), stopRequested: () => polls++ >= last };
      const { status, body } = ask(crawlSchedule, request, budget);
      if (status === 504) unanswered++;
      else {
        expect(faultsOf('crawl-schedule', request, body)).toEqual([]);
        if (JSON.stringify(body.warnings).includes('stopped-early')) stoppedEarly++;
      }
    }
    expect(unanswered).toBeGreaterThan(0);
    expect(stoppedEarly).toBeGreaterThan(0);
  });
});
