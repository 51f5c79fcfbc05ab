/**
 * The pages as the solvers of access-frequencies and access-sequence use them: loads, gains and staleness.
 *
 * Symbols (Coffman, Liu & Weber 1997): μ change rate, c weight, X access time, h = E e^(−μX), L = −ln h.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { createLaw, type Distribution, type LogLaplace } from '../laws/index.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/**
 * The law of an access time X with its load L(s) = −ln E e^(−sX): the probability that a page with Poisson change rate
 * s does not change during one access is e^(−L). The excess s·E X − L(s) ≥ 0 is due to the randomness of X.
 */
interface AccessTime extends LogLaplace {
  /** E X. */
  readonly mean: number;
}

/**
 * The mean and the load of a law. A load takes O(1); O(n) for n empirical values, O(p³) for p phases, some hundred
 * exponentials for lognormal and Weibull.
 */
export function accessTime(distribution: Distribution): AccessTime {
  const { mean, logLaplace } = createLaw(distribution);
  return { mean, ...logLaplace };
}

/** N pages; lists by page. */
export interface AccessPages {
  readonly length: number;
  /** E X. */
  readonly meanAccessTime: number;
  /** c_i ≥ 0. */
  readonly weight: Float64Array;
  /** L_i > 0. */
  readonly load: Float64Array;
  /** a_i = c_i/(μ_i E X): cost saved per unit of frequency at frequency 0. */
  readonly gain: Float64Array;
  /** (μ_i E X − L_i)/(μ_i E X) in [0, 1): limit of the staleness at high frequencies; 0 for a constant access time. */
  readonly floor: Float64Array;
}

/** Range of a load L outside which squares and sums of loads overflow or underflow. */
const minLoad = 1e-140;
const maxLoad = 1e300;

/** The path of a property of a page in the request, for error messages. */
export type Place = (page: number, property: string) => readonly (string | number)[];

/**
 * The loads, gains and floors of pages. O(N), and one load a page.
 *
 * @param distribution law of the access time X
 * @param changeRate μ_i > 0, changes per unit of the access time
 * @param weight c_i ≥ 0
 * @param place path of a property of a page in the request, for error messages
 * @throws NothingToReturn when the budget ends: some laws take milliseconds a load
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 */
export function accessPages(
  distribution: Distribution,
  changeRate: Float64Array,
  weight: Float64Array,
  place: Place = (page, property) => ['pages', page, property],
  budget: Budget = unlimitedBudget(),
): AccessPages {
  const length = changeRate.length;
  const time = accessTime(distribution);
  const { mean } = time;
  const load = new Float64Array(length);
  const gain = new Float64Array(length);
  const floor = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    if ((time.expensive || (i & 1023) === 0) && budget.stopRequested())
      throw new NothingToReturn('the loads of the pages were not complete');
    const rate = changeRate[i];
    load[i] = time.load(rate);
    gain[i] = weight[i] / rate / mean;
    const product = rate * mean;
    if (!isLoad(load[i], product)) throw loadOutOfRange(place(i, 'changeRate'), rate, mean);
    const share = time.excess(rate) / product;
    floor[i] = Math.min(1, share >= 0 ? share : Math.max(0, 1 - load[i] / product));
    if (!(gain[i] < maxGain)) throw worthOutOfRange(place(i, 'weight'), weight[i], rate, mean);
  }
  return { length, meanAccessTime: mean, weight, load, gain, floor };
}

/**
 * Checks loads and gains before anything is solved. The load rises with the rate, so that the loads of the slowest and
 * the fastest page suffice. O(N), and two loads.
 *
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 */
export function requireLoads(
  distribution: Distribution,
  changeRate: Float64Array,
  { weight, place }: { readonly weight: Float64Array; readonly place: Place },
): void {
  const time = accessTime(distribution);
  const { mean } = time;
  let [slowest, fastest] = [0, 0];
  for (let i = 0; i < changeRate.length; i++) {
    const rate = changeRate[i];
    if (rate < changeRate[slowest]) slowest = i;
    if (rate > changeRate[fastest]) fastest = i;
    if (!(weight[i] / rate / mean < maxGain)) throw worthOutOfRange(place(i, 'weight'), weight[i], rate, mean);
  }
  for (const [i, rate] of [
    [slowest, changeRate[slowest]],
    [fastest, changeRate[fastest]],
  ]) {
    if (!isLoad(time.load(rate), rate * mean)) throw loadOutOfRange(place(i, 'changeRate'), rate, mean);
  }
}

/** Upper limit of a gain c/(μ E X), so that sums over pages stay finite. */
const maxGain = 1e300;

const isLoad = (load: number, product: number): boolean => load > minLoad && load < maxLoad && product < maxLoad;

function loadOutOfRange(path: ReturnType<Place>, rate: number, mean: number): ConditionNotMet {
  const product = rate * mean;
  const advice = product < 1 ? 'hardly ever changes: leave it out' : 'is stale whatever is done: leave it out';
  const message = `times the mean access time ${mean} must lie between ${minLoad} and ${maxLoad}; got ${rate}, a product of ${product}. Such a page ${advice}`;
  return new ConditionNotMet(path, 'load-out-of-range', message);
}

function worthOutOfRange(path: ReturnType<Place>, weight: number, rate: number, mean: number): ConditionNotMet {
  const message = `divided by the change rate ${rate} and the mean access time ${mean} must stay below ${maxGain}; got ${weight}. Scale the weights down`;
  return new ConditionNotMet(path, 'worth-out-of-range', message);
}

/**
 * Staleness of page i with even accesses: floor + (1 − floor)·(1 − (1 − e^(−s))/s), s the load between two accesses; 1
 * for s = Infinity (never accessed).
 */
export function staleness(pages: AccessPages, i: number, load: number): number {
  if (load === Infinity) return 1;
  const floor = pages.floor[i];
  // 1 − (1 − e^(−s))/s
  return floor + (1 - floor) * (staleChanges(load) / load);
}

/** Staleness of every page with even accesses at its frequency: a lower bound for any order of the accesses. */
export function evenStaleness(pages: AccessPages, frequency: Float64Array): Float64Array {
  const result = new Float64Array(pages.length);
  for (let i = 0; i < result.length; i++) {
    result[i] = staleness(pages, i, frequency[i] > 0 ? pages.load[i] / frequency[i] : Infinity);
  }
  return result;
}

/** Staleness of a page when each access is drawn independently with the given probability (Lemma 4.1). */
export function drawnStaleness({ floor, load }: AccessPages, i: number, frequency: number): number {
  return floor[i] + (1 - floor[i]) * geometricStaleness(load[i], frequency);
}

/**
 * 1 − (f/L)·G/(G + f) with G = e^L − 1, for f in [0, 1], computed in positive terms with q = 1 − e^(−L):
 * ((1 − f)q·L + f(L − q))/(L(q + f(1 − q))).
 */
function geometricStaleness(load: number, f: number): number {
  if (f === 0) return 1;
  const q = -Math.expm1(-load);
  return ((1 - f) * q + f * (staleChanges(load) / load)) / (q + f * Math.exp(-load));
}

/** Σ c_i r_i. @param stale r_i by page */
export function totalCost(pages: AccessPages, stale: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < stale.length; i++) sum += pages.weight[i] * stale[i];
  return sum;
}
