/**
 * The laws of the times that pages stay: of those that are served, and of those that expire.
 *
 * Model: a page's way through the system as an absorbing chain, (phases of the pages ahead and its own, the oldest first;
 * service phase), uniformised with jumps at rate Λ. What arrives later does not matter. With p_n the share of the pages
 * served (or expired) at the n-th jump, the time is a sum of n exponential ones, so that
 *   mean Σ p_n·n/Λ, variance Σ p_n[(n/Λ − mean)² + n/Λ²], P(T ≤ t) = Σ_n Poisson(n; Λt)·Σ_{k≤n} p_k, E e^(−sT) = Σ p_n (Λ/(Λ+s))^n,
 * all of them sums of positive terms. The chain is followed until less than 1e−14 of the
 * pages are left in it. Complexity: O(moves of the chain) a jump.
 *
 * Source: Jensen (1953); Avrachenkov et al. (2012), section 5, theorems 4 and 5.
 */
import { type Budget, NothingToReturn, pollOf } from '../budget.ts';
import { findRoot } from '../numerics/search/root.ts';
import { admitPages } from '../queue/admission.ts';
import type { Queue } from '../queue/queue.ts';
import { pageChainOf } from './page-chain.ts';
import { waitingLaw, waitingPhaseProbability } from './waiting-phases.ts';

/** Shares of the states of each level; all of them sum to 1. */
export type LevelShares = readonly Float64Array[];

/** The mode at a state of a level. */
export type ModeOf = (level: number, state: number) => number;

/** The points at which a law of times is evaluated. */
export interface TimesRequest {
  /** Probabilities of quantiles, each in (0, 1). */
  readonly quantiles?: readonly number[] | undefined;
  /** Times, each 0 or more. */
  readonly times?: readonly number[] | undefined;
  /** Points of the transform, 0 or more. */
  readonly transformAt?: readonly number[] | undefined;
}

/** A law of times, at the points of a request. */
export interface TimesLaw {
  readonly mean: number;
  readonly variance: number;
  readonly quantiles?: readonly { readonly probability: number; readonly time: number }[];
  /** P(T ≤ time). */
  readonly distribution?: readonly { readonly time: number; readonly probability: number }[];
  /** E e^(−at·T). */
  readonly transform?: readonly { readonly at: number; readonly value: number }[];
}

/** Most jumps that the chain is followed for. */
const maxJumps = 5_000_000;
/** Share of the pages that need not be followed. */
const negligibleShare = 1e-14;
const unfinishedMessage = 'the laws of the times in the system had not been computed';

/**
 * The law of the served pages' times, and that of the expired pages' (null when none expires), where they are wanted.
 *
 * @param shares the stationary distribution of the policy
 * @throws NothingToReturn when the budget ends first, or the chain is too stiff to be followed jump by jump
 */
export function timesOfPages(
  queue: Queue,
  shares: LevelShares,
  modeOf: ModeOf,
  request: { readonly response?: TimesRequest | undefined; readonly expired?: TimesRequest | undefined },
  budget: Budget,
): { readonly response?: TimesLaw; readonly expired?: TimesLaw | null } {
  const poll = pollOf(budget, unfinishedMessage);
  const chain = pageChainOf(queue);
  const { begins, serviceRates, expiryRates } = chain;
  const targets = Int32Array.from(chain.targets);
  const rates = Float64Array.from(chain.rates);
  const exitRates = serviceRates.map((rate, s) =>
    rates.subarray(begins[s], begins[s + 1]).reduce((a, b) => a + b, rate + expiryRates[s]),
  );
  const jumpRate = exitRates.reduce((a, b) => Math.max(a, b));
  const [servedMasses, expiredMasses]: [number[], number[]] = [[0], [0]];
  let masses = arrivalsByPlace(queue, shares, modeOf, chain.firstStates);
  let nextMasses: Float64Array = new Float64Array(masses.length);
  const residual = negligibleShare * masses.reduce((sum, mass) => sum + mass, 0);
  for (let remaining = Number.POSITIVE_INFINITY; remaining > residual; ) {
    poll(4 * targets.length + 10 * masses.length);
    if (servedMasses.length > maxJumps) throw new NothingToReturn(unfinishedMessage);
    let [servedMass, expiredMass] = [0, 0];
    nextMasses.fill(0);
    for (let s = 0; s < masses.length; s++) {
      const mass = masses[s] / jumpRate;
      if (mass === 0) continue;
      servedMass += mass * serviceRates[s];
      expiredMass += mass * expiryRates[s];
      nextMasses[s] += mass * (jumpRate - exitRates[s]);
      for (let i = begins[s]; i < begins[s + 1]; i++) nextMasses[targets[i]] += mass * rates[i];
    }
    servedMasses.push(servedMass);
    expiredMasses.push(expiredMass);
    [masses, nextMasses] = [nextMasses, masses];
    if (servedMasses.length % 16 === 0) remaining = masses.reduce((sum, mass) => sum + mass, 0);
  }
  const anyExpires = expiredMasses.some((mass) => mass > 0);
  return {
    ...(request.response && { response: lawOf(servedMasses, jumpRate, request.response) }),
    ...(request.expired && { expired: anyExpires ? lawOf(expiredMasses, jumpRate, request.expired) : null }),
  };
}

