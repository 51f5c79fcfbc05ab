/**
 * Whether updates keep to a clock, and if so the quasi-deterministic process they follow.
 *
 * Test (Rayleigh): at period P the phases of the n update times have resultant length R = |Σ e^{2πit/P}|/n. For updates
 * at random nR² is exponential of mean 1. The best of M periods has p-value 1 − (1 − e^{−nR²})^M. Periods run from half
 * the median gap up to half the record, on a grid of frequencies a quarter of 1/record apart. The best is refined. A
 * period is proposed where p < 0.01 and R ≥ 0.8: updates come at one phase of it, each time with probability
 * (updates)/(periods in the record).
 * Complexity: O(min(n, 2000) · frequencies), at most 20,000 frequencies. Limits: one phase a period; clocks with
 * several (9:00 and 17:00) show as the shorter period where that is even. Source: Mardia & Jupp 2000, section 6.3.1;
 * Wolf et al. 2002, section 2.
 */

import type { Poll } from '../../budget.ts';

export interface Periodicity {
  readonly period: number;
  /** R in [0, 1]: 1 for a perfect clock. */
  readonly strength: number;
  readonly pValue: number;
  /** Time of the updates within the period, from the first update of the record. */
  readonly phase: number;
  /** Chance of an update each time. */
  readonly probability: number;
  /** Whether the evidence is enough to propose the process. */
  readonly proposed: boolean;
  /** The process over one period, for `crawl-allocation`; null unless proposed. */
  readonly updates: {
    readonly type: 'quasi-deterministic';
    readonly times: readonly number[];
    readonly probabilities: readonly number[];
  } | null;
}

const maxTimes = 2000;
const maxFrequencies = 20_000;
const significance = 0.01;
const leastStrength = 0.8;

/** Resultant lengths closer than this are equal but for rounding. */
const tie = 1e-9;

/** Of a cosine and a sine, in steps of about a nanosecond. */
const stepsATime = 40;

/**
 * Work of {@link findPeriod} in steps of about a nanosecond, for gaps of which the median is not far below the mean.
 */
export function periodicityWork(gaps: number): number {
  const used = Math.min(gaps + 1, maxTimes);
  return gaps < 8 ? 0 : stepsATime * used * Math.min(maxFrequencies, 20 * used);
}

/**
 * The strongest period in the times that these gaps make, from 0; null with fewer than eight gaps.
 *
 * @param poll may end the search, which takes up to 2 s
 */
export function findPeriod(gaps: Float64Array, poll: Poll = () => {}): Periodicity | null {
  const n = gaps.length + 1;
  if (n < 9) return null;
  // In units of a power of two near the mean: exact, and nothing overflows
  const mean = gaps.reduce((sum, gap) => sum + gap / gaps.length, 0);
  const unit = 2 ** Math.round(Math.log2(mean));
  const used = Math.min(n, maxTimes);
  const times = new Float64Array(used);
  for (let k = 1; k < used; k++) times[k] = times[k - 1] + gaps[k - 1] / unit;
  const span = times[used - 1];
  const median = gaps.slice().sort()[gaps.length >> 1] / unit;
  if (!(span > 0)) return null;
  const lowest = 2 / span;
  const highest = 2 / median;
  const wanted = Math.ceil((highest - lowest) * 4 * span);
  const count = Math.max(2, Math.min(maxFrequencies, wanted));
  const step = (highest - lowest) / (count - 1);
  let best = lowest;
  let bestR = 0;
  for (let k = 0; k < count; k++) {
    poll(stepsATime * used);
    const frequency = lowest + k * step;
    const [r] = resultant(times, frequency);
    if (r > bestR + tie) {
      bestR = r;
      best = frequency;
    }
  }
  // A clock of period P also fits P/2, P/3, …, and between grid points one of these may have come out ahead. Where both
  // fit alike the slower one is likelier: the faster would have missed an update at all times between.
  best = refine(times, best, step, lowest / 2);
  bestR = resultant(times, best)[0];
  for (const divisor of [2, 3, 4, 5]) {
    if (best / divisor < lowest) break;
    const slower = refine(times, best / divisor, step / divisor, lowest / 2);
    const [r] = resultant(times, slower);
    if (r < bestR - tie) continue;
    best = slower;
    bestR = r;
    break;
  }
  const [strength, angle] = resultant(times, best);
  const period = 1 / best;
  const pValue = -Math.expm1(count * Math.log1p(-Math.exp(-used * strength * strength)));
  const phase = (((angle / (2 * Math.PI)) * period + period) % period) * unit;
  const probability = Math.min(1, used / (Math.max(1, Math.round(span / period)) + 1));
  const proposed = pValue < significance && strength >= leastStrength;
  return {
    period: period * unit,
    strength,
    pValue,
    phase,
    probability,
    proposed,
    updates: proposed ? { type: 'quasi-deterministic', times: [phase], probabilities: [probability] } : null,
  };
}

/** The frequency of the peak of R within a step, at least `least`. */
function refine(times: Float64Array, frequency: number, step: number, least: number): number {
  let best = frequency;
  let bestR = resultant(times, best)[0];
  for (let width = step; width > 1e-7 * step; width *= 0.6) {
    for (const other of [best - width, best + width]) {
      // towards frequency 0 all phases agree, which says nothing
      if (other < least) continue;
      const [r] = resultant(times, other);
      if (r <= bestR) continue;
      bestR = r;
      best = other;
    }
  }
  return best;
}

/** R and the angle of the mean phase. */
function resultant(times: Float64Array, frequency: number): [length: number, angle: number] {
  let c = 0;
  let s = 0;
  for (let k = 0; k < times.length; k++) {
    const turns = times[k] * frequency;
    const angle = 2 * Math.PI * (turns - Math.floor(turns));
    c += Math.cos(angle);
    s += Math.sin(angle);
  }
  return [Math.hypot(c, s) / times.length, Math.atan2(s, c)];
}
