/**
 * A simulated trial whose truth is known: pages with given times of change, crawled at even intervals under either arm,
 * and probed. Each page is crawled by both rules at once, in two worlds, so that a probe's difference is known.
 */
import type { FreshnessProblem } from '../../../src/solvers/freshness/index.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

export type Changes = 'poisson' | 'bursts' | 'site-wide' | 'drifting';

export interface Crawl {
  readonly changes: Changes;
  readonly pages: number;
  readonly days: number;
  readonly probesADay: number;
  /** Days between two fetches of a page, under the plan and under the incumbent rule. */
  readonly intervals: { readonly plan: number; readonly incumbent: number };
  readonly forecast: (random: Random) => number;
  /** Hosts that are dealt whole, and whose pages have the changes of the site in common; left out: pages are dealt. */
  readonly hosts?: number;
}

export interface Probed {
  readonly problem: FreshnessProblem;
  /** By probe, in order of time: what it would have found under the plan, less that under the incumbent rule. */
  readonly differences: Float64Array;
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

export function probed(crawl: Crawl, random: Random): Probed {
  const { changes, pages, days, probesADay, intervals, forecast, hosts = 0 } = crawl;
  const unitOf = (page: number): number => (hosts > 0 ? page % hosts : page);
  const sites = Array.from({ length: Math.max(1, hosts) }, () => {
    const times: number[] = [];
    for (let t = before; t < days; t += exponential(random, 0.3)) times.push(t);
    return times;
  });
  const histories = Array.from({ length: pages }, (_, i) => changesOf(changes, days, random, sites[i % sites.length]));
  const phases = Array.from({ length: pages }, () => -5 * random());
  const count = days * probesADay;
  const time = Float64Array.from({ length: count }, () => days * random()).sort();
  const probed = Int32Array.from({ length: count }, () => Math.floor(pages * random()));
  const units = hosts > 0 ? hosts : pages;
  const unit = probed.map(unitOf);
  const signs = Array.from({ length: units }, () => Int8Array.from({ length: days }, () => (random() < 0.5 ? 1 : -1)));
  const differences = new Float64Array(count);
  const current = new Uint8Array(count);
  const arm = new Int8Array(count);
  for (let i = 0; i < count; i++) {
    const page = probed[i];
    const under = (interval: number): number => (isCurrent(histories[page], time[i], interval, phases[page]) ? 1 : 0);
    const [plan, incumbent] = [under(intervals.plan), under(intervals.incumbent)];
    arm[i] = signs[unit[i]][Math.floor(time[i])];
    current[i] = arm[i] > 0 ? plan : incumbent;
    differences[i] = plan - incumbent;
  }
  const problem: FreshnessProblem = {
    time,
    host: new Int32Array(count).fill(-1),
    hosts: [],
    current,
    weight: new Float64Array(count).fill(1),
    forecast: Float64Array.from({ length: count }, () => forecast(random)),
    trial: { period: 1, settling: 0, unit, units: Array.from({ length: units }, (_, i) => `${i}`), seed: null, arm },
    confidence: 0.95,
    history: 0,
  };
  return { problem, differences };
}