/** Rate at which pages join in each state of the page chain. */
function arrivalsByPlace(
  queue: Queue,
  shares: LevelShares,
  modeOf: ModeOf,
  firstStates: readonly number[],
): Float64Array {
  const { arrivalPhases: w, service, topLevel } = queue;
  const { phases, initial } = service;
  const law = waitingLaw(queue);
  const b = w * phases;
  const start = new Float64Array(firstStates[topLevel]);
  for (const [level, states] of shares.entries()) {
    for (const [s, share] of states.entries()) {
      const word = level === 0 ? 0 : Math.floor(s / b);
      const v = level === 0 ? s : Math.floor((s % b) / phases);
      const { matrices } = queue.modes[modeOf(level, s)];
      for (let batch = 1; batch < matrices.length; batch++) {
        let rate = 0;
        for (let to = 0; to < w; to++) rate += matrices[batch][v * w + to];
        const entrants = rate === 0 ? 0 : admitPages(queue.admission, queue.capacity, level, batch);
        // The page at this place of its batch waits behind the others, or is the first in an empty system.
        for (let place = 0; place < entrants; place++) {
          const newLetters = level === 0 ? place : place + 1;
          const base = firstStates[Math.max(0, level - 1) + newLetters];
          const suffixes = law.phases ** newLetters;
          for (let suffix = 0; suffix < suffixes; suffix++) {
            const flow = share * rate * waitingPhaseProbability(law, newLetters, suffix);
            const row = base + (word * suffixes + suffix) * phases;
            if (level > 0) start[row + (s % phases)] += flow;
            else for (let m = 0; m < phases; m++) start[row + m] += flow * initial[m];
          }
        }
      }
    }
  }
  return start;
}

/** @param masses rate of pages that end at jumps 0, 1, 2, … */
function lawOf(masses: readonly number[], jumpRate: number, request: TimesRequest): TimesLaw {
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const mean = masses.reduce((sum, mass, n) => sum + (mass / total) * (n / jumpRate), 0);
  let variance = 0;
  for (const [n, mass] of masses.entries()) {
    variance += (mass / total) * ((n / jumpRate - mean) ** 2 + n / jumpRate ** 2);
  }
  const cumulative: number[] = [];
  let sum = 0;
  for (const mass of masses) {
    sum += mass / total;
    cumulative.push(sum);
  }
  const { quantiles, times, transformAt } = request;
  const probabilityBy = (time: number): number => Math.min(1, poissonMixture(cumulative, jumpRate * time));
  const transformValue = (at: number): number => {
    const shrink = jumpRate / (jumpRate + at);
    return masses.reduceRight((rest, mass) => rest * shrink + mass / total, 0);
  };
  return {
    mean,
    variance,
    ...(quantiles && {
      quantiles: quantiles.map((probability) => ({
        probability,
        time: invert(cumulative, jumpRate, probability),
      })),
    }),
    ...(times && { distribution: times.map((time) => ({ time, probability: probabilityBy(time) })) }),
    ...(transformAt && { transform: transformAt.map((at) => ({ at, value: transformValue(at) })) }),
  };
}

/** The time by which a share `probability` is served. */
function invert(cumulative: readonly number[], jumpRate: number, probability: number): number {
  const excess = (jumps: number): number => poissonMixture(cumulative, jumps) - probability;
  let high = 1;
  while (excess(high) < 0 && high < 4 * cumulative.length + 100) high *= 2;
  return excess(high) < 0 ? high / jumpRate : findRoot(excess, 0, high) / jumpRate;
}

/** Σ_n Poisson(n; mean)·b_n, summed outwards from the mode of the Poisson law. */
export function poissonMixture(cumulative: readonly number[], mean: number): number {
  const last = cumulative.length - 1;
  const cumulativeAt = (n: number): number => cumulative[Math.min(n, last)];
  // a Poisson law has less than e^{−0.15·mean} of its mass below half its mean
  if (mean > 2 * last + 4000) return cumulative[last];
  const mode = Math.floor(mean);
  // Weights relative to that of the mode, normalised at the end: nothing over- or underflows.
  let total = 1;
  let sum = cumulativeAt(mode);
  for (let n = mode, weight = 1; weight > 1e-18; n++) {
    weight *= mean / (n + 1);
    total += weight;
    sum += weight * cumulativeAt(n + 1);
  }
  for (let n = mode, weight = 1; n > 0 && weight > 1e-18; n--) {
    weight *= n / mean;
    total += weight;
    sum += weight * cumulativeAt(n - 1);
  }
  return sum / total;
}
