/**
 * Requests that the first edition answered badly, and their kin: a right answer or a refusal, within the time limit.
 */
import { describe, expect, it } from 'vitest';
import { accessFrequencies } from '../../src/operations/access-frequencies.ts';
import { accessSequence } from '../../src/operations/access-sequence.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { accessTime } from '../../src/solvers/access-frequencies/access-pages.ts';
import type { Distribution } from '../../src/solvers/laws/index.ts';
import * as outcomes from '../contract/outcomes.ts';

/** Milliseconds; these requests once ran for minutes, or for ever. */
const ends = { timeout: 60_000 } as const;

const ask = (operation: Operation, body: object) => outcomes.ask(operation, body, outcomes.untilTimeLimit);

describe('loads of laws with huge shapes', ends, () => {
  it('take milliseconds for a Weibull access time of shape 0.007', () => {
    const { status, body } = ask(accessFrequencies, {
      pages: { changeRate: [1.2, 2.1, 18494.2, 1.4, 2.256405604684551e90, 0.38, 0.41, 2.5] },
      accessTime: { type: 'weibull', shape: 0.007047770811282782, scale: 0.6578485420905054 },
      policy: 'randomized',
      options: { timeLimitMs: 1000 },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/pages/changeRate/4' }] });
  });

  // −ln E e^(−sX) by mpmath: panels of Gauss–Legendre around the maximum, 30 digits
  const references: [Distribution, number, number][] = [
    [{ type: 'weibull', shape: 0.007, scale: 0.7 }, 1e-30, 0.22070101323388977],
    [{ type: 'weibull', shape: 0.007, scale: 0.7 }, 1e3, 0.4881311482515449],
    [{ type: 'weibull', shape: 0.007, scale: 0.7 }, 1e200, 3.244933918730663],
    [{ type: 'weibull', shape: 0.05, scale: 0.7 }, 1e90, 10.370667973345348],
    [{ type: 'weibull', shape: 30, scale: 0.7 }, 1e90, 6131.621266416932],
    [{ type: 'weibull', shape: 1e6, scale: 0.7 }, 1e3, 699.9995955465815],
    [{ type: 'weibull', shape: 1e6, scale: 0.7 }, 1e200, 447344825.27021223],
    [{ type: 'lognormal', mu: -2, sigma: 0.001 }, 1e200, 96631439965.09663],
    [{ type: 'lognormal', mu: -2, sigma: 0.06 }, 1e3, 112.5267117927687],
    [{ type: 'lognormal', mu: -2, sigma: 5 }, 1e3, 1.939580556850066],
    [{ type: 'lognormal', mu: -2, sigma: 30 }, 1e-30, 0.009487244931980094],
    [{ type: 'lognormal', mu: -2, sigma: 30 }, 1e200, 120.56959135555257],
  ];
  it.each(references)('are exact for %j at the rate %d', (law, rate, load) => {
    expect(Math.abs(accessTime(law).load(rate) / load - 1)).toBeLessThan(1e-12);
  });

  it('do not overflow on the way to an excess of 1e+244', () => {
    const { excess, mean } = accessTime({ type: 'weibull', shape: 0.007047770811282782, scale: 0.6578485420905054 });
    expect(Math.abs(excess(0.38) / (0.38 * mean) - 1)).toBeLessThan(1e-9);
  });
});

describe('cycles of nearly a million accesses', () => {
  it('never cost less than their bound, rounding included', () => {
    const { body } = ask(accessSequence, {
      pages: [{ changeRate: 0.3245605977717787, frequency: 0.00006928749808620211 }],
      accessTime: { type: 'weibull', shape: 0.3484989586286247, scale: 2.2330113917123526 },
      method: 'golden-ratio',
      cycleLength: 832_040,
    });
    expect(body.status).toBe('optimal');
    expect(body.objective.gap).toBeGreaterThanOrEqual(0);
    expect(body.bounds.overall).toBeLessThanOrEqual(body.objective.value);
  });
});

describe('rates of 1e±300 in columns of crawl-allocation', () => {
  it.each([1e300, 8.158169240652244e293, 3.024912956525775e-149, 1e-300, 1.1e279])('are refused: %d', (rate) => {
    const { status, body } = ask(crawlAllocation, {
      interval: 24,
      crawls: 10,
      pages: { changeRate: [0.5, rate], weight: [1, 2] },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/pages/changeRate/1', code: 'mean-out-of-range' }] });
  });
});

describe('answers too long to be written in time', ends, () => {
  it('of ten million accesses end with the time limit, by every method', () => {
    for (const method of ['tree', 'golden-ratio', 'randomized', 'most-overdue']) {
      const { status } = ask(accessSequence, {
        pages: { changeRate: [8.8, 4.7, 9.7, 3.9, 1.2] },
        accessTime: { type: 'uniform', min: 3, max: 3.5 },
        method,
        cycleLength: 10_000_000,
        options: { timeLimitMs: 100 },
      });
      expect(status, method).toBe(504);
    }
  });

  it('of the ideal times of a million crawls end with the time limit', () => {
    const { status } = ask(crawlAllocation, {
      interval: 1,
      crawls: 1_000_000,
      pages: [{ changeRate: 1 }, { changeRate: 2, lastCrawlAge: 0.3 }],
      idealTimes: true,
      options: { timeLimitMs: 5 },
    });
    expect(status).toBe(504);
  });
});
