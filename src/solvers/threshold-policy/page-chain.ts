/**
 * A page's way through the system: the phases of the pages ahead of it and its own (a word, the oldest first; none once
 * it is in service), and the phase of service. What arrives later stays behind, so that the policy does not enter.
 *
 * The youngest of j waiting pages, with phases ω = ω_1…ω_j and the server in phase m, is served with probability
 * v_j(ω, m), or expires (the other source):
 *
 *   (Σ_k g(ω_k)·I − S)·v_j(ω) = Σ_k Σ_t Γ(ω_k, t)·v_j(ω[k:=t]) + S0·β·v_{j−1}(ω_2…ω_j) + Σ_{k<j} Γ0(ω_k)·v_{j−1}(ω without ω_k)
 *                               [+ Γ0(ω_j) for expiry],   v_0 = 1 for service, 0 for expiry,
 *
 * with g = −diag Γ. Summed over the pages of a word, this is the expected number that will be served. Each length of
 * words is one elimination: O((R^j·M)³) steps.
 * Source: Avrachenkov et al. (2012), theorem 4.
 */
import { type Budget, pollOf } from '../budget.ts';
import { solveByStateReduction } from '../numerics/linear/state-reduction.ts';
import type { Queue } from '../queue/queue.ts';
import { expiries, phaseChanges, waitingLaw } from './waiting-phases.ts';

export interface PageChain {
  /** Words of j letters have the states firstStates[j] + word·M + m; the last entry is the number of states. */
  readonly firstStates: readonly number[];
  /** From state s to targets[begins[s]…begins[s + 1] − 1], at these rates. */
  readonly begins: readonly number[];
  readonly targets: readonly number[];
  readonly rates: readonly number[];
  /** Rates of being served, and of expiring. */
  readonly serviceRates: Float64Array;
  readonly expiryRates: Float64Array;
}

export function pageChainOf(queue: Queue): PageChain {
  const { initial, exit, generator, phases } = queue.service;
  const law = waitingLaw(queue);
  const r = law.phases;
  const firstStates = [0];
  for (let j = 0; j < queue.topLevel; j++) firstStates.push(firstStates[j] + r ** j * phases);
  const states = firstStates[queue.topLevel];
  const begins = [0];
  const [targets, rates]: [number[], number[]] = [[], []];
  const move = (to: number, rate: number): void => {
    if (rate === 0) return;
    targets.push(to);
    rates.push(rate);
  };
  const serviceRates = new Float64Array(states);
  const expiryRates = new Float64Array(states);
  for (let j = 0; j < queue.topLevel; j++) {
    for (let word = 0; word < r ** j; word++) {
      const changes = phaseChanges(law, j, word);
      const aheadExpiries = expiries(law, j, word, 1);
      for (let m = 0; m < phases; m++) {
        const s = firstStates[j] + word * phases + m;
        for (let next = 0; next < phases; next++) {
          if (next !== m) move(s - m + next, generator[m * phases + next]);
          if (j > 0) move(firstStates[j - 1] + (word % r ** (j - 1)) * phases + next, exit[m] * initial[next]);
        }
        for (const [to, rate] of changes) move(firstStates[j] + to * phases + m, rate);
        for (const [to, rate] of aheadExpiries) move(firstStates[j - 1] + to * phases + m, rate);
        if (j === 0) serviceRates[s] = exit[m];
        else expiryRates[s] = law.exit[word % r];
        begins.push(targets.length);
      }
    }
  }
  return { firstStates, begins, targets, rates, serviceRates, expiryRates };
}

/** Mean number of the pages present that will be served, and expire: [level][word·M + m], levels 0..topLevel. */
export interface PageOutcomes {
  readonly toBeServed: readonly Float64Array[];
  readonly toExpire: readonly Float64Array[];
}

/** @throws NothingToReturn when the budget ends first */
export function pageOutcomesOf(queue: Queue, budget: Budget): PageOutcomes {
  const { phases } = queue.service;
  const r = waitingLaw(queue).phases;
  const { firstStates, begins, targets, rates, serviceRates, expiryRates } = pageChainOf(queue);
  const poll = pollOf(budget, 'what becomes of the pages had not been computed');
  const toBeServed = [new Float64Array(phases)];
  const toExpire = [new Float64Array(phases)];
  // Probabilities (two columns) that the youngest page is served, and expires, for words of one letter less.
  let shorterChance = new Float64Array();
  for (let j = 0; j < queue.topLevel; j++) {
    const size = firstStates[j + 1] - firstStates[j];
    const innerRates = new Float64Array(size * size);
    const exitRates = new Float64Array(size);
    const chance = new Float64Array(2 * size);
    for (let i = 0; i < size; i++) {
      const s = firstStates[j] + i;
      exitRates[i] = serviceRates[s] + expiryRates[s];
      [chance[2 * i], chance[2 * i + 1]] = [serviceRates[s], expiryRates[s]];
      for (let k = begins[s]; k < begins[s + 1]; k++) {
        const to = targets[k] - firstStates[j];
        if (to >= 0) {
          innerRates[i * size + to] += rates[k];
          continue;
        }
        exitRates[i] += rates[k];
        const shorterState = targets[k] - firstStates[j - 1];
        for (let c = 0; c < 2; c++) chance[2 * i + c] += rates[k] * shorterChance[2 * shorterState + c];
      }
    }
    solveByStateReduction(innerRates, exitRates, chance, size, 2, poll);
    // The state without the youngest page, whose letter is the last of the word.
    const stateWithoutYoungest = (i: number): number =>
      j === 0 ? i : Math.floor(i / phases / r) * phases + (i % phases);
    const addYoungest = (of: readonly Float64Array[], c: number) =>
      Float64Array.from({ length: size }, (_, i) => of[j][stateWithoutYoungest(i)] + chance[2 * i + c]);
    toBeServed.push(addYoungest(toBeServed, 0));
    toExpire.push(addYoungest(toExpire, 1));
    shorterChance = chance;
  }
  return { toBeServed, toExpire };
}
