/**
 * A waiting page under random pick-up with obsolescence phases: its own phase r, the counts c of the i − 2 others by phase,
 * the arrival phase ν (later arrivals can overtake) and the service phase m, at level i ≥ 2 of the queue.
 *
 * Rates: D_l ⊗ phases of the new pages up by l; Γ inside, for itself and the others; at the end of a service it is taken
 * with probability 1/(i − 1), else another, and the queue is one shorter, as when another expires; itself expires at
 * Γ0(r). Dense blocks (level-chain.ts): R·C(i−2+R−1, R−1)·W·M states a level.
 * Source: as random-page.ts, with the phases of Avrachenkov et al. (2012), section 3, counted.
 */
import { admitted } from './admission.ts';
import { absorptionOfLevels, emptyChain, type LevelChain } from './level-chain.ts';
import { arrivingPhases, type CountIndex, less, more } from './phase-counts.ts';
import type { ModeByLevel, PhaseType, Queue } from './queue.ts';
import type { PageChain } from './response-quantiles.ts';
import { blockSize } from './stationary.ts';

/** The chain of a waiting page, levels 2..topLevel as 0.., states (count position·R + own phase)·b + (ν, m). */
export interface TaggedChain {
  readonly chain: LevelChain;
  readonly served: readonly Float64Array[];
  readonly expired: readonly Float64Array[];
}

export function taggedChain(queue: Queue, law: PhaseType, index: CountIndex, byLevel: ModeByLevel): TaggedChain {
  const b = blockSize(queue);
  const r = law.phases;
  const { arrivalPhases: w } = queue;
  const { phases, initial, exit, generator } = queue.service;
  const levels = Array.from({ length: Math.max(0, queue.topLevel - 1) }, (_, k) => k + 2);
  const sizes = levels.map((level) => b * r * index.vectors(level - 2).length);
  const chain = emptyChain(sizes, (k) => queue.arrivals[byLevel[k + 2]][k + 2].blocks.length - 1);
  const served = sizes.map((n) => new Float64Array(n));
  const expired = sizes.map((n) => new Float64Array(n));
  for (const [k, level] of levels.entries()) {
    const n = sizes[k];
    const { blocks } = queue.arrivals[byLevel[level]][level];
    const fresh = blocks.map((_, size) => (size === 0 ? [] : arrivingPhases(law, size)));
    for (const [position, counts] of index.vectors(level - 2).entries()) {
      for (let own = 0; own < r; own++) {
        for (let state = 0; state < b; state++) {
          const m = state % phases;
          const from = (state - m) / phases;
          const row = (position * r + own) * b + state;
          const at = (vector: readonly number[], page: number): number => (index.position(vector) * r + page) * b;
          const within = (to: number, rate: number): void => {
            if (rate > 0) chain.within[k][row * n + to] += rate;
          };
          for (let next = 0; next < phases; next++)
            if (next !== m) within(row - m + next, generator[m * phases + next]);
          for (let to = 0; to < w; to++) within(at(counts, own) + to * phases + m, blocks[0][from * w + to]);
          for (let to = 0; to < r; to++) {
            if (to !== own) within(at(counts, to) + state, law.generator[own * r + to]);
            for (let s = 0; s < r; s++) {
              if (s !== to && counts[s] > 0) {
                within(at(more(less(counts, s), to), own) + state, counts[s] * law.generator[s * r + to]);
              }
            }
          }
          for (let l = 1; l < blocks.length; l++) {
            for (const { counts: added, probability } of fresh[l]) {
              const target = at(
                counts.map((count, s) => count + added[s]),
                own,
              );
              for (let to = 0; to < w; to++) {
                chain.up[k][l - 1][row * sizes[k + l] + target + to * phases + m] +=
                  blocks[l][from * w + to] * probability;
              }
            }
          }
          served[k][row] = exit[m] / (level - 1);
          expired[k][row] = law.exit[own];
          for (let s = 0; s < r; s++) {
            if (counts[s] === 0) continue;
            const target = at(less(counts, s), own);
            const below = row * sizes[k - 1];
            chain.down[k][below + target + state] += counts[s] * law.exit[s];
            for (let next = 0; next < phases; next++) {
              chain.down[k][below + target + state - m + next] += (exit[m] * counts[s] * initial[next]) / (level - 1);
            }
          }
        }
      }
    }
  }
  return { chain, served, expired };
}

