/**
 * Discrete-event simulation of the activation-policy queue (Liu & Nain 2006, section 1.2.2): r active crawlers bring a
 * page each after exponential times of rate λ. A page's arrival deactivates its crawler, which is reactivated at once
 * if fewer than targets[new queue length] stay active. At a departure one more crawler is activated on the same rule. A
 * departure that leaves the system empty with no active crawler always activates one.
 */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';

export interface ActivationQueue {
  readonly crawlerRate: number;
  readonly serviceRate: number;
  readonly capacity: number;
  /** N: crawlers available. */
  readonly crawlers: number;
  /** R[0..K]. */
  readonly targets: readonly number[];
}

/** What was counted in one run, after its warm-up. */
export interface RunCounts {
  readonly time: number;
  readonly arrived: number;
  readonly lost: number;
  /** Integrals over time. */
  readonly emptyTime: number;
  readonly crawlerTime: number;
  readonly pageTime: number;
  readonly events: number;
}

const pollEvery = 8192;

/** One run from an empty system with min(N, R[0]) active crawlers; `warmUp` is not counted. Null when stopped. */
export function simulateActivation(
  queue: ActivationQueue,
  duration: number,
  warmUp: number,
  random: Random,
  stop: () => boolean,
): RunCounts | null {
  const { crawlerRate, serviceRate, capacity, crawlers, targets } = queue;
  const end = warmUp + duration;
  let [arrived, lost, emptyTime, crawlerTime, pageTime] = [0, 0, 0, 0, 0];
  let now = 0;
  let level = 0;
  let active = Math.max(1, Math.min(crawlers, targets[0]));
  let events = 0;
  let counting = warmUp === 0;
  for (;;) {
    if (++events % pollEvery === 0 && stop()) return null;
    const arrivals = active * crawlerRate;
    const rate = arrivals + (level > 0 ? serviceRate : 0);
    const next = now + standardExponential(random) / rate;
    if (!counting && next >= warmUp) {
      counting = true;
      now = warmUp;
      [arrived, lost] = [0, 0];
    }
    const span = Math.min(next, end) - now;
    if (counting) {
      if (level === 0) emptyTime += span;
      crawlerTime += span * active;
      pageTime += span * level;
    }
    if (next >= end) break;
    now = next;
    if (random() * rate < arrivals) {
      arrived++;
      if (level === capacity) lost++;
      else level++;
      active--;
      if (active < targets[level]) active++;
    } else {
      level--;
      if (active < crawlers && (active < targets[level] || (level === 0 && active === 0))) active++;
    }
  }
  return { time: duration, arrived, lost, emptyTime, crawlerTime, pageTime, events };
}
