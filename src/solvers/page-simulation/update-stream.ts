/**
 * The moments at which a simulated page changes, one after another.
 *
 * Every stream begins at `start` in its steady state, so that a page may be followed from its last fetch on, before time
 * 0. Renewal processes are in equilibrium: the first gap is what is left of a gap that covers `start`. Draws come from
 * the law's own sampler; nothing of the solvers that are judged is used.
 */
import type { Law } from '../laws/index.ts';
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';

/** How a page changes. Times and rates in the caller's time unit. */
export type SimulatedUpdates =
  | { readonly type: 'poisson'; readonly rate: number }
  /** Updates with these gaps, of which each matters with a chance; left out: all do. */
  | { readonly type: 'renewal'; readonly law: Law; readonly matters?: number }
  | {
      readonly type: 'quasi-deterministic';
      /** Increasing, from 0 on; each update happens with its probability. */
      readonly times: readonly number[];
      readonly probabilities: readonly number[];
    }
  | {
      readonly type: 'periodic';
      readonly period: number;
      /** Time of an update, up to whole periods; undefined: anywhere, by chance. */
      readonly phase: number | undefined;
      /** Each update is off its time by at most this much, either way. */
      readonly jitter: number;
    }
  | {
      readonly type: 'bursty';
      /** Bursts begin as a Poisson process of this rate; the first update of a burst is its beginning. */
      readonly rate: number;
      /** Updates per time unit within a burst. */
      readonly burstRate: number;
      /** Mean length of a burst, exponential. */
      readonly burstLength: number;
    };

/** Gives the next update's time, never decreasing; Infinity when there is none. */
export type UpdateStream = () => number;

/** The updates of a page from `start` on. */
export function updateStream(updates: SimulatedUpdates, start: number, random: Random): UpdateStream {
  switch (updates.type) {
    case 'poisson':
      return poissonStream(updates.rate, start, random);
    case 'renewal':
      return mattering(renewalStream(updates.law, start, random), updates.matters ?? 1, random);
    case 'quasi-deterministic':
      return listedStream(updates.times, updates.probabilities, random);
    case 'periodic':
      return periodicStream(updates, start, random);
    case 'bursty':
      return burstyStream(updates, start, random);
  }
}

/** Mean updates per time unit; 0 for a list of possible updates, which has no rate. */
export function meanUpdateRate(updates: SimulatedUpdates): number {
  switch (updates.type) {
    case 'poisson':
      return updates.rate;
    case 'renewal':
      return (updates.matters ?? 1) / updates.law.mean;
    case 'quasi-deterministic':
      return 0;
    case 'periodic':
      return 1 / updates.period;
    case 'bursty':
      return updates.rate * (1 + updates.burstRate * updates.burstLength);
  }
}

/** Those updates that matter, each by a draw of its own. */
function mattering(stream: UpdateStream, chance: number, random: Random): UpdateStream {
  if (chance === 1) return stream;
  return () => {
    let time = stream();
    while (random() >= chance) time = stream();
    return time;
  };
}

function poissonStream(rate: number, start: number, random: Random): UpdateStream {
  let time = start;
  return () => {
    time += standardExponential(random) / rate;
    return time;
  };
}

function renewalStream(law: Law, start: number, random: Random): UpdateStream {
  let time = Number.NaN;
  return () => {
    time = Number.isNaN(time) ? start + remainingGap(law, random) : time + law.sample(random);
    return time;
  };
}

/**
 * What is left of the gap that covers a moment of the steady state. Its law has distribution function E min(X, t)/E X,
 * inverted by bisection to the last bits of t.
 */
function remainingGap(law: Law, random: Random): number {
  const share = random() * law.mean;
  let low = 0;
  let high = law.mean;
  while (law.truncatedMean(high) < share) {
    low = high;
    high *= 2;
    if (high === Number.POSITIVE_INFINITY) return low;
  }
  for (let i = 0; i < 60; i++) {
    const middle = low + (high - low) / 2;
    if (law.truncatedMean(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

function listedStream(times: readonly number[], probabilities: readonly number[], random: Random): UpdateStream {
  let position = 0;
  return () => {
    while (position < times.length) {
      const at = position++;
      if (random() < probabilities[at]) return times[at];
    }
    return Number.POSITIVE_INFINITY;
  };
}

function periodicStream(
  { period, phase, jitter }: Extract<SimulatedUpdates, { type: 'periodic' }>,
  start: number,
  random: Random,
): UpdateStream {
  const offset = phase ?? random() * period;
  // From one period early on, since jitter may push an update of the period before past the start.
  let turn = Math.floor((start - jitter - offset) / period);
  return () => {
    for (;;) {
      turn++;
      const time = offset + turn * period + (2 * random() - 1) * jitter;
      if (time >= start) return time;
    }
  };
}

function burstyStream(
  { rate, burstRate, burstLength }: Extract<SimulatedUpdates, { type: 'bursty' }>,
  start: number,
  random: Random,
): UpdateStream {
  // Bursts may overlap: the updates are a heap of running bursts' next updates. In the steady state the number of
  // bursts that run at `start` is Poisson with mean rate × length, each with an exponential rest.
  const running: { next: number; end: number }[] = [];
  let burst = start + standardExponential(random) / rate;
  for (let t = standardExponential(random); t < rate * burstLength; t += standardExponential(random)) {
    join(start);
  }
  function join(begin: number): void {
    const end = begin + standardExponential(random) * burstLength;
    const next = begin + standardExponential(random) / burstRate;
    if (next < end) running.push({ next, end });
  }
  return () => {
    let first = -1;
    for (let i = 0; i < running.length; i++) if (first < 0 || running[i].next < running[first].next) first = i;
    if (first < 0 || burst <= running[first].next) {
      const time = burst;
      join(time);
      burst += standardExponential(random) / rate;
      return time;
    }
    const chosen = running[first];
    const time = chosen.next;
    chosen.next += standardExponential(random) / burstRate;
    if (chosen.next >= chosen.end) running.splice(first, 1);
    return time;
  };
}
