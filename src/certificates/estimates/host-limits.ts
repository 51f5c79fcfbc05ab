/**
 * Checks delays against the log by code of its own, request by request. Chances come from the max–min formula of the
 * falling fit, tests from the terms of the binomial law one by one. O(n²): for logs of some thousand requests a host.
 */

import type { HostLimit, HostLimitsProblem } from '../../solvers/host-limits/problem.ts';
import { isObject, numberIn, numbersIn, objectAt, type WireObject, WireTable } from '../wire.ts';

/** What is checked of a host, and by which terms. */
type Checked = Pick<HostLimit, 'minDelay' | 'nextDelay' | 'interval' | 'judged' | 'evidence'>;
type Terms = Pick<HostLimitsProblem, 'log' | 'tolerated' | 'confidence' | 'memory'>;

function faultsOf(problem: Terms, limit: Checked): string[] {
  const faults: string[] = [];
  const { minDelay, nextDelay } = limit;
  const [low, high] = limit.interval;
  if (minDelay !== null && !(minDelay > 0)) faults.push(`the delay ${minDelay} is not positive`);
  if (nextDelay !== null && nextDelay < low) faults.push(`the next delay ${nextDelay} is one known to be refused`);
  const seen = requestsAtPace(problem);
  if (seen.length !== limit.judged) faults.push(`${seen.length} requests count, not ${limit.judged}`);
  if (seen.length === 0) return faults;
  const { tolerated } = problem;
  const fit = fallingFit(seen);
  if (limit.evidence !== 'latency' && minDelay !== null) {
    const at = seen.findIndex(({ pace }) => pace >= minDelay);
    const chance = at < 0 ? 0 : fit[at];
    if (at < 0 && fit.some((each) => each <= tolerated)) faults.push(`${minDelay} is slower than needed`);
    if (chance > tolerated + 1e-12) faults.push(`at ${minDelay} the chance of a refusal is ${chance}`);
  }
  const level = (1 - problem.confidence) / 2;
  const silent = Math.ceil(Math.log(level) / Math.log(1 - tolerated));
  const window = Math.max(silent, Math.min(4 * silent, Math.floor(seen.length / 4)));
  const kept = independentShare(seen, fit);
  /** Whether a delay above the first i paces, and not above the next, can be the one looked for. */
  const possible = (i: number): boolean => {
    const below = count(seen.slice(Math.max(0, i - window), i), kept);
    const above = count(seen.slice(i, i + window), kept);
    const fewRefusals = binomialSum(0, below.up, below.n, tolerated);
    const manyRefusals = binomialSum(above.down, above.n, above.n, tolerated);
    return (below.n === 0 || fewRefusals > level) && (above.n === 0 || manyRefusals > level);
  };
  const open = Array.from({ length: seen.length + 1 }, (_, i) => i).filter(
    (i) => (i === 0 || i === seen.length || seen[i].pace > seen[i - 1].pace) && possible(i),
  );
  const first = open.length === 0 ? 0 : open[0];
  const last = open.length === 0 ? seen.length : open[open.length - 1];
  const from = first === 0 ? 0 : seen[first - 1].pace;
  const to = last === seen.length ? null : seen[last].pace;
  if (from !== low || to !== high) faults.push(`the interval is ${from} to ${to}, not ${low} to ${high}`);
  return faults;
}

/** Up to so many requests of a host are looked at: the work grows with their square. */
const mostRequests = 5000;

/** The same of a request and an answer of the contract, for hosts without very long logs. */
export function verifyHostLimits(request: WireObject, answer: WireObject): string[] {
  const hosts = new WireTable(request.hosts, 'hosts');
  const told = new WireTable(objectAt(answer, 'solution').hosts, 'hosts', hosts.length);
  const logs = hosts.lists('requests').map((list) => sortedLog(list ?? []));
  const slowAfter = numberIn(request, 'slowAfter', Number.POSITIVE_INFINITY);
  const orNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  const [minDelay, nextDelay, evidence] = ['minDelay', 'nextDelay', 'evidence'].map((name) => told.values(name));
  const judged = told.numbers('judged');
  const intervals = told.lists('interval').map((list) => numbersIn({ list: list ?? [] }, 'list'));
  return logs.flatMap((log, h) => {
    if (log.length > mostRequests) return [];
    const [low, high] = intervals[h];
    const limit: Checked = {
      minDelay: orNull(minDelay[h]),
      nextDelay: orNull(nextDelay[h]),
      interval: [low, Number.isNaN(high) ? null : high],
      judged: judged[h],
      evidence: evidence[h] === 'latency' ? 'latency' : evidence[h] === 'refusals' ? 'refusals' : 'none',
    };
    return faultsOf(termsOf(request, log, slowAfter), limit).map((fault) => `host ${h}: ${fault}`);
  });
}

