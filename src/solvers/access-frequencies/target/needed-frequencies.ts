/**
 * How few accesses keep a target: the frequencies at which Σ c_i r_i(x_i) comes down to it, without Σ x_i = 1.
 *
 * x_i counts accesses of page i in the time E X that one takes; Σ x_i = k keeps k crawlers busy for ever. A page's
 * accesses are one crawler's: x_i ≤ 1, so that even at once after each other they leave it stale for 1 − (1 − h)/(μ E X).
 * A least frequency m is a share of all accesses: x_i ≥ m·k. Then k is the root of k = K(mk), where K, what the target
 * takes with that least, is convex.
 * Method: pages/targets. Source of the model: Coffman, Liu & Weber (1997), as in solve.ts.
 */
import { provedWithin, type Warning, warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { findRoot } from '../../numerics/search/root.ts';
import {
  type CurvePoint,
  meetTarget,
  type TargetMet,
  type TargetMissed,
  tradeOff,
  type Wanting,
} from '../../pages/targets/index.ts';
import {
  type AccessPages,
  accessPages,
  evenStaleness,
  randomizedStaleness,
  randomStaleness,
  staleness,
} from '../access-pages.ts';
import { minFrequencyConflict } from '../min-frequency.ts';
import type { AccessFrequenciesProblem, AccessTargetProblem } from '../problem.ts';
import { spacings } from '../tables/spacing-table.ts';
import { amongMany } from './among-many.ts';

const optimalGap = 1e-9;

/** What the pages ask of accesses at a price. */
function wantingOf(pages: AccessPages, policy: AccessFrequenciesProblem['policy'], least: number): Wanting {
  const { length, load, gain, weight } = pages;
  const even = policy === 'deterministic';
  const within = (x: number): number => Math.min(1, Math.max(least, x));
  const evenly = (i: number, price: number): number =>
    gain[i] > price ? within(load[i] / spacings.spacing(gain[i], price)) : least;
  const randomly = (i: number, price: number): number =>
    gain[i] > price ? within(Math.expm1(Math.min(load[i], 600)) * (Math.sqrt(gain[i] / price) - 1)) : least;
  return {
    pages: length,
    crawlsAt: even ? evenly : randomly,
    leftAt(i, x) {
      if (!(x > 0)) return weight[i];
      return weight[i] * (even ? staleness(pages, i, load[i] / x) : randomStaleness(pages, i, x));
    },
  };
}

/**
 * @throws ConditionNotMet where a page's load or worth is not a positive, finite double
 * @throws NothingToReturn when the budget ends first
 */
export function solveAccessTarget(problem: AccessTargetProblem, budget: Budget) {
  const { accessTime, changeRate, weight, policy, minFrequency, place, whole } = problem;
  const conflict = minFrequencyConflict(minFrequency, changeRate.length);
  if (conflict !== null) return { status: 'infeasible' as const, conflict };
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const many = minFrequency === 0 ? amongMany({ pages, policy, target: whole, budget }) : null;
  if (many !== null) return answered(pages, { ...many, met: true, left: whole, hostPrice: new Float64Array(0) }, many);
  const at = (least: number) =>
    meetTarget({ wanting: wantingOf(pages, policy, least), whole, hosts: null, start: startOf(pages), budget });
  const met = minFrequency === 0 ? at(0) : withLeast(at, minFrequency);
  if (!met.met) return { status: 'infeasible' as const, conflict: null, least: met.least };
  // with a least frequency the crawls move together, and what the price alone proves is far below
  const bound = minFrequency === 0 ? met.bound : null;
  const stale = (policy === 'deterministic' ? evenStaleness : randomizedStaleness)(pages, met.crawls);
  return answered(pages, met, { bound, stale });
}

function answered(
  { meanAccessTime }: AccessPages,
  met: TargetMet,
  { bound, stale }: { readonly bound: number | null; readonly stale: Float64Array },
) {
  const { total, crawls } = met;
  const frequency = new Float64Array(crawls.length);
  let starved = 0;
  for (let i = 0; i < crawls.length; i++) {
    if (crawls[i] > 0) frequency[i] = crawls[i] / total;
    else starved++;
  }
  return {
    ...provedWithin(optimalGap, total / meanAccessTime, bound === null ? null : bound / meanAccessTime),
    crawlers: Math.ceil(total * (1 - 1e-12)),
    frequency,
    staleness: stale,
    multiplier: Number.isFinite(met.price) ? met.price : 0,
    starved,
    meanAccessTime,
    met,
    warnings: starved > 0 ? [starvedWarning(starved)] : [],
  };
}

/** k = K(m·k); a target that is missed without a least frequency is missed with one. */
function withLeast(at: (least: number) => TargetMet | TargetMissed, share: number): TargetMet | TargetMissed {
  const free = at(0);
  if (!free.met) return free;
  const excess = (k: number): number => {
    const met = at(share * k);
    return met.met ? met.total - k : Number.POSITIVE_INFINITY;
  };
  let high = Math.max(free.total, Number.MIN_VALUE);
  while (excess(high) > 0 && high < 1 / share) high = Math.min(1 / share, high * 1.5);
  const k = excess(free.total) <= 0 ? free.total : findRoot(excess, free.total, high, 1e-12 * high);
  return at(share * k);
}

/** What accesses cost when every page is accessed as often as it changes. */
function startOf({ length, gain }: AccessPages): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += gain[i];
  return sum > 0 ? (0.2 * sum) / length : 1;
}

function starvedWarning(starved: number): Warning {
  const pages = starved === 1 ? '1 page gets' : `${starved} pages get`;
  return warning(
    'zero-frequency-pages',
    `${pages} frequency 0: the target is met without them, and such a page stays stale for ever; set minFrequency to keep every page alive`,
  );
}

/** What accesses buy: points in accesses per E X. */
export function accessCurve(problem: AccessFrequenciesProblem, around: number, budget: Budget): CurvePoint[] {
  const { accessTime, changeRate, weight, policy, place } = problem;
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  return tradeOff({ wanting: wantingOf(pages, policy, 0), hosts: null, start: startOf(pages), budget }, around);
}
