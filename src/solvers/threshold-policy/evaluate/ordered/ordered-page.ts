/**
 * What becomes of a page that joins a first-in-first-out queue when waiting pages have obsolescence phases.
 *
 * A word ω = ω_1…ω_j holds the phases of j waiting pages, the oldest first. The page is the last of them, the server is
 * in phase m. Then v_j(ω, m) is the probability that the page will be served (or, with the other source, that it will
 * expire):
 *
 *   (Σ_k g(ω_k)·I − S)·v_j(ω) = Σ_k Σ_t Γ(ω_k, t)·v_j(ω[k:=t]) + S0·β·v_{j−1}(ω_2…ω_j) + Σ_{k<j} Γ0(ω_k)·v_{j−1}(ω without ω_k)
 *                               [+ Γ0(ω_j) for expiry],   v_0 = 1 for service, 0 for expiry,
 *
 * with g = −diag Γ. The policy does not enter. Words are numbers in base R, the oldest leading. When phases lead
 * forward only, words are solved in falling order, exactly; else by repetition until nothing changes by 1e−15.
 * Summed over the pages of a word, N(ω, m) = 1 + Σ_k v_k(ω_1…ω_k, m) is the expected number that will be served.
 * Cost O(R^j·j·R·M); memory 2·M·R^(topLevel−1) numbers at the top level and R times less at each below.
 * Source: Avrachenkov et al. (2012), theorem 4.
 */
import { type Budget, NothingToReturn, type Poll, pollOf } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import type { PhaseType, Queue } from '../../../queue/queue.ts';

const pollEvery = 4096;

/** Expected numbers that will be served and that will expire: [level][word·M + m], level 0..topLevel. */
interface OrderedRewards {
  readonly toBeServed: readonly Float64Array[];
  readonly toExpire: readonly Float64Array[];
}

/** @throws NothingToReturn when the budget ends first */
export function orderedRewards(queue: Queue, law: PhaseType, budget: Budget): OrderedRewards {
  return { toBeServed: rewardsOf(queue, law, true, budget), toExpire: rewardsOf(queue, law, false, budget) };
}

/** What is found of pages: their chances of one of both fates. */
interface Asked {
  readonly queue: Queue;
  readonly law: PhaseType;
  /** Whether a page is served, or expires. */
  readonly service: boolean;
  readonly budget: Budget;
}

function rewardsOf(queue: Queue, law: PhaseType, service: boolean, budget: Budget): Float64Array[] {
  const m = queue.service.phases;
  const r = law.phases;
  const rewards = [new Float64Array(m), new Float64Array(m).fill(service ? 1 : 0)];
  let shorter: Float64Array = new Float64Array(m).fill(service ? 1 : 0);
  for (let level = 2; level <= queue.topLevel; level++) {
    const letters = level - 1;
    const chance = new LastPage({ queue, law, service, budget }, letters, shorter).chances();
    const below = rewards[level - 1];
    const sum = new Float64Array(r ** letters * m);
    for (let word = 0; word < r ** letters; word++) {
      const prefix = Math.floor(word / r) * m;
      for (let phase = 0; phase < m; phase++) sum[word * m + phase] = below[prefix + phase] + chance[word * m + phase];
    }
    rewards.push(sum);
    shorter = chance;
  }
  return rewards;
}

const unfinished = 'the chances of waiting pages had not been computed';

/** v_j for all words of `letters` letters from v_{j−1}. */
class LastPage {
  readonly #asked: Asked;
  readonly #letters: number;
  readonly #shorter: Float64Array;
  readonly #chance: Float64Array;
  readonly #source: Float64Array;
  readonly #powers: Float64Array;
  readonly #inverses = new Map<number, Float64Array>();
  readonly #poll: Poll;