function sortedLog(list: readonly unknown[]): WireObject[] {
  const log = list.filter(isObject);
  return log.sort((a, b) => numberIn(a, 'time') - numberIn(b, 'time'));
}

function termsOf(request: WireObject, log: readonly WireObject[], slowAfter: number): Terms {
  const outcome = (each: WireObject): number => {
    const status = numberIn(each, 'status');
    if (status === 429 || status === 503) return 1;
    if (status === 0 || status >= 500) return 2;
    return numberIn(each, 'latency', 0) > slowAfter ? 1 : 0;
  };
  const column = (name: string): Float64Array => Float64Array.from(log, (each) => numberIn(each, name, Number.NaN));
  return {
    log: {
      offsets: Uint32Array.of(0, log.length),
      time: column('time'),
      outcome: Uint8Array.from(log, outcome),
      retryAfter: column('retryAfter'),
      latency: column('latency'),
    },
    tolerated: numberIn(request, 'refusals', 0.01),
    confidence: numberIn(request, 'confidence', 0.95),
    memory: numberIn(request, 'memory', 5),
  };
}

interface Seen {
  readonly pace: number;
  readonly refused: number;
  readonly order: number;
}

/** Requests that count, slowest pace last. */
function requestsAtPace({ log, memory }: Terms): Seen[] {
  const seen: Seen[] = [];
  for (const k of log.time.keys()) {
    if (k < memory || log.outcome[k] > 1) continue;
    const gaps = Array.from({ length: memory }, (_, g) => log.time[k - g] - log.time[k - g - 1]);
    const mean = (log.time[k] - log.time[k - memory]) / memory;
    const asked = log.time.subarray(0, k).some((time, i) => time + log.retryAfter[i] > log.time[k]);
    if (asked || !(mean > 0) || Math.max(...gaps) > 4 * mean) continue;
    seen.push({ pace: mean, refused: log.outcome[k], order: k });
  }
  return seen.sort((a, b) => a.pace - b.pace || a.order - b.order);
}

/**
 * The falling fit: at each position the least over starts up to it of the largest mean to an end from it on, ties
 * together.
 */
function fallingFit(seen: readonly Seen[]): number[] {
  const total = [0];
  for (const { refused } of seen) total.push(total[total.length - 1] + refused);
  const isStart = seen.map(({ pace }, i) => i === 0 || pace > seen[i - 1].pace);
  const fit = seen.map(() => Number.POSITIVE_INFINITY);
  for (let s = 0; s < seen.length; s++) {
    if (!isStart[s]) continue;
    let most = 0;
    for (let e = seen.length; e > s; e--) {
      if (e === seen.length || isStart[e]) most = Math.max(most, (total[e] - total[s]) / (e - s));
      fit[e - 1] = Math.min(fit[e - 1], most);
    }
  }
  return fit;
}

function independentShare(seen: readonly Seen[], fit: readonly number[]): number {
  const left = seen.map(({ refused, order }, i) => ({ order, residual: refused - fit[i] }));
  left.sort((a, b) => a.order - b.order);
  const squares = left.reduce((sum, { residual }) => sum + residual ** 2, 0);
  const products = left.reduce((sum, { residual }, k) => sum + (k > 0 ? residual * left[k - 1].residual : 0), 0);
  const r = squares > 0 ? Math.min(0.95, Math.max(0, products / squares)) : 0;
  return (1 - r) / (1 + r);
}

function count(seen: readonly Seen[], kept: number): { n: number; up: number; down: number } {
  const n = Math.floor(seen.length * kept + 1e-9);
  const refusals = seen.reduce((sum, { refused }) => sum + refused, 0);
  const scaled = seen.length > 0 ? (refusals * n) / seen.length : 0;
  return { n, up: Math.ceil(scaled - 1e-9), down: Math.floor(scaled + 1e-9) };
}

/** Σ_{k=from}^{to} of the binomial law, term by term. */
function binomialSum(from: number, to: number, n: number, p: number): number {
  let log = n * Math.log1p(-p);
  let sum = 0;
  for (let k = 0; k <= to; k++) {
    if (k >= from) sum += Math.exp(log);
    log += Math.log(((n - k) / (k + 1)) * (p / (1 - p)));
  }
  return sum;
}
