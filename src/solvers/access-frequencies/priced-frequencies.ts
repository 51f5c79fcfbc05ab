/**
 * What any price λ of a unit of frequency gives, optimal or not. The frequencies are near the optimal ones where λ is
 * near the multiplier; the bound holds for every λ (weak duality).
 *
 * Each page takes the frequency x_i(λ) in [m, 1] at which c_i r_i(x) + λx is least. No frequencies of sum 1 cost less
 * than Σ c_i r_i(x_i(λ)) + λ(Σ x_i(λ) − 1). Scaled so that all sum to 1, what is above m is an answer. O(N).
 */

import { changesAtGain } from '../pages/objectives/index.ts';
import { type AccessPages, evenStaleness, randomizedStaleness } from './access-pages.ts';

/** Frequencies that sum to 1, and the least that any can cost. */
interface PricedFrequencies {
  readonly frequency: Float64Array;
  readonly bound: number;
}

/**
 * @param price λ ≥ 0
 * @param least m, 0 ≤ m·N ≤ 1
 */
export function pricedFrequencies(
  pages: AccessPages,
  policy: 'deterministic' | 'randomized',
  price: number,
  least: number,
): PricedFrequencies {
  const { length, load, gain, weight } = pages;
  const wanted = policy === 'deterministic' ? evenlyWanted : randomlyWanted;
  const frequency = new Float64Array(length);
  let above = 0;
  for (let i = 0; i < length; i++) {
    frequency[i] = Math.min(1, Math.max(least, gain[i] > price ? wanted(load[i], gain[i], price) : 0));
    above += frequency[i] - least;
  }
  const stale = (policy === 'deterministic' ? evenStaleness : randomizedStaleness)(pages, frequency);
  const room = 1 - least * length;
  // Σ x − 1 = what is above m less the room for it
  let bound = price * (above - room);
  for (let i = 0; i < length; i++) bound += weight[i] * stale[i];
  if (above === 0) {
    const total = load.reduce((a, b) => a + b, 0);
    for (let i = 0; i < length; i++) frequency[i] = least + (Math.max(0, room) * load[i]) / total;
  } else {
    for (let i = 0; i < length; i++) frequency[i] = least + (frequency[i] - least) * (room / above);
  }
  return { frequency, bound };
}

/** a·freshnessGain(L/x) = λ. */
function evenlyWanted(load: number, gain: number, price: number): number {
  return load / changesAtGain(price / gain, (gain - price) / gain);
}

/** a·(G/(G + x))² = λ; a load above 600 is no probability that a cost could tell from 0. */
function randomlyWanted(load: number, gain: number, price: number): number {
  return price === 0 ? 1 : Math.expm1(Math.min(load, 600)) * (Math.sqrt(gain / price) - 1);
}
