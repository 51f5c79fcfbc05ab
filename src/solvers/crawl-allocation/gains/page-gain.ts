/**
 * What one more crawl of a page is worth, and how stale the page is, for every family and every start of the interval.
 *
 * Model: updates of a page form an equilibrium renewal process with gap X of mean m. A page crawled a time s·σ ago (σ
 * the unit of its family) is stale with probability F_e(s) = (1/m)∫₀^{sσ} P(X > u) du. Three integrals of the survival
 * function S(v) = P(X > vσ), one kernel file a family, give everything without a subtraction of near-equal numbers:
 *
 *   G(s)    = ∫₀ˢ v·S(v) dv                   `…Partial`
 *   I(b, d) = ∫_b^{b+d} (b + d − v)·S(v) dv    `…Triangle`
 *   F_e(s)                                    `…Equilibrium`
 *
 * Expected stale time in a gap s: H(s) = (σ/m)·I(0, s), and H(b + d) − H(b) = d·F_e(b) + (σ/m)·I(b, d). Splitting a
 * length Y into n₂ instead of n₁ equal gaps (n real) saves, per σ²/m of stale time,
 *
 *   M(Y, n₁, n₂) = ∫_{n₁}^{n₂} G(Y/ν) dν = δ·G(b) + n₁·I(b, d),  b = Y/n₂, d = Y/n₁ − b, δ = n₂ − n₁  (`…Gain`),
 *
 * the integral of S under a triangle, hence positive. M(Y, 0, 1) = Y·(1 − F_e(Y))·m/σ + G(Y) (`…FirstGain`).
 *
 * Start of the interval, with Y = T/σ and r = age/T:
 *   never crawled  x crawls make x gaps of Y/x: gain M(Y, x, x + 1);
 *   r ≥ 0          while x·r ≤ 1, x crawls make x + 1 gaps of Y(1 + r)/(x + 1), the first already begun; beyond, the first
 *                  crawl is at once and they make x gaps of Y/x. Both are the optimum over real x of one jointly convex
 *                  problem (gaps of one length, the first at least the age), so gains never increase in x. The gain
 *                  across the border is M(Y(1 + r), x + 1, 1 + 1/r) + M(Y, 1/r, x + 1).
 *
 * Under another objective (poissonCostProcess) a copy of age a costs c(a), C = ∫c, in place of F_e and H. With σ = 1 and
 * scale = w/T, G is V(a) = a·c(a) − C(a), and I is ∫ (b + d − v)c′(v) dv over [b, b + d]. c increases, so all the above
 * holds.
 *
 * The gain of crawl x + 1 is w·(A(x) − A(x + 1)), A the mean cost of the page: its staleness under freshness.
 *
 * A new family of updates: its number here and in ProcessCode, from which the compiler names scalePages (scale-pages.ts);
 * kernelGain, splitGain, staleTime and staleChance here; its setter in update-processes.ts and its fields in
 * schemas/parts/update-process.ts; the guess of a count (firstGuess in counts.ts); the stale time of a schedule
 * (crawl-schedule/stale-time.ts); the checker's own A(x) (certificates/crawl-allocation.ts, page-costs.ts). For an
 * objective see CONTRIBUTING.md.
 *
 * Cost: one to four exponentials (Poisson, Lomax); see renewal-kernel.ts for the others.
 * Source: Wolf et al. (2002), section 2.3, (3), (11), (14), rewritten; (14) alone holds for r = 0 only.
 */
import type { StalenessCost } from '../../pages/objectives/index.ts';
import { lomaxEquilibrium, lomaxFirstGain, lomaxGain, lomaxTriangle } from './lomax-kernel.ts';
import { poissonEquilibrium, poissonFirstGain, poissonGain, poissonTriangle } from './poisson-kernel.ts';
import type { GainTable } from './quasi-deterministic.ts';
import { type GapLaw, renewalEquilibrium, renewalFirstGain, renewalGain, renewalTriangle } from './renewal-kernel.ts';

export const poissonProcess = 0;
export const lomaxProcess = 1;
export const renewalProcess = 2;
export const quasiDeterministicProcess = 3;
/** Poisson updates under another objective than freshness. */
export const poissonCostProcess = 4;
export type ProcessCode =
  | typeof poissonProcess
  | typeof lomaxProcess
  | typeof renewalProcess
  | typeof quasiDeterministicProcess
  | typeof poissonCostProcess;