/** Chances of being served and of expiring, by level and state. */
export function taggedChances({ chain, served, expired }: TaggedChain): Float64Array[][] {
  return chain.sizes.length === 0 ? [[], []] : absorptionOfLevels(chain, [served, expired]);
}

/** The page's chain for quantiles: in service m first, then waiting, level by level. One jump costs all cells once. */
export function taggedPageChain(
  queue: Queue,
  law: PhaseType,
  index: CountIndex,
  byLevel: ModeByLevel,
  laws: readonly Float64Array[],
  servedRate: number,
): PageChain {
  const { phases, initial, exit, generator } = queue.service;
  const { chain, served, expired } = taggedChain(queue, law, index, byLevel);
  const { sizes } = chain;
  const offsets = [phases];
  for (const [k, n] of sizes.entries()) offsets.push(offsets[k] + n);
  const out = sizes.map((n, k) => {
    const total = new Float64Array(n);
    for (const block of [chain.within[k], ...chain.up[k], chain.down[k], served[k], expired[k]]) {
      const columns = block.length / n;
      for (let cell = 0; cell < block.length; cell++) total[Math.floor(cell / columns)] += block[cell];
    }
    return total;
  });
  let jumpRate = 0;
  for (let m = 0; m < phases; m++) jumpRate = Math.max(jumpRate, -generator[m * phases + m]);
  for (const total of out) for (const rate of total) jumpRate = Math.max(jumpRate, rate);
  const jump = (before: Float64Array, after: Float64Array): number => {
    after.fill(0);
    let done = 0;
    for (let m = 0; m < phases; m++) {
      const mass = before[m] / jumpRate;
      done += mass * exit[m];
      let left = exit[m];
      for (let next = 0; next < phases; next++) {
        if (next === m) continue;
        left += generator[m * phases + next];
        after[next] += mass * generator[m * phases + next];
      }
      after[m] += mass * (jumpRate - left);
    }
    for (const [k, n] of sizes.entries()) {
      const targets = [chain.within[k], ...chain.up[k]];
      for (let i = 0; i < n; i++) {
        const mass = before[offsets[k] + i] / jumpRate;
        if (mass === 0) continue;
        for (let next = 0; next < phases; next++) after[next] += mass * served[k][i] * initial[next];
        for (const [l, block] of targets.entries()) {
          const columns = sizes[k + l];
          for (let c = 0; c < columns; c++) after[offsets[k + l] + c] += mass * block[i * columns + c];
        }
        const below = k === 0 ? 0 : sizes[k - 1];
        for (let c = 0; c < below; c++) after[offsets[k - 1] + c] += mass * chain.down[k][i * below + c];
        after[offsets[k] + i] += mass * Math.max(0, jumpRate - out[k][i]);
      }
    }
    return done;
  };
  return { jumpRate, start: startLaw(queue, law, index, byLevel, laws, offsets), servedRate, jump };
}

/** Rates of pages arriving into each state. */
function startLaw(
  queue: Queue,
  law: PhaseType,
  index: CountIndex,
  byLevel: ModeByLevel,
  laws: readonly Float64Array[],
  offsets: readonly number[],
): Float64Array {
  const b = blockSize(queue);
  const r = law.phases;
  const w = queue.arrivalPhases;
  const { phases } = queue.service;
  const start = new Float64Array(offsets[offsets.length - 1]);
  for (const [level, shares] of laws.entries()) {
    const { matrices } = queue.modes[byLevel[level]];
    for (let batch = 1; batch < matrices.length; batch++) {
      const entering = admitted(queue.admission, queue.capacity, level, batch);
      if (entering === 0) continue;
      const begun = level === 0 ? 1 : 0;
      const waiting = entering - begun;
      const companions = waiting > 0 ? arrivingPhases(law, waiting - 1) : [];
      for (const [row, share] of shares.entries()) {
        const state = row % b;
        const m = state % phases;
        const present = level === 0 ? index.vectors(0)[0] : index.vectors(level - 1)[Math.floor(row / b)];
        for (let to = 0; to < w; to++) {
          const flow = share * matrices[batch][((state - m) / phases) * w + to];
          if (flow === 0) continue;
          start[m] += flow * begun;
          for (const { counts, probability } of companions) {
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
