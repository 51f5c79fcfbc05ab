import { describe, expect, it } from 'vitest';
import { crawlPlan, estimatesHostLimits, verify } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  answeredOutcome,
  type HostLimitsProblem,
  refusedOutcome,
  solveHostLimits,
} from '../../../src/solvers/host-limits/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { binomialAtLeast, binomialAtMost } from '../../../src/solvers/numerics/special/incomplete-beta.ts';
import { requireDefined } from '../../require-defined.ts';

interface Line {
  readonly time: number;
  readonly refused: boolean;
  readonly retryAfter?: number;
  readonly latency?: number;
}

function problemOf(hosts: readonly (readonly Line[])[], more: Partial<HostLimitsProblem> = {}): HostLimitsProblem {
  const lines = hosts.flat();
  const offsets = new Uint32Array(hosts.length + 1);
  for (const [h, list] of hosts.entries()) offsets[h + 1] = offsets[h] + list.length;
  return {
    log: {
      offsets,
      time: Float64Array.from(lines, ({ time }) => time),
      outcome: Uint8Array.from(lines, (line) => (line.refused ? refusedOutcome : answeredOutcome)),
      retryAfter: Float64Array.from(lines, ({ retryAfter = Number.NaN }) => retryAfter),
      latency: Float64Array.from(lines, ({ latency = Number.NaN }) => latency),
    },
    names: hosts.map((_, h) => `host ${h}`),
    outOfOrder: 0,
    maxRefusalShare: 0.01,
    confidence: 0.95,
    memory: 5,
    connections: 1,
    increase: 0.1,
    delay: new Float64Array(hosts.length).fill(Number.NaN),
    since: new Float64Array(hosts.length).fill(Number.NEGATIVE_INFINITY),
    ...more,
  };
}

/** A host that fills a bucket of `burst` tokens at `rate` a second and refuses who comes without one. */
class Bucket {
  #tokens: number;
  #last = 0;
  readonly #rate: number;
  readonly #burst: number;