  constructor(asked: Asked, letters: number, shorter: Float64Array) {
    const { queue, law, budget } = asked;
    this.#asked = asked;
    this.#letters = letters;
    this.#shorter = shorter;
    this.#chance = new Float64Array(law.phases ** letters * queue.service.phases);
    this.#source = new Float64Array(queue.service.phases);
    this.#powers = Float64Array.from({ length: letters + 1 }, (_, k) => law.phases ** k);
    this.#poll = pollOf(budget, unfinished);
  }

  chances(): Float64Array {
    const { law, budget } = this.#asked;
    const r = law.phases;
    let backwards = false;
    for (let i = 0; i < r; i++) for (let j = 0; j < i; j++) backwards ||= law.generator[i * r + j] > 0;
    for (let round = 0, change = 1; round === 0 || (backwards && change > 1e-15 && round < 10_000); round++) {
      change = 0;
      for (let word = r ** this.#letters - 1; word >= 0; word--) {
        if (word % pollEvery === 0 && budget.stopRequested()) throw new NothingToReturn(unfinished);
        change = Math.max(change, this.#settle(word, this.#gather(word)));
      }
    }
    return this.#chance;
  }

  /** Puts the right-hand side of a word into the source; returns its decay Σ_k g(ω_k). */
  #gather(word: number): number {
    const { queue, law, service } = this.#asked;
    const { phases, initial, exit } = queue.service;
    const letters = this.#letters;
    const shorter = this.#shorter;
    const chance = this.#chance;
    const source = this.#source;
    const powers = this.#powers;
    const r = law.phases;
    const tail = (word % powers[letters - 1]) * phases;
    let next = 0;
    for (let m = 0; m < phases; m++) next += initial[m] * shorter[tail + m];
    for (let m = 0; m < phases; m++) source[m] = exit[m] * next;
    let decay = 0;
    for (let k = 0; k < letters; k++) {
      const place = powers[letters - 1 - k];
      const letter = Math.floor(word / place) % r;
      decay -= law.generator[letter * r + letter];
      for (let to = 0; to < r; to++) {
        const rate = to === letter ? 0 : law.generator[letter * r + to];
        if (rate === 0) continue;
        const other = (word + (to - letter) * place) * phases;
        for (let m = 0; m < phases; m++) source[m] += rate * chance[other + m];
      }
      if (k === letters - 1) {
        if (!service) for (let m = 0; m < phases; m++) source[m] += law.exit[letter];
      } else if (law.exit[letter] > 0) {
        const removed = (Math.floor(word / (place * r)) * place + (word % place)) * phases;
        for (let m = 0; m < phases; m++) source[m] += law.exit[letter] * shorter[removed + m];
      }
    }
    return decay;
  }

  /** The chances of a word from the source; returns how far they have moved. */
  #settle(word: number, decay: number): number {
    const { phases } = this.#asked.queue.service;
    const chance = this.#chance;
    const source = this.#source;
    const inverse = this.#inverseAt(decay);
    let change = 0;
    for (let m = 0; m < phases; m++) {
      let sum = 0;
      for (let k = 0; k < phases; k++) sum += inverse[m * phases + k] * source[k];
      change = Math.max(change, Math.abs(sum - chance[word * phases + m]));
      chance[word * phases + m] = sum;
    }
    return change;
  }

  #inverseAt(decay: number): Float64Array {
    const known = this.#inverses.get(decay);
    if (known !== undefined) return known;
    const { queue } = this.#asked;
    this.#poll(queue.service.phases ** 3);
    const inverse = inverseAt(queue, decay, this.#poll);
    this.#inverses.set(decay, inverse);
    return inverse;
  }
}

/** (decay·I − S)⁻¹. */
function inverseAt({ service }: Queue, decay: number, poll: Poll): Float64Array {
  const { phases, exit, generator } = service;
  const inverse = new Float64Array(phases * phases);
  for (let m = 0; m < phases; m++) inverse[m * phases + m] = 1;
  solveByStateReduction(
    generator.slice(),
    exit.map((rate) => rate + decay),
    inverse,
    phases,
    phases,
    poll,
  );
  return inverse;
}
