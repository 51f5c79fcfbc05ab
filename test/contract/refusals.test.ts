/** However many values are wrong: at most twenty are described, all are counted, and none takes minutes. */
import { describe, expect, it } from 'vitest';
import { operationNamed, outcomeOf } from './outcomes.ts';

function refusalOf(name: string, body: unknown) {
  const outcome = outcomeOf(operationNamed(name), body);
  if (outcome.kind !== 'problem') throw new Error('accepted');
  return outcome.problem;
}

const many = 50_000;
const times = <T>(item: T): T[] => new Array<T>(many).fill(item);
const plan = { now: 1.7e9, interval: 86400, pages: [{ changeRate: 1e-6 }] };
const queue = { capacity: 3, obsolescence: null, costs: {} };

describe('a request with fifty thousand bad values', () => {
  it.each<[name: string, body: unknown, errorCount: number]>([
    ['estimates/change-rates', { pages: times({}) }, many],
    ['estimates/change-rates', { pages: times({ id: 7, checks: 1 }) }, 2 * many],
    ['estimates/change-rates', { pages: [{ checks: times([1, 'x']) }] }, many],
    ['estimates/update-process', { gaps: times('x') }, many],
    [
      'estimates/embarrassment-weights',
      { clicks: [[1]], pages: times({ impressions: [[1, 1]], errorProbability: 0 }) },
      many,
    ],
    [
      'estimates/embarrassment-weights',
      { clicks: [[1]], pages: [{ impressions: new Array(900).fill(new Array(50).fill(-1)), errorProbability: 0 }] },
      45_000,
    ],
    ['crawl-allocation', { interval: 1, crawls: 1, pages: [{ changeRate: 1 }], hosts: times({}) }, 2 * many],
    ['crawl-allocation', { interval: 1, crawls: 1, pages: times({ changeRate: -1 }) }, many],
    ['crawl-plan', { ...plan, crawls: 1, hosts: times({ host: '', minDelay: -1 }) }, 2 * many],
    ['crawl-plan', { ...plan, crawlers: times({ slots: 'x' }) }, many],
    ['slot-assignment', { interval: 1, crawlers: times({ slots: -1 }), tasks: [{ idealTime: 0 }] }, many],
    [
      'slot-assignment',
      { interval: 1, crawlers: [{ slots: 1 }], tasks: times({ idealTime: 0, crawlers: [4, 5] }) },
      2 * many,
    ],
    [
      'threshold-policy',
      { ...queue, service: { type: 'exponential', rate: 1 }, arrivals: { model: 'per-mode', modes: times({}) } },
      1,
    ],
    [
      'crawler-count',
      { capacity: 3, crawlerRate: 1, costs: { starvation: 1 }, service: { type: 'empirical', values: times(-1) } },
      many,
    ],
  ])('%s', { timeout: 60_000 }, (name, body, errorCount) => {
    const problem = refusalOf(name, body);
    expect(problem.errorCount, problem.detail).toBe(errorCount);
    expect(problem.errors?.length).toBe(problem.errors?.length === 1 ? 1 : 20);
  });

  it('points into the one form of a union that the value has', () => {
    const problem = refusalOf('estimates/change-rates', {
      pages: [{ checks: [] }],
      prior: { shape: -1, rate: 1, x: 0 },
    });
    expect(problem.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/prior/shape', 'too_small'],
      ['/prior/x', 'unrecognized_key'],
    ]);
  });
});

describe('a value that fits no variant is refused with the list of variants:', () => {
  const count = { capacity: 3, crawlerRate: 1, costs: { starvation: 1 }, service: 1 };
  it.each<[name: string, body: object, detail: string]>([
    ['crawler-count', { ...count, evaluate: 'x' }, '/evaluate: must be a finite number or an object; got "x"'],
    ['crawler-count', { ...count, evaluate: 1.5 }, '/evaluate: must be an integer or an object; got 1.5'],
    ['crawler-count', { ...count, evaluate: -1 }, '/evaluate: must be at least 1; got -1'],
    ['crawler-count', { ...count, service: 'fast' }, '/service: must be a finite number or an object; got "fast"'],
    [
      'slot-assignment',
      { interval: 1, crawlers: [{ slots: 1 }], tasks: [{ idealTime: 0 }], unassigned: 7 },
      '/unassigned: must be "forbid" or an object; got 7',
    ],
    [
      'estimates/change-rates',
      { pages: [{ checks: [[1, true]] }], prior: 7 },
      '/prior: must be "none" or "empirical-bayes" or an object; got 7',
    ],
  ])('%s', (name, body, detail) => {
    expect(refusalOf(name, body).detail).toBe(detail);
  });
});
