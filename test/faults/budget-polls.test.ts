/**
 * Large questions, and limits of which nobody knows yet whether they can be kept. A solver looks at its budget all the
 * way, so that a time limit is kept. Wherever it ends, the answer says no more than is proved, and calls nothing a
 * conflict. Looks are counted, not milliseconds.
 */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { exampleRequest } from '../../src/package.ts';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { prepareParsed, run } from '../../src/workers/pipeline.ts';
import { operationNamed } from '../contract/outcomes.ts';

/** Numbers spread evenly over a range, in no order. */
const spread = (count: number, least: number, most: number): number[] =>
  Array.from({ length: count }, (_, i) => least + (most - least) * ((i * 0.6180339887498949) % 1));

const pages = (count: number) => ({
  changeRate: spread(count, 0.1, 5),
  weight: spread(count, 0.2, 3).reverse(),
  lastCrawlAge: spread(count, 0, 1),
});

const planPages = (count: number) => ({
  changeRate: spread(count, 1e-4, 5e-3),
  lastCrawl: spread(count, 1e9 - 1000, 1e9),
});

/** A phase-type law of `phases` phases in a row. */
const chain = (phases: number) => ({
  type: 'phase-type',
  initial: Array.from({ length: phases }, (_, i) => (i === 0 ? 1 : 0)),
  generator: Array.from({ length: phases }, (_, i) =>
    Array.from({ length: phases }, (_, j) => (i === j ? -phases : j === i + 1 ? phases : 0)),
  ),
});

/** As many weighted tasks as slots: the search for prices is long. */
const fullWeighted = {
  interval: 1000,
  crawlers: [{ slots: 1500 }, { slots: 1500 }],
  tasks: { idealTime: spread(3000, 0, 1000), weight: spread(3000, 0.1, 10).reverse() },
};

const example = (name: string) => exampleRequest({ name, summary: '' });

/** Limits that nearly clash. */
const hardLimits = {
  crawlerRate: 0.007,
  service: 1,
  capacity: 8,
  crawlers: 60,
  costs: { starvation: 1.2, crawler: 0.002 },
  constraints: { lossProbability: 1e-15 },
};

interface Ended {
  readonly status: string;
  readonly value: number;
  readonly bound: number | null;
  readonly looks: number;
}

/** The answer, or the refusal, if the budget is over from its poll number `last` on. */
function endedAt(name: string, body: unknown, last: number): Ended {
  const ready = prepareParsed(operationNamed(name), structuredClone(body), readConfig({}));
  if (ready.kind !== 'ready') throw new Error(ready.problem.detail);
  let looks = 0;
  const budget: Budget = {
    ...unlimitedBudget(),
    stopRequested: () => looks++ >= last,
    remainingMs: () => (looks >= last ? 0 : 1e6),
  };
  const outcome = run(ready, budget, now);
  if (outcome.kind !== 'answer') return { status: outcome.problem.type, value: Number.NaN, bound: null, looks };
  const { status, objective } = JSON.parse(outcome.body);
  return { status, value: objective.value, bound: objective.bound, looks };
}

describe('a budget in a large question', () => {
  it.each<[name: string, part: string, least: number, body: unknown]>([
    ['slot-assignment', 'tasks of weights on all slots', 5, fullWeighted],
    [
      'activation-policy',
      'a hundred thousand crawlers',
      30,
      { capacity: 1, crawlerRate: 1e-7, service: 1, costs: { starvation: 1.4 }, crawlers: 100_000 },
    ],
    [
      'crawl-allocation',
      'questions to a law of many phases',
      40,
      {
        interval: 10,
        crawls: 90,
        pages: spread(30, 0, 1).map((lastCrawlAge) => ({
          updates: { type: 'renewal', distribution: chain(50) },
          lastCrawlAge,
        })),
      },
    ],
    [
      'crawl-allocation',
      'times and baselines of many pages',
      100,
      { interval: 1, crawls: 150_000, pages: pages(100_000), idealTimes: true, baselines: true },
    ],
    [
      'crawl-schedule',
      'prices of two thousand slots',
      100,
      { interval: 1, crawlers: [{ slots: 2000 }], pages: pages(1000) },
    ],
    ['activation-policy', 'limits that are hard to keep', 1, hardLimits],
    ['activation-policy', 'its example with limits', 1, example('activation-policy-limits')],
    ['threshold-policy', 'its example with phases', 1, example('threshold-policy-phases')],
    ['crawler-count', 'its example with limits', 1, example('crawler-count-limits')],
    ['crawl-plan', 'pages ranked', 500, { now: 1e9, interval: 1000, crawls: 24_000, pages: planPages(20_000) }],
  ])('of %s is looked at throughout, and its end claims nothing: %s', (name, _, least, body) => {
    const whole = endedAt(name, body, Number.POSITIVE_INFINITY);
    expect(['optimal', 'feasible']).toContain(whole.status);
    expect(whole.looks).toBeGreaterThan(least);
    const statuses = ['optimal', 'feasible', 'urn:crawl-optimizer:problem:time-limit'];
    // A question of few polls is stopped at each of them: limits may clash or not from one poll to the next.
    const stops = least > 1 ? 3 : Math.min(whole.looks, 160);
    for (let stop = 0; stop < stops; stop++) {
      const last = Math.floor(((stop + 0.5) / stops) * whole.looks);
      const { status, value, bound } = endedAt(name, body, last);
      expect(statuses, `stopped at look ${last}`).toContain(status);
      if (bound !== null) expect(bound, `stopped at look ${last}`).toBeLessThanOrEqual(whole.value * (1 + 1e-9));
      if (status === 'optimal') expect(value / whole.value, `stopped at look ${last}`).toBeCloseTo(1, 8);
    }
  });
});