  constructor(rate: number, burst: number) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
  }

  refuses(time: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (time - this.#last) * this.#rate);
    this.#last = time;
    if (this.#tokens < 1) return true;
    this.#tokens -= 1;
    return false;
  }
}

/** A crawl at a delay, gaps within a tenth of it. */
function crawl(host: (time: number) => boolean, start: number, delay: number, count: number, random: () => number) {
  const lines: Line[] = [];
  let time = start;
  for (let k = 0; k < count; k++) {
    time += delay * (0.9 + 0.2 * random());
    lines.push({ time, refused: host(time) });
  }
  return lines;
}

const only = (problem: HostLimitsProblem) => solveHostLimits(problem, unlimitedBudget()).solution.hosts[0];

describe('tails of the binomial law', () => {
  it('are the sums of its terms', () => {
    for (const [n, p] of [
      [1, 0.3],
      [25, 0.01],
      [368, 0.01],
      [1500, 0.2],
    ] as const) {
      const terms: number[] = [];
      for (let k = 0; k <= n; k++) {
        let log = k * Math.log(p) + (n - k) * Math.log1p(-p);
        for (let j = 1; j <= k; j++) log += Math.log((n - k + j) / j);
        terms.push(Math.exp(log));
      }
      for (let k = 0; k <= n; k += 1 + (n >> 4)) {
        const most = terms.slice(0, k + 1).reduce((sum, each) => sum + each, 0);
        const least = terms.slice(k).reduce((sum, each) => sum + each, 0);
        expect(binomialAtMost(k, n, p)).toBeCloseTo(most, 10);
        expect(binomialAtLeast(k, n, p)).toBeCloseTo(least, 10);
      }
    }
  });
});

describe('the delay a host bears', () => {
  it('lies in its interval as often as is said, whatever the law of refusals', () => {
    // p(x) falls from 0.4 and is 1% at 1 s
    const chance = (pace: number): number => Math.min(0.4, 0.01 * pace ** -6);
    const random = seededRandom(7);
    let held = 0;
    let bounded = 0;
    const trials = 40;
    for (let trial = 0; trial < trials; trial++) {
      const lines: Line[] = [];
      const times: number[] = [0];
      for (const delay of [0.6, 0.8, 1, 1.25, 1.6, 2]) {
        for (let k = 0; k < 300; k++) {
          const time = times[times.length - 1] + delay * (0.9 + 0.2 * random());
          times.push(time);
          const pace = (time - times[Math.max(0, times.length - 6)]) / Math.min(5, times.length - 1);
          lines.push({ time, refused: random() < chance(pace) });
        }
      }
      const [low, high] = only(problemOf([lines])).interval;
      if (low <= 1 && (high ?? Infinity) >= 1) held++;
      if (high !== null && low > 0.5) bounded++;
    }
    expect(held / trials).toBeGreaterThan(0.9);
    expect(bounded / trials).toBeGreaterThan(0.9);
  });

  it('is near what a bucket of tokens lets through', () => {
    for (const rate of [0.2, 3]) {
      const random = seededRandom(3);
      const bucket = new Bucket(rate, 5);
      const host = (time: number): boolean => bucket.refuses(time);
      const lines: Line[] = [];
      for (const share of [0.5, 0.7, 0.9, 1.2, 2]) {
        lines.push(...crawl(host, lines.at(-1)?.time ?? 0, 1 / (share * rate), 500, random));
      }
      const { minDelay, interval, evidence } = only(problemOf([lines]));
      expect(evidence).toBe('refusals');
      expect(minDelay ?? Number.NaN).toBeGreaterThan(0.8 / rate);
      expect(minDelay ?? Number.NaN).toBeLessThan(1.4 / rate);
      expect(interval[0]).toBeGreaterThan(0);
      expect(requireDefined(interval[1])).toBeLessThan(2.5 / rate);
    }
  });

  it('is certified by code of its own', () => {
    const random = seededRandom(11);
    const hosts = Array.from({ length: 6 }, (_, h) => {
      const bucket = new Bucket(0.5 + random(), 1 + Math.floor(4 * random()));
      const lines: Line[] = [];
      for (let part = 0; part < 4; part++) {
        const delay = 0.5 + 2 * random();
        lines.push(...crawl((time) => bucket.refuses(time), lines.at(-1)?.time ?? 0, delay, 40 + 10 * h, random));
      }
      return lines.map((line, k) => (k % 97 === 5 && line.refused ? { ...line, retryAfter: 4 } : line));
    });
    const logs = hosts.map((lines, h) => ({
      host: `host ${h}`,
      requests: lines.map(({ refused, ...line }) => ({ ...line, status: refused ? 429 : 200 })),
    }));
    for (const refusals of [0.01, 0.1]) {
      const request = { hosts: logs, refusals };
      const answer = estimatesHostLimits(request);
      expect(verify('estimates/host-limits', request, answer).faults).toEqual([]);
    }
  });

  it('takes no burst after a pause for a pace that is kept up, nor what comes before Retry-After is over', () => {
    const bursts = Array.from({ length: 300 }, (_, k) => ({
      time: 60 * Math.floor(k / 5) + 0.1 * (k % 5),
      refused: false,
    }));
    expect(only(problemOf([bursts])).minDelay).toBeNull();
    const hasty = Array.from({ length: 40 }, (_, k) => ({
      time: k,
      refused: k > 9,
      ...(k === 10 && { retryAfter: 100 }),
    }));
    const limit = only(problemOf([hasty]));
    expect(limit.judged).toBe(6);
    expect(limit.notBefore).toBe(110);
  });

  it('is twice the slowest pace where all were refused, and no shorter than answers take', () => {
    const refusing = Array.from({ length: 60 }, (_, k) => ({ time: 2 * k, refused: k % 2 === 0 }));
    expect(only(problemOf([refusing])).minDelay).toBe(4);
    const slow = Array.from({ length: 60 }, (_, k) => ({ time: 2 * k, refused: false, latency: 6 }));
    expect(only(problemOf([slow]))).toMatchObject({ minDelay: 6, evidence: 'latency', medianLatency: 6 });
    expect(only(problemOf([slow], { connections: 4 }))).toMatchObject({ minDelay: 2, evidence: 'none' });
  });
});

describe('the delay to try next', () => {
  it('stays near what the host bears, from log to log, and few requests are refused', () => {
    const random = seededRandom(23);
    const rate = 0.8;
    const bucket = new Bucket(rate, 3);
    let delay = 6;
    let start = 0;
    let log: Line[] = [];
    let refusals = 0;
    let requests = 0;
    const rates: number[] = [];
    for (let plan = 0; plan < 60; plan++) {
      const lines = crawl((time) => bucket.refuses(time), start, delay, 120, random);
      const since = start;
      start = lines.at(-1)?.time ?? start;
      log = [...log, ...lines].slice(-2400);
      if (plan >= 20) {
        refusals += lines.filter((line) => line.refused).length;
        requests += lines.length;
        rates.push(1 / delay);
      }
      const limit = only(problemOf([log], { delay: Float64Array.of(delay), since: Float64Array.of(since) }));
      delay = limit.nextDelay ?? delay;
    }
    const mean = rates.reduce((sum, each) => sum + each, 0) / rates.length;
    expect(mean).toBeGreaterThan(0.6 * rate);
    expect(Math.max(...rates)).toBeLessThan(1.3 * rate);
    expect(refusals / requests).toBeLessThan(0.03);
  });

  it('doubles after refusals, and rises by a fixed step of the rate otherwise', () => {
    const calm = Array.from({ length: 60 }, (_, k) => ({ time: 2 * k, refused: false }));
    const delays = [2, 2.5].map((delay) => only(problemOf([calm], { delay: Float64Array.of(delay) })).nextDelay ?? 0);
    expect(1 / delays[0] - 1 / 2).toBeCloseTo(0.1 / 2, 12);
    expect(1 / delays[1] - 1 / 2.5).toBeCloseTo(0.1 / 2, 12);
    const hurt = calm.map((line, k) => ({ ...line, refused: k > 50 }));
    expect(only(problemOf([hurt], { delay: Float64Array.of(3) })).nextDelay).toBe(6);
  });
});

it('finds the limit of an address from the requests of all its hosts, which crawl-plan keeps for them together', () => {
  const random = seededRandom(32);
  const bucket = new Bucket(0.05, 2);
  const lines = [12, 16, 24, 40].flatMap((delay, k) =>
    crawl((time) => bucket.refuses(time), 1.7e9 + 20_000 * k, delay, 120, random),
  );
  const all = lines.map(({ time, refused }) => ({
    host: random() < 0.5 ? 'a.example' : 'b.example',
    request: { time, status: refused ? 429 : 200 },
  }));
  const requestsOf = (host: string) => all.filter((each) => each.host === host).map(({ request }) => request);
  const rows = [
    { host: 'a.example', requests: requestsOf('a.example') },
    { host: 'b.example', requests: requestsOf('b.example') },
    { host: '192.0.2.7', requests: all.map(({ request }) => request) },
  ];
  const found = estimatesHostLimits({ refusals: 0.05, hosts: rows }).solution?.hosts;
  const address = Array.isArray(found) ? (found[2].minDelay ?? Number.NaN) : Number.NaN;
  expect(address).toBeGreaterThan(15);
  expect(address).toBeLessThan(30);
  const plan = crawlPlan({
    now: 1.7e9 + 1e5,
    interval: 3600,
    crawls: 720,
    hosts: [{ host: '192.0.2.7', minDelay: address }],
    pages: Array.from({ length: 400 }, (_, i) => ({ host: '192.0.2.7', changeRate: 1e-4 + 1e-6 * i })),
  });
  const schedule = plan.solution?.schedule;
  const times = Array.isArray(schedule) ? schedule.map(({ time }) => time) : [];
  expect(times.length).toBeGreaterThan(100);
  for (let k = 1; k < times.length; k++) expect(times[k] - times[k - 1]).toBeGreaterThanOrEqual(address - 1e-6);
});
