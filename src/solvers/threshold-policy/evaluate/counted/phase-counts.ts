/**
 * The queue described by how many waiting pages are in each obsolescence phase.
 *
 * States of level i ≥ 1: (ν, m, c), c = (c_1, …, c_R) with Σc = i − 1. At level 0 they are (ν, m) with m the phase of
 * the next service (see stationary.ts). With random pick-up the page that is served next is in phase s with probability
 * c_s/(i−1): the chain is exact.
 *
 * Layout of a level: count vector major, (ν, m) minor. Size W·M·C(i−1+R−1, R−1). Cost of a solve: see level-chain.ts.
 * Source: Avrachenkov et al. (2012), section 3, with phases counted instead of ordered.
 */
import type { Budget, Poll } from '../../../budget.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import { emptyChain, type LevelChain, stationaryOfLevels } from './level-chain.ts';

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

/** Probability of each way in which `size` new pages fall into the phases: [counts, probability]. */
export function arrivingPhases(law: PhaseType, size: number): { counts: number[]; probability: number }[] {
  let ways = new Map<string, { counts: number[]; probability: number }>([
    ['', { counts: new Array<number>(law.phases).fill(0), probability: 1 }],
  ]);
  for (let page = 0; page < size; page++) {
    const next = new Map<string, { counts: number[]; probability: number }>();
    for (const { counts, probability } of ways.values()) {
      for (let phase = 0; phase < law.phases; phase++) {
        if (law.initial[phase] === 0) continue;
        const grown = counts.slice();
        grown[phase]++;
        const key = grown.join();
        const known = next.get(key);
        if (known === undefined) next.set(key, { counts: grown, probability: probability * law.initial[phase] });
        else known.probability += probability * law.initial[phase];
      }
    }
    ways = next;
  }
  return [...ways.values()];
}

/** The chain of a policy under random pick-up. */
export class PhaseCountChain {
  readonly queue: Queue;
  readonly law: PhaseType;
  readonly index: CountIndex;
  readonly #chain: LevelChain;

  constructor(queue: Queue, law: PhaseType, index: CountIndex, byLevel: ModeByLevel) {
    this.queue = queue;
    this.law = law;
    this.index = index;
    const b = blockSize(queue);
    const sizes = Array.from({ length: queue.topLevel + 1 }, (_, level) =>
      level === 0 ? b : b * index.vectors(level - 1).length,
    );
    const chain = emptyChain(sizes, (level) => queue.arrivals[byLevel[level]][level].blocks.length - 1);
    for (let level = 0; level <= queue.topLevel; level++) {
      this.#addWithin(chain.within[level], sizes[level], level, byLevel[level]);
      this.#addArrivals(chain.up[level], sizes, level, byLevel[level]);
      if (level > 1) this.#addExpiry(chain.down[level], sizes[level - 1], level);
      if (level > 0) this.#addServiceEnds(chain.down[level], sizes[level - 1], level);
    }
    this.#chain = chain;
  }

  /** The stationary distribution of every level. */
  solve(budget: Budget): Float64Array[] {
    return stationaryOfLevels(this.#chain, budget);
  }

  /** The next page is drawn from those that wait. */
  #addServiceEnds(block: Float64Array, below: number, level: number): void {
    const { queue, index } = this;
    const { phases, initial, exit } = queue.service;
    const b = blockSize(queue);
    for (const [position, counts] of index.vectors(level - 1).entries()) {
      for (let s = 0; s < (level === 1 ? 1 : this.law.phases); s++) {
        if (level > 1 && counts[s] === 0) continue;
        const target = level === 1 ? 0 : index.position(less(counts, s)) * b;
        const share = level === 1 ? 1 : counts[s] / (level - 1);
        for (let state = 0; state < b; state++) {
          const m = state % phases;
          const row = (position * b + state) * below + target + state - m;
          for (let fresh = 0; fresh < phases; fresh++) block[row + fresh] += exit[m] * share * initial[fresh];
        }
      }
    }
  }

  #addWithin(block: Float64Array, n: number, level: number, mode: number): void {
    const { queue, law, index } = this;
    const { arrivalPhases: w } = queue;
    const { phases, generator } = queue.service;
    const b = blockSize(queue);
    const r = law.phases;
    const d0 = queue.arrivals[mode][level].blocks[0];
    for (const [position, counts] of index.vectors(Math.max(0, level - 1)).entries()) {
      for (let state = 0; state < b; state++) {
        const m = state % phases;
        const row = (position * b + state) * n;
        for (let to = 0; to < w; to++)
          block[row + position * b + to * phases + m] += d0[((state - m) / phases) * w + to];
        if (level === 0) continue;
        for (let other = 0; other < phases; other++) {
          if (other !== m) block[row + position * b + state - m + other] += generator[m * phases + other];
        }
        for (let from = 0; from < r; from++) {
          for (let to = 0; to < r; to++) {
            const rate = from === to ? 0 : counts[from] * law.generator[from * r + to];
            if (rate > 0) block[row + index.position(more(less(counts, from), to)) * b + state] += rate;
          }
        }
      }
    }
  }

  #addArrivals(up: readonly Float64Array[], sizes: readonly number[], level: number, mode: number): void {
    const { queue, law, index } = this;
    const { arrivalPhases: w } = queue;
    const { phases } = queue.service;
    const b = blockSize(queue);
    const { blocks } = queue.arrivals[mode][level];
    for (const [l, block] of up.entries()) {
      const size = l + 1;
      const columns = sizes[level + size];
      for (const { counts: fresh, probability } of arrivingPhases(law, level === 0 ? size - 1 : size)) {
        for (const [position, counts] of index.vectors(Math.max(0, level - 1)).entries()) {
          const target = index.position(counts.map((count, s) => count + fresh[s])) * b;
          for (let state = 0; state < b; state++) {
            const m = state % phases;
            for (let to = 0; to < w; to++) {
              const rate = blocks[size][((state - m) / phases) * w + to];
              block[(position * b + state) * columns + target + to * phases + m] += rate * probability;
            }
          }
        }
      }
    }
  }

  #addExpiry(block: Float64Array, below: number, level: number): void {
    const { law, index } = this;
    const b = blockSize(this.queue);
    for (const [position, counts] of index.vectors(level - 1).entries()) {
      for (let s = 0; s < law.phases; s++) {
        const rate = counts[s] * law.exit[s];
        if (rate === 0) continue;
        const target = index.position(less(counts, s)) * b;
        for (let state = 0; state < b; state++) block[(position * b + state) * below + target + state] += rate;
      }
    }
  }
}

/** One page fewer in phase s. */
export function less(counts: readonly number[], s: number): number[] {
  return counts.map((count, phase) => (phase === s ? count - 1 : count));
}

/** One page more in phase s. */
export function more(counts: readonly number[], s: number): number[] {
  return counts.map((count, phase) => (phase === s ? count + 1 : count));
}