/**
 * Pages as the allocation sees them: one typed array a property, scaled so that the hot loops only multiply.
 *
 * σ is the unit of time of a page's kernel, m its mean gap, T the interval:
 *   length = T/σ, scale = w·σ²/(m·T), age = (time since the last crawl)/T, −1 for a page never crawled.
 * Taking one more crawl is worth `scale` times the gain of the kernel. For quasi-deterministic pages `scale` is the
 * weight and `entry` the page's place in the table of gains. Under another objective than freshness σ is the unit of
 * time and scale = w/T.
 */
export interface ScaledPages {
  readonly count: number;
  /** Family by page: poissonProcess, lomaxProcess, renewalProcess, quasiDeterministicProcess or poissonCostProcess. */
  readonly process: Uint8Array;
  readonly length: Float64Array;
  readonly scale: Float64Array;
  /** By page: α of a Lomax page, the update rate of one of poissonCostProcess. Empty where there is no such page. */
  readonly alpha: Float64Array;
  /** By page: index in `laws` of a renewal page, in `table` of a quasi-deterministic one. Empty where there is neither. */
  readonly entry: Int32Array;
  /** Time since the last crawl over the interval, −1 for a page never crawled; null: no page has been crawled. */
  readonly age: Float64Array | null;
  readonly minimum: Int32Array;
  readonly maximum: Int32Array;
  readonly laws: readonly GapLaw[];
  readonly table: GainTable;
  /** Cost of a copy by its age, for pages of poissonCostProcess. */
  readonly cost: StalenessCost;
}

/**
 * Gain δ·G(b) + n₁·I(b, d) of page i, by the kernel of its family. Short, so that the engine compiles it and the Poisson
 * kernel into the loops over pages.
 */
function kernelGain(pages: ScaledPages, i: number, b: number, d: number, n1: number, delta: number): number {
  if (pages.process[i] === poissonProcess) return poissonGain(b, d, n1, delta);
  return otherKernelGain(pages, i, b, d, n1, delta);
}

function otherKernelGain(pages: ScaledPages, i: number, b: number, d: number, n1: number, delta: number): number {
  const process = pages.process[i];
  if (process === lomaxProcess) return lomaxGain(pages.alpha[i], b, d, n1, delta);
  if (process === poissonCostProcess) {
    const rate = pages.alpha[i];
    return delta * pages.cost.worth(rate, 1, b) + n1 * pages.cost.excessCost(rate, b, d);
  }
  return renewalGain(pages.laws[pages.entry[i]], b, d, n1, delta);
}

/** Gain of splitting a length into n + 1 equal gaps instead of n. */
function splitGain(pages: ScaledPages, i: number, total: number, n: number): number {
  if (n === 0) return firstGain(pages, i, total);
  const b = total / (n + 1);
  return kernelGain(pages, i, b, b / n, n, 1);
}

/** Gain of the first crawl of a page never crawled, which no page of poissonCostProcess is (agesAtStart). */
function firstGain(pages: ScaledPages, i: number, total: number): number {
  const process = pages.process[i];
  if (process === poissonProcess) return poissonFirstGain(total);
  if (process === lomaxProcess) return lomaxFirstGain(pages.alpha[i], total);
  return renewalFirstGain(pages.laws[pages.entry[i]], total);
}

/** What crawl x + 1 of page i saves in weight·staleness, given x ≥ 0 crawls; non-increasing in x, ignores bounds. */
export function gainOfNext(pages: ScaledPages, i: number, x: number): number {
  if (pages.process[i] === quasiDeterministicProcess) {
    const { offsets, gains } = pages.table;
    const at = offsets[pages.entry[i]] + x;
    return at < offsets[pages.entry[i] + 1] ? pages.scale[i] * gains[at] : 0;
  }
  const y = pages.length[i];
  const r = pages.age === null ? -1 : pages.age[i];
  const isBeforeBorder = r >= 0 && x * r <= 1;
  if (isBeforeBorder && (x + 1) * r > 1) return pages.scale[i] * borderGain(pages, i, x, y, r);
  return pages.scale[i] * splitGain(pages, i, isBeforeBorder ? y + y * r : y, isBeforeBorder ? x + 1 : x);
}

