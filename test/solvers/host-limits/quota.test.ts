import { describe, expect, it } from 'vitest';
import { estimatesHostLimits } from '../../../src/index.ts';
import {
  answeredOutcome,
  inconclusiveOutcome,
  type RequestLog,
  refusedOutcome,
} from '../../../src/solvers/host-limits/index.ts';
import { findQuota } from '../../../src/solvers/host-limits/quota.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';

const start = 1_770_000_000;

/** Whether a host refuses a request, and what it says then of when to come back (seconds). */
type Host = (time: number) => { readonly refused: boolean; readonly retryAfter?: number };

/** Counts answers in fixed windows that begin at a phase. */
function fixedWindow(count: number, period: number, phase: number, tells: boolean): Host {
  let window = Number.NaN;
  let used = 0;
  return (time) => {
    const own = Math.floor((time - phase) / period);
    if (own !== window) [window, used] = [own, 0];
    if (used >= count) return { refused: true, ...(tells && { retryAfter: (own + 1) * period + phase - time }) };
    used++;
    return { refused: false };
  };
}

function slidingWindow(count: number, period: number): Host {
  const answers: number[] = [];
  return (time) => {
    while (answers.length > 0 && answers[0] <= time - period) answers.shift();
    if (answers.length >= count) return { refused: true };
    answers.push(time);
    return { refused: false };
  };
}

function bucket(rate: number, burst: number): Host {
  let tokens = burst;
  let last = start;
  return (time) => {
    tokens = Math.min(burst, tokens + (time - last) * rate);
    last = time;
    if (tokens < 1) return { refused: true };
    tokens--;
    return { refused: false };
  };
}

/** Requests at random times, so many in all, `gap` apart in the mean. */
function requestLog(host: Host, requests: number, gap: number, random: Random): RequestLog {
  const time = new Float64Array(requests);
  let at = start;
  for (let k = 0; k < requests; k++) time[k] = at += gap * standardExponential(random);
  const replies = Array.from(time, host);
  return {
    offsets: Uint32Array.of(0, requests),
    time,
    outcome: Uint8Array.from(replies, (each) => (each.refused ? refusedOutcome : answeredOutcome)),
    retryAfter: Float64Array.from(replies, ({ retryAfter = Number.NaN }) => retryAfter),
    latency: new Float64Array(requests).fill(Number.NaN),
  };
}

describe('the quota of a host', () => {
  it('is found with its period and count, by the clock or sliding', () => {
    for (const [seed, count, period] of [
      [1, 100, 3600],
      [2, 20, 60],
      [3, 500, 86_400],
      [4, 5, 10],
    ]) {
      const gap = (0.7 * period) / count;
      const fixed = requestLog(fixedWindow(count, period, 0, false), 12 * count, gap, seededRandom(seed));
      expect(findQuota(fixed, 0)).toEqual({ count, period, window: 'fixed', phase: 0 });
      const sliding = requestLog(slidingWindow(count, period), 12 * count, gap, seededRandom(seed));
      expect(findQuota(sliding, 0)).toEqual({ count, period, window: 'sliding', phase: null });
    }
  });

  it('is found where its period is not a usual one', () => {
    for (const [seed, count, period, phase] of [
      [21, 120, 5400, 0],
      [22, 90, 2520, 137],
      [23, 40, 100, 17],
    ]) {
      const gap = (0.7 * period) / count;
      const log = requestLog(fixedWindow(count, period, phase, true), 12 * count, gap, seededRandom(seed));
      expect(findQuota(log, 0)).toEqual({ count, period, window: 'fixed', phase: expect.any(Number) });
    }
    // ninety and forty-two minutes without a word of when to come back
    for (const period of [5400, 2520]) {
      const silent = requestLog(fixedWindow(120, period, 0, false), 1500, (0.7 * period) / 120, seededRandom(period));
      expect(findQuota(silent, 0)).toMatchObject({ count: 120, period, window: 'fixed' });
    }
    const sliding = requestLog(slidingWindow(120, 5400), 1500, 30, seededRandom(24));
    expect(findQuota(sliding, 0)).toEqual({ count: 120, period: 5400, window: 'sliding', phase: null });
  });

  it('has the phase that Retry-After points to', () => {
    const log = requestLog(fixedWindow(60, 900, 137, true), 600, 9, seededRandom(7));
    expect(findQuota(log, 0)).toEqual({ count: 60, period: 900, window: 'fixed', phase: 137 });
  });

  it('has the phase between refusals and the answers after them without a Retry-After', () => {
    const log = requestLog(fixedWindow(60, 900, 437, false), 1200, 9, seededRandom(8));
    const found = findQuota(log, 0);
    expect(found).toMatchObject({ count: 60, period: 900, window: 'fixed' });
    expect(Math.abs((found?.phase ?? Number.NaN) - 437)).toBeLessThan(9);
  });

  it('is that of the whole window, not of a part, where the crawler obeys Retry-After', () => {
    for (const [count, period, phase, gap] of [
      [100, 3600, 137, 10],
      [1000, 86_400, 7200, 30],
      [50, 60, 0, 0.4],
    ]) {
      const host = fixedWindow(count, period, phase, true);
      const requests: { time: number; status: number; retryAfter?: number }[] = [];
      for (let k = 0, time = start; k < 12 * count; k++, time += gap) {
        const { refused: turnedAway, retryAfter = 0 } = host(time);
        requests.push(turnedAway ? { time, status: 429, retryAfter: Math.ceil(retryAfter) } : { time, status: 200 });
        if (turnedAway) time += Math.ceil(retryAfter);
      }
      const { solution } = estimatesHostLimits({ hosts: [{ host: 'x.example', requests }] });
      expect(solution).toMatchObject({ hosts: [{ quota: { period, count, window: 'fixed', phase } }] });
    }
  });

  it('counts failures where the host counts them', () => {
    const log = requestLog(fixedWindow(100, 3600, 0, false), 2000, 20, seededRandom(10));
    const random = seededRandom(11);
    const failing = { ...log, outcome: log.outcome.map((each) => (random() < 0.05 ? inconclusiveOutcome : each)) };
    expect(findQuota(failing, 0)).toEqual({ count: 100, period: 3600, window: 'fixed', phase: 0 });
  });

  it('is none for a bucket of tokens, for refusals at random, and where nothing or everything was refused', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = seededRandom(seed);
      expect(findQuota(requestLog(bucket(0.5, 10), 2000, 1.2, random), 0), `bucket ${seed}`).toBeNull();
      const host: Host = () => ({ refused: random() < 0.1 });
      expect(findQuota(requestLog(host, 2000, 3, random), 0), `random ${seed}`).toBeNull();
    }
    for (const each of [true, false])
      expect(
        findQuota(
          requestLog(() => ({ refused: each }), 300, 1, seededRandom(1)),
          0,
        ),
      ).toBeNull();
  });

  it('is in the answer of the operation', () => {
    const { time, outcome } = requestLog(fixedWindow(100, 3600, 0, false), 900, 25, seededRandom(9));
    const requests = Array.from(time, (at, k) => ({ time: at, status: outcome[k] === refusedOutcome ? 429 : 200 }));
    const { solution } = estimatesHostLimits({ hosts: [{ host: 'x.example', requests }] });
    expect(solution).toMatchObject({ hosts: [{ quota: { period: 3600, count: 100, window: 'fixed', phase: 0 } }] });
    const [{ nextDelay }] = Array.isArray(solution?.hosts) ? solution.hosts : [];
    expect(nextDelay).toBeGreaterThanOrEqual(36);
  });
});
