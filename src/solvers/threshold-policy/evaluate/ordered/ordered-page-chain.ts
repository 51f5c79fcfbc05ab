/**
 * The chain of a page in a first-in-first-out queue with obsolescence phases. Its states are (phases of the pages ahead
 * and its own, the oldest first; service phase), as in ordered-page.ts. One jump costs O(R^(topLevel−1)·topLevel·R·M).
 */
import { admitted } from '../../../queue/admission.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';

/** State index: in service m; waiting as the last of j letters: offset(j) + word·M + m. */
export function orderedPageChain(
  queue: Queue,
  law: PhaseType,
  levels: readonly Float64Array[],
  byLevel: ModeByLevel,
): PageChain {
  const { initial, exit, generator, phases } = queue.service;
  const r = law.phases;
  const offsets = [0];
  for (let j = 0; j < queue.topLevel; j++) offsets.push(offsets[j] + r ** j * phases);
  let jumpRate = 0;
  for (let m = 0; m < phases; m++) jumpRate = Math.max(jumpRate, -generator[m * phases + m]);
  let fastest = 0;
  for (let s = 0; s < r; s++) fastest = Math.max(fastest, -law.generator[s * r + s]);
  jumpRate += (queue.topLevel - 1) * fastest;
  const jump = (before: Float64Array, after: Float64Array): number => {
    after.fill(0);
    let served = 0;
    for (let j = 0; j < queue.topLevel; j++) {
      const words = r ** j;
      for (let word = 0; word < words; word++) {
        const here = offsets[j] + word * phases;
        for (let m = 0; m < phases; m++) {
          const mass = before[here + m] / jumpRate;
          if (mass === 0) continue;
          let out = exit[m];
          for (let next = 0; next < phases; next++) {
            if (next === m) continue;
            out += generator[m * phases + next];
            after[here + next] += mass * generator[m * phases + next];
          }
          if (j === 0) served += mass * exit[m];
          else {
            const tail = offsets[j - 1] + (word % (words / r)) * phases;
            for (let fresh = 0; fresh < phases; fresh++) after[tail + fresh] += mass * exit[m] * initial[fresh];
          }
          for (let k = 0, place = 1; k < j; k++, place *= r) {
            const letter = Math.floor(word / place) % r;
            out -= law.generator[letter * r + letter];
            for (let to = 0; to < r; to++) {
              if (to !== letter)
                after[here + (to - letter) * place * phases + m] += mass * law.generator[letter * r + to];
            }
            // Place 1 is the page itself: when it expires it is gone.
            if (k === 0) continue;
            const removed = Math.floor(word / (place * r)) * place + (word % place);
            after[offsets[j - 1] + removed * phases + m] += mass * law.exit[letter];
          }
          after[here + m] += mass * Math.max(0, jumpRate - out);
        }
      }
    }
    return served;
  };
  const expiring = new Float64Array(offsets[queue.topLevel]);
  for (let j = 1; j < queue.topLevel; j++) {
    for (let at = offsets[j]; at < offsets[j + 1]; at++)
      expiring[at] = law.exit[Math.floor((at - offsets[j]) / phases) % r];
  }
  return { jumpRate, start: startRates(queue, law, levels, byLevel, offsets), expiring, jump };
}

function startRates(
  queue: Queue,
  law: PhaseType,
  levels: readonly Float64Array[],
  byLevel: ModeByLevel,
  offsets: readonly number[],
): Float64Array {
  const b = blockSize(queue);
  const { phases } = queue.service;
  const w = queue.arrivalPhases;
  const r = law.phases;
  const start = new Float64Array(offsets[queue.topLevel]);
  for (let level = 0; level <= queue.topLevel; level++) {
    const { matrices } = queue.modes[byLevel[level]];
    // Rate of pages that join as the p-th of their batch, p = 1, 2, …, by arrival phase.
    const joining: Float64Array[] = [];
    for (let batch = 1; batch < matrices.length; batch++) {
      const entering = admitted(queue.admission, queue.capacity, level, batch);
      for (let place = 0; place < entering; place++) {
        joining[place] ??= new Float64Array(w);
        for (let cell = 0; cell < w * w; cell++) joining[place][Math.floor(cell / w)] += matrices[batch][cell];
      }
    }
    for (let word = 0; word < levels[level].length / b; word++) {
      for (let state = 0; state < b; state++) {
        const m = state % phases;
        const share = levels[level][word * b + state];
        for (const [place, rates] of joining.entries()) {
          const fresh = level === 0 ? place : place + 1;
          const waiting = Math.max(0, level - 1) + fresh;
          const flow = share * rates[(state - m) / phases];
          for (let suffix = 0; suffix < r ** fresh; suffix++) {
            let chance = 1;
            for (let k = 0, rest = suffix; k < fresh; k++, rest = Math.floor(rest / r)) chance *= law.initial[rest % r];
            start[offsets[waiting] + (word * r ** fresh + suffix) * phases + m] += flow * chance;
          }
        }
      }
    }
  }
  return start;
}