/** Gain of crawl x + 1 across the border ν = 1/r, where the gaps are as long as the age. */
function borderGain(pages: ScaledPages, i: number, x: number, y: number, r: number): number {
  const b = y / (x + 1);
  const gainBefore = kernelGain(pages, i, y * r, (y * (1 - x * r)) / (x + 1), x + 1, (1 - x * r) / r);
  const gainAfter = kernelGain(pages, i, b, (y * ((x + 1) * r - 1)) / (x + 1), 1 / r, ((x + 1) * r - 1) / r);
  return gainBefore + gainAfter;
}

/** The family of each page's updates, and its parameters. */
type Families = Pick<ScaledPages, 'process' | 'alpha' | 'laws' | 'entry'>;

/** I(b, d)·σ/m of page i: expected stale time gained over [b, b + d] beyond d·F_e(b). */
function staleTime(pages: Families, i: number, b: number, d: number): number {
  const process = pages.process[i];
  if (process === poissonProcess) return poissonTriangle(b, d);
  if (process === lomaxProcess) return (lomaxTriangle(pages.alpha[i], b, d) * (pages.alpha[i] - 1)) / pages.alpha[i];
  return renewalTriangle(pages.laws[pages.entry[i]], b, d);
}

/** F_e(s): the chance that page i is stale a time s·σ after a crawl. */
export function staleChance(pages: Families, i: number, s: number): number {
  const process = pages.process[i];
  if (process === poissonProcess) return poissonEquilibrium(s);
  if (process === lomaxProcess) return lomaxEquilibrium(pages.alpha[i], s);
  return renewalEquilibrium(pages.laws[pages.entry[i]], s);
}

/** Expected stale time of page i while its copy ages from b to b + d, in units of σ. */
export const staleGap = (pages: Families, i: number, b: number, d: number): number =>
  b > 0 ? d * staleChance(pages, i, b) + staleTime(pages, i, b, d) : staleTime(pages, i, 0, d);

/**
 * Time-average cost A(x) of page i with x crawls at their best times: its staleness, in [0, 1], unless poissonCostProcess.
 */
export function meanCost(pages: ScaledPages, i: number, x: number): number {
  if (pages.process[i] === poissonCostProcess) return meanObjectiveCost(pages, i, x);
  if (pages.process[i] === quasiDeterministicProcess) {
    const { offsets, gains } = pages.table;
    let sum = 0;
    for (let at = offsets[pages.entry[i] + 1] - 1; at >= offsets[pages.entry[i]] + x; at--) sum += gains[at];
    return sum;
  }
  const y = pages.length[i];
  const r = pages.age === null ? -1 : pages.age[i];
  if (r < 0 || x * r > 1) return x === 0 ? 1 : Math.min(1, (staleTime(pages, i, 0, y / x) * x) / y);
  const age = y * r;
  const firstGap = (y * (1 - x * r)) / (x + 1);
  // just crawled: the first gap has the length of all gaps
  if (age === 0) return Math.min(1, ((x + 1) * staleTime(pages, i, 0, firstGap)) / y);
  const firstStale = staleGap(pages, i, age, firstGap);
  if (x === 0) return Math.min(1, firstStale / y);
  return Math.min(1, (x * staleTime(pages, i, 0, (y + y * r) / (x + 1)) + firstStale) / y);
}

/** Mean cost A(x) of a page of poissonCostProcess with x crawls; every such page has an age. */
function meanObjectiveCost({ cost, alpha, age, length }: ScaledPages, i: number, x: number): number {
  const rate = alpha[i];
  const interval = length[i];
  const startAge = interval * (age === null ? 0 : age[i]);
  if (x * startAge > interval) return (x * cost.integral(rate, interval / x)) / interval;
  const gap = (interval + startAge) / (x + 1);
  const firstGap = (interval - x * startAge) / (x + 1);
  const firstCost = firstGap * cost.cost(rate, startAge) + cost.excessCost(rate, startAge, firstGap);
  return ((x === 0 ? 0 : x * cost.integral(rate, gap)) + firstCost) / interval;
}
