/**
 * A waiting page under random pick-up, with or without obsolescence phases. Its state at level i ≥ 2 of the queue is
 * its own phase r, the counts c of the i − 2 others by phase, ν and m. The phase of arrivals ν matters as later
 * arrivals can overtake; m is the service phase.
 *
 * Rates: D_l ⊗ phases of the new pages up by l; Γ inside, for itself and the others. At the end of a service it is
 * taken with probability 1/(i − 1), else another, and the queue is one shorter. The queue is also shorter when another
 * expires; the page itself expires at Γ0(r). R·C(i−2+R−1, R−1)·W·M states a level, moves kept row by row
 * (sparse-absorption.ts). Source: as random-page.ts, with the phases of Avrachenkov et al. (2012), section 3, counted.
 */
import { admitted } from '../../../queue/admission.ts';
import { blockSize, type PhaseType, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';
import type { LevelShares, ModeOf } from '../chain/views.ts';
import { arrivingPhases, type CountIndex, less, more } from './phase-counts.ts';
import { MoveList, type SparseMoves } from './sparse-absorption.ts';

/** A queue whose waiting pages are counted by phase. */
export interface CountedQueue {
  readonly queue: Queue;
  readonly law: PhaseType;
  readonly index: CountIndex;
}

/** The chain of a waiting page: level i from offsets[i − 2], states (count position·R + own phase)·b + (ν, m). */
interface TaggedChain {
  readonly moves: SparseMoves;
  readonly served: Float64Array;
  readonly expired: Float64Array;
  readonly offsets: readonly number[];
}

export function taggedChain(counted: CountedQueue, modeOf: ModeOf): TaggedChain {
  const { queue, law, index } = counted;
  const b = blockSize(queue);
  const r = law.phases;
  const levels = Array.from({ length: Math.max(0, queue.topLevel - 1) }, (_, k) => k + 2);
  const offsets = [0];
  for (const [k, level] of levels.entries()) offsets.push(offsets[k] + b * r * index.vectors(level - 2).length);
  const total = offsets[levels.length];
  const ways = Array.from({ length: queue.largestBatch + 1 }, (_, size) =>
    size === 0 ? [] : arrivingPhases(law, size),
  );
  const moves = new MoveList();
  const served = new Float64Array(total);
  const expired = new Float64Array(total);
  let row = 0;
  for (const [k, level] of levels.entries()) {
    const fresh = ways.slice(0, queue.topLevel - level + 1);
    const at = (vector: readonly number[], own: number, above: number): number =>
      offsets[k + above] + (index.position(vector) * r + own) * b;
    for (const counts of index.vectors(level - 2)) {
      const grown = fresh.map((each) =>
        each.map(({ counts: added, probability }) => ({
          vector: counts.map((count, s) => count + added[s]),
          probability,
        })),
      );
      for (let own = 0; own < r; own++) {
        const page: TaggedPage = {
          level,
          counts,
          own,
          here: at(counts, own, 0),
          at: (vector, phase) => at(vector, phase, 0),
          shorter: counts.map((count, s) => (count > 0 ? at(less(counts, s), own, -1) : -1)),
          arrived: grown.map((each, l) =>
            each.map(({ vector, probability }) => ({ target: at(vector, own, l), probability })),
          ),
        };
        for (let state = 0; state < b; state++, row++) {
          const { blocks } = queue.arrivals[modeOf(level, state)][level];
          addPhaseChanges(counted, page, blocks, state, moves);
          addBatches(counted, page, blocks, state, moves);
          addEnds(counted, page, state, moves);
          moves.endRow();
          served[row] = queue.service.exit[state % queue.service.phases] / (level - 1);
          expired[row] = law.exit[own];
        }
      }
    }
  }
  return { moves: moves.finish(), served, expired, offsets };
}

/**
 * A waiting page among others, and where the chain leads from it; states (ν, m) are added to what `at` and targets say.
 */
interface TaggedPage {
  readonly level: number;
  /** The others by phase. */
  readonly counts: readonly number[];
  /** The page's own phase. */
  readonly own: number;
  readonly here: number;
  /** Where counts and an own phase of this level stand. */
  readonly at: (counts: readonly number[], own: number) => number;
  /** Where the page is when another in phase s has left; −1 where there is none. */
  readonly shorter: readonly number[];
  /** Where it is when l more pages have come. */
  readonly arrived: readonly (readonly { readonly target: number; readonly probability: number }[])[];
}

/** Changes of phase alone: of the service, of the arrivals, of the page's own obsolescence and of the others'. */
function addPhaseChanges(
  { queue, law }: CountedQueue,
  page: TaggedPage,
  blocks: readonly Float64Array[],
  state: number,
  moves: MoveList,
): void {
  const { phases, generator } = queue.service;
  const { arrivalPhases: w } = queue;
  const { here, counts, own, at } = page;
  const r = law.phases;
  const m = state % phases;
  const from = (state - m) / phases;
  for (let next = 0; next < phases; next++) {
    if (next !== m) moves.add(here + state - m + next, generator[m * phases + next]);
  }
  for (let to = 0; to < w; to++) if (to !== from) moves.add(here + to * phases + m, blocks[0][from * w + to]);
  for (let to = 0; to < r; to++) {
    if (to !== own) moves.add(at(counts, to) + state, law.generator[own * r + to]);
    for (let s = 0; s < r; s++) {
      const rate = s === to || counts[s] === 0 ? 0 : counts[s] * law.generator[s * r + to];
      if (rate > 0) moves.add(at(more(less(counts, s), to), own) + state, rate);
    }
  }
}

function addBatches(
  { queue }: CountedQueue,
  { arrived }: TaggedPage,
  blocks: readonly Float64Array[],
  state: number,
  moves: MoveList,
): void {
  const { arrivalPhases: w } = queue;
  const { phases } = queue.service;
  const m = state % phases;
  const from = (state - m) / phases;
  for (let l = 1; l < blocks.length; l++) {
    for (const { target, probability } of arrived[l]) {
      for (let to = 0; to < w; to++) moves.add(target + to * phases + m, blocks[l][from * w + to] * probability);
    }
  }
}

/** Another page expires, or is taken at the end of a service. */
function addEnds({ queue, law }: CountedQueue, page: TaggedPage, state: number, moves: MoveList): void {
  const { phases, initial, exit } = queue.service;
  const { level, counts, shorter } = page;
  const m = state % phases;
  for (const [s, count] of counts.entries()) {
    if (count === 0) continue;
    moves.add(shorter[s] + state, count * law.exit[s]);
    for (let next = 0; next < phases; next++) {
      moves.add(shorter[s] + state - m + next, (exit[m] * count * initial[next]) / (level - 1));
    }
  }
}

/** The page's chain for quantiles: in service m first, then waiting, level by level. One jump costs all moves once. */
export function taggedPageChain(counted: CountedQueue, modeOf: ModeOf, distributions: LevelShares): PageChain {
  const { queue } = counted;
  const { phases, initial, exit, generator } = queue.service;
  const { moves, served, expired, offsets } = taggedChain(counted, modeOf);
  const { start, to, rate } = moves;
  const out = served.map((chosen, i) => {
    let sum = chosen + expired[i];
    for (let at = start[i]; at < start[i + 1]; at++) sum += rate[at];
    return sum;
  });
  let jumpRate = 0;
  for (let m = 0; m < phases; m++) jumpRate = Math.max(jumpRate, -generator[m * phases + m]);
  for (const sum of out) jumpRate = Math.max(jumpRate, sum);
  const jump = (before: Float64Array, after: Float64Array): number => {
    after.fill(0);
    let done = 0;
    for (let m = 0; m < phases; m++) {
      const mass = before[m] / jumpRate;
      done += mass * exit[m];
      let leaving = exit[m];
      for (let next = 0; next < phases; next++) {
        if (next === m) continue;
        leaving += generator[m * phases + next];
        after[next] += mass * generator[m * phases + next];
      }
      after[m] += mass * (jumpRate - leaving);
    }
    for (let i = 0; i < out.length; i++) {
      const mass = before[phases + i] / jumpRate;
      if (mass === 0) continue;
      for (let next = 0; next < phases; next++) after[next] += mass * served[i] * initial[next];
      for (let at = start[i]; at < start[i + 1]; at++) after[phases + to[at]] += mass * rate[at];
      after[phases + i] += mass * Math.max(0, jumpRate - out[i]);
    }
    return done;
  };
  const begin = startRates(
    counted,
    modeOf,
    distributions,
    offsets.map((offset) => offset + phases),
  );
  const expiring = new Float64Array(begin.length);
  expiring.set(expired, phases);
  return { jumpRate, start: begin, expiring, jump };
}

/** Rates of pages arriving into each state. */
function startRates(
  { queue, law, index }: CountedQueue,
  modeOf: ModeOf,
  distributions: LevelShares,
  offsets: readonly number[],
): Float64Array {
  const b = blockSize(queue);
  const r = law.phases;
  const w = queue.arrivalPhases;
  const { phases } = queue.service;
  const start = new Float64Array(offsets[offsets.length - 1]);
  const companions = Array.from({ length: queue.largestBatch }, (_, size) => arrivingPhases(law, size));
  for (const [level, shares] of distributions.entries()) {
    const begun = level === 0 ? 1 : 0;
    for (const [row, share] of shares.entries()) {
      const state = row % b;
      const m = state % phases;
      const { matrices } = queue.modes[modeOf(level, state)];
      const present = level === 0 ? index.vectors(0)[0] : index.vectors(level - 1)[Math.floor(row / b)];
      for (let batch = 1; batch < matrices.length; batch++) {
        const entering = admitted(queue.admission, queue.capacity, level, batch);
        const waiting = entering - begun;
        if (entering === 0) continue;
        for (let to = 0; to < w; to++) {
          const flow = share * matrices[batch][((state - m) / phases) * w + to];
          if (flow === 0) continue;
          start[m] += flow * begun;
          if (waiting === 0) continue;
          for (const { counts, probability } of companions[waiting - 1]) {
            const others = index.position(present.map((count, s) => count + counts[s]));
            for (let own = 0; own < r; own++) {
              const page = (others * r + own) * b + to * phases + m;
              start[offsets[level + entering - 2] + page] += flow * waiting * probability * law.initial[own];
            }
          }
        }
      }
    }
  }
  return start;
}
