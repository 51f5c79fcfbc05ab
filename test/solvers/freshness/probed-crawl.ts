/** A simulated crawl whose truth is known: pages with given times of change, fetched at even intervals, and probed. */
import type { FreshnessProblem } from '../../../src/solvers/freshness/index.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

export type Changes = 'poisson' | 'bursts' | 'site-wide' | 'drifting';

export interface Crawl {
  readonly changes: Changes;
  readonly pages: number;
  readonly days: number;
  readonly probesADay: number;
  /** Days between two fetches of a page. */
  readonly interval: number;
}

export interface Probed {
  readonly problem: FreshnessProblem;
  /** By probe, in order of time: the share of all copies that was current then. */
  readonly freshness: Float64Array;
}

const exponential = (random: Random, rate: number): number => -Math.log1p(-random()) / rate;

/** Changes begin so long before the first day, so that the copies held on it have their usual age. */
const before = -30;

/** The times at which a page changes. */
function changesOf(kind: Changes, days: number, random: Random, ofSite: readonly number[]): number[] {
  const times: number[] = [];
  const own = 0.1 * Math.exp(1.2 * (random() + random() + random() - 1.5));
  for (let t = before + exponential(random, own); t < days; t += exponential(random, own)) {
    const kept = kind === 'drifting' ? 0.5 + 0.5 * Math.sin((8 * t) / days) : 1;
    if (random() < kept) times.push(t);
    if (kind === 'bursts') for (let k = 0; k < 5; k++) times.push(t + random() * 0.3);
  }
  return kind === 'site-wide' ? [...times, ...ofSite] : times;
}

/** Whether a copy fetched at even intervals, from a phase on, is current at a time. */
function isCurrent(changes: readonly number[], time: number, interval: number, phase: number): boolean {
  const fetched = phase + Math.floor((time - phase) / interval) * interval;
  return !changes.some((change) => change > fetched && change <= time);
}

export function probed({ changes, pages, days, probesADay, interval }: Crawl, random: Random): Probed {
  const site: number[] = [];
  for (let t = before; t < days; t += exponential(random, 0.3)) site.push(t);
  const histories = Array.from({ length: pages }, () => changesOf(changes, days, random, site));
  const phases = Array.from({ length: pages }, () => -5 * random());
  const count = days * probesADay;
  const time = Float64Array.from({ length: count }, () => days * random()).sort();
  const current = new Uint8Array(count);
  const freshness = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const held = histories.map((each, page) => (isCurrent(each, time[i], interval, phases[page]) ? 1 : 0));
    current[i] = held[Math.floor(pages * random())];
    freshness[i] = held.reduce<number>((sum, each) => sum + each, 0) / pages;
  }
  const problem: FreshnessProblem = {
    time,
    host: new Int32Array(count).fill(-1),
    hosts: [],
    current,
    weight: new Float64Array(count).fill(1),
    confidence: 0.95,
  };
  return { problem, freshness };
}
