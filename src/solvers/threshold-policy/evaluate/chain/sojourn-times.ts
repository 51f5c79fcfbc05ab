/**
 * The laws of the times that pages stay: of those that are served, and of those that expire.
 *
 * Model: the page's chain of page-chain.ts, jump by jump at rate Λ. With p_n the share of the pages served (or
 * expired) at the n-th jump, the time is a sum of n exponential ones, so that
 *   mean Σ p_n·n/Λ, variance Σ p_n[(n/Λ − mean)² + n/Λ²], P(T ≤ t) = Σ_n Poisson(n; Λt)·Σ_{k≤n} p_k, E e^(−sT) = Σ p_n (Λ/(Λ+s))^n,
 * all of them sums of positive terms. Followed until less than 1e−14 of the pages is left. Cost: a jump each, 16 bytes
 * kept.
 * Source: Jensen (1953); Avrachenkov et al. (2012), theorems 4 and 5, for the laws of the two times.
 */
import { type Budget, NothingToReturn, pollOf } from '../../../budget.ts';
import type { ResponseQuantile } from '../../../queue/measures.ts';
import { invert, type PageChain, reachedBy } from './page-chain.ts';

/** What is asked of a law. */
export interface AskedOfTimes {
  /** Probabilities of quantiles, each in (0, 1). */
  readonly quantiles?: readonly number[] | undefined;
  /** Times, each 0 or more. */
  readonly times?: readonly number[] | undefined;
  /** Points of the transform, 0 or more. */
  readonly transformAt?: readonly number[] | undefined;
}

/** A law of times, at what was asked. */
export interface TimesLaw {
  readonly mean: number;
  readonly variance: number;
  readonly quantiles?: readonly ResponseQuantile[];
  /** P(T ≤ time). */
  readonly distribution?: readonly { readonly time: number; readonly probability: number }[];
  /** E e^(−at·T). */
  readonly transform?: readonly { readonly at: number; readonly value: number }[];
}

const maxJumps = 5_000_000;
const left = 1e-14;
const unfinished = 'the laws of the times in the system had not been computed';

/**
 * The law of the served pages' times, and that of the expired pages' (null when none expires), where they are asked for.
 *
 * @throws NothingToReturn when the budget ends first, or the chain is too stiff to be followed jump by jump
 */
export function timesOfPages(
  chain: PageChain,
  asked: { readonly response?: AskedOfTimes | undefined; readonly expired?: AskedOfTimes | undefined },
  budget: Budget,
): { readonly response?: TimesLaw; readonly expired?: TimesLaw | null } {
  const poll = pollOf(budget, unfinished);
  const { expiring, jumpRate } = chain;
  const served: number[] = [0];
  const expired: number[] = [0];
  let before: Float64Array = chain.start.slice();
  let after: Float64Array = new Float64Array(before.length);
  const enough = left * before.reduce((sum, mass) => sum + mass, 0);
  for (let remaining = Number.POSITIVE_INFINITY; remaining > enough; ) {
    poll(45 * before.length + 2000);
    if (served.length > maxJumps) throw new NothingToReturn(unfinished);
    let ended = 0;
    for (let i = 0; i < expiring.length; i++) ended += before[i] * expiring[i];
    expired.push(ended / jumpRate);
    served.push(chain.jump(before, after));
    [before, after] = [after, before];
    if (served.length % 16 === 0) remaining = before.reduce((sum, mass) => sum + mass, 0);
  }
  const some = expired.some((mass) => mass > 0);
  return {
    ...(asked.response && { response: lawOf(served, jumpRate, asked.response) }),
    ...(asked.expired && { expired: some ? lawOf(expired, jumpRate, asked.expired) : null }),
  };
}

/** @param masses rate of pages that end at jumps 0, 1, 2, … */
function lawOf(masses: readonly number[], jumpRate: number, asked: AskedOfTimes): TimesLaw {
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
  const { quantiles, times, transformAt } = asked;
  const within = (time: number): number => Math.min(1, reachedBy(cumulative, jumpRate * time));
  const transformed = (at: number): number => {
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
    ...(times && { distribution: times.map((time) => ({ time, probability: within(time) })) }),
    ...(transformAt && { transform: transformAt.map((at) => ({ at, value: transformed(at) })) }),
  };
}
