/** How many waiting pages are in each obsolescence phase. */
import type { Poll } from '../../../budget.ts';

/** All count vectors of `waiting` pages in R phases, and their positions. */
export class CountIndex {
  readonly phases: number;
  readonly #vectors: number[][][] = [];
  readonly #positions: Map<string, number>[] = [];

  constructor(phases: number, mostWaiting: number, poll?: Poll) {
    this.phases = phases;
    for (let waiting = 0; waiting <= mostWaiting; waiting++) {
      poll?.(countVectors(waiting, phases) * phases * 100);
      const vectors = [...compositions(waiting, phases)];
      this.#vectors.push(vectors);
      this.#positions.push(new Map(vectors.map((vector, position) => [vector.join(), position])));
    }
  }

  vectors(waiting: number): readonly (readonly number[])[] {
    return this.#vectors[waiting];
  }

  position(counts: readonly number[]): number {
    const waiting = counts.reduce((sum, count) => sum + count, 0);
    const position = this.#positions[waiting].get(counts.join());
    if (position === undefined) throw new RangeError(`no count vector ${counts.join()}`);
    return position;
  }
}

function* compositions(total: number, parts: number): Generator<number[]> {
  if (parts === 1) {
    yield [total];
    return;
  }
  for (let first = total; first >= 0; first--) {
    for (const rest of compositions(total - first, parts - 1)) yield [first, ...rest];
  }
}

/** Number of count vectors: C(waiting + R − 1, R − 1). */
export function countVectors(waiting: number, phases: number): number {
  let count = 1;
  for (let i = 1; i < phases; i++) count = (count * (waiting + i)) / i;
  return Math.round(count);
}

/** One page more in phase s. */
export function more(counts: readonly number[], s: number): number[] {
  return counts.map((count, phase) => (phase === s ? count + 1 : count));
}
