/**
 * What becomes of the pages in the system: how many of those present will be served, and how many will expire.
 *
 * The youngest of j waiting pages, with phases ω = ω_1…ω_j (oldest first) and the server in phase m, is served with
 * probability v_j(ω, m), or expires (the other source):
 *
 *   (Σ_k g(ω_k)·I − S)·v_j(ω) = Σ_k Σ_t Γ(ω_k, t)·v_j(ω[k:=t]) + S0·β·v_{j−1}(ω_2…ω_j) + Σ_{k<j} Γ0(ω_k)·v_{j−1}(ω without ω_k)
 *                               [+ Γ0(ω_j) for expiry],   v_0 = 1 for service, 0 for expiry,
 *
 * with g = −diag Γ. The policy does not enter: what arrives later stays behind. Summed over the pages of a word, this is
 * the expected number that will be served. Each length of words is one elimination: O((R^j·M)³) steps.
 * Source: Avrachenkov et al. (2012), theorem 4.
 */
import { type Budget, pollOf } from '../../budget.ts';
import { solveByStateReduction } from '../../numerics/linear/small-matrices.ts';
import type { Queue } from '../../queue/queue.ts';
import { expiries, phaseChanges, waitingLaw, wordsAt } from './waiting-words.ts';

/** Expected numbers at level 0..topLevel: [level][word·M + m]; zeros at level 0. */
export interface Fates {
  readonly toBeServed: readonly Float64Array[];
  readonly toExpire: readonly Float64Array[];
}

/** @throws NothingToReturn when the budget ends first */
export function fatesOf(queue: Queue, budget: Budget): Fates {
  const { phases, initial, exit, generator } = queue.service;
  const law = waitingLaw(queue);
  const r = law.phases;
  const poll = pollOf(budget, 'what becomes of the pages had not been computed');
  const toBeServed = [new Float64Array(phases), new Float64Array(phases).fill(1)];
  const toExpire = [new Float64Array(phases), new Float64Array(phases)];
  // Of the youngest page, in two columns: served, expired.
  let shorter = new Float64Array(2 * phases);
  for (let m = 0; m < phases; m++) shorter[2 * m] = 1;
  for (let level = 2; level <= queue.topLevel; level++) {
    const letters = level - 1;
    const words = wordsAt(law, level);
    const size = words * phases;
    const rates = new Float64Array(size * size);
    const leaving = new Float64Array(size);
    const chance = new Float64Array(2 * size);
    for (let word = 0; word < words; word++) {
      const tail = (word % (words / r)) * phases;
      const changes = phaseChanges(law, letters, word);
      const others = expiries(law, letters, word, 1);
      const own = law.exit[word % r];
      for (let m = 0; m < phases; m++) {
        const s = word * phases + m;
        leaving[s] = exit[m] + own;
        chance[2 * s + 1] = own;
        for (let next = 0; next < phases; next++) {
          if (next !== m) rates[s * size + word * phases + next] += generator[m * phases + next];
          for (let c = 0; c < 2; c++) chance[2 * s + c] += exit[m] * initial[next] * shorter[2 * (tail + next) + c];
        }
        for (const [to, rate] of changes) rates[s * size + to * phases + m] += rate;
        for (const [to, rate] of others) {
          leaving[s] += rate;
          for (let c = 0; c < 2; c++) chance[2 * s + c] += rate * shorter[2 * (to * phases + m) + c];
        }
      }
    }
    solveByStateReduction(rates, leaving, chance, size, 2, poll);
    const below = (s: number) => Math.floor(s / phases / r) * phases + (s % phases);
    const summed = (of: readonly Float64Array[], c: number) =>
      Float64Array.from({ length: size }, (_, s) => of[letters][below(s)] + chance[2 * s + c]);
    toBeServed.push(summed(toBeServed, 0));
    toExpire.push(summed(toExpire, 1));
    shorter = chance;
  }
  return { toBeServed, toExpire };
}
