/**
 * The phases of the waiting pages as words: one letter a page, the oldest first, a number in base R with the oldest
 * leading. With exponential (or no) obsolescence there is one word of each length.
 */
import type { PhaseType, Queue } from '../queue/queue.ts';

/** Where a state or a word leads, and at which rate. */
export type Move = readonly [to: number, rate: number];

const noExpiry: PhaseType = {
  phases: 1,
  initial: new Float64Array([1]),
  generator: new Float64Array(1),
  exit: new Float64Array(1),
};

/** The law of expiry; where pages never expire, one phase that is never left. */
export const waitingLaw = ({ obsolescence }: Queue): PhaseType => obsolescence ?? noExpiry;

/** How many words there are: combinations of phases of the pages that wait at a level. */
export const waitingPhaseCount = (law: PhaseType, level: number): number => law.phases ** Math.max(0, level - 1);

/** Changes of the phase of one of the `letters` pages. */
export function phaseChanges({ phases: r, generator }: PhaseType, letters: number, word: number): Move[] {
  const moves: Move[] = [];
  if (r === 1) return moves;
  for (let k = 0, place = 1; k < letters; k++, place *= r) {
    const letter = Math.floor(word / place) % r;
    for (let to = 0; to < r; to++) {
      const rate = generator[letter * r + to];
      if (to !== letter && rate > 0) moves.push([word + (to - letter) * place, rate]);
    }
  }
  return moves;
}

/** Expiries, to words of one letter less; of all pages but the `skipCount` youngest. */
export function expiries({ phases: r, exit }: PhaseType, letters: number, word: number, skipCount = 0): Move[] {
  if (r === 1) return letters > skipCount && exit[0] > 0 ? [[0, (letters - skipCount) * exit[0]]] : [];
  const rates = new Map<number, number>();
  for (let k = 0, place = 1; k < letters; k++, place *= r) {
    const letter = Math.floor(word / place) % r;
    if (k < skipCount || exit[letter] === 0) continue;
    const shorter = Math.floor(word / (place * r)) * place + (word % place);
    rates.set(shorter, (rates.get(shorter) ?? 0) + exit[letter]);
  }
  return [...rates];
}

/** The probability that new pages begin in the phases of these `letters` letters. */
export function waitingPhaseProbability({ phases: r, initial }: PhaseType, letters: number, word: number): number {
  let chance = 1;
  for (let k = 0, remainingWord = word; k < letters; k++, remainingWord = Math.floor(remainingWord / r))
    chance *= initial[remainingWord % r];
  return chance;
}
