/** Words of obsolescence phases, as numbers in base R with the oldest leading, and the counts of phases in them. */
import { type CountIndex, more } from '../counted/phase-counts.ts';

/** Which count vector each word has: depends on the queue only. */
export interface WordIndex {
  readonly counts: CountIndex;
  /** countOf[waiting][word]: position of its count vector. */
  readonly countOf: readonly Int32Array[];
}

export function wordIndex(counts: CountIndex, phases: number, mostWaiting: number): WordIndex {
  const countOf: Int32Array[] = [new Int32Array(1)];
  for (let waiting = 1; waiting <= mostWaiting; waiting++) {
    const shorter = countOf[waiting - 1];
    const grown = counts
      .vectors(waiting - 1)
      .map((vector) => Array.from({ length: phases }, (_, s) => counts.position(more(vector, s))));
    const positions = new Int32Array(shorter.length * phases);
    for (let word = 0; word < shorter.length; word++) {
      for (let s = 0; s < phases; s++) positions[word * phases + s] = grown[shorter[word]][s];
    }
    countOf.push(positions);
  }
  return { counts, countOf };
}
