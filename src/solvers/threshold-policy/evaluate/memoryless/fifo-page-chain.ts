/**
 * The chain of a page in a first-in-first-out queue with exponential (or no) obsolescence: (pages ahead, service
 * phase). With j ≥ 1 ahead: S moves the server, S0β and (j−1)θ bring the page one place forward, θ ends it. With none
 * ahead it is in service. What arrives later does not matter. One jump costs O(topLevel·M²).
 */
import { admitted } from '../../../queue/admission.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';
import type { ModeOf } from '../chain/views.ts';

/** @param modeOf the policy, and its stationary distribution (stationary.ts) */
export function fifoPageChain(queue: Queue, modeOf: ModeOf, distribution: Float64Array): PageChain {
  const { initial, exit, generator, phases } = queue.service;
  const rate = obsolescenceRate(queue);
  const start = arrivalsByPlace(queue, modeOf, distribution);
  let jumpRate = 0;
  for (let m = 0; m < phases; m++) jumpRate = Math.max(jumpRate, -generator[m * phases + m]);
  jumpRate += (queue.topLevel - 1) * rate;
  const jump = (before: Float64Array, after: Float64Array): number => {
    after.fill(0);
    let served = 0;
    for (let ahead = 0; ahead < queue.topLevel; ahead++) {
      const here = ahead * phases;
      let ended = 0;
      for (let m = 0; m < phases; m++) {
        const mass = before[here + m] / jumpRate;
        if (mass === 0) continue;
        ended += mass * exit[m];
        const expiry = ahead * rate;
        let out = exit[m] + expiry;
        for (let next = 0; next < phases; next++) {
          if (next === m) continue;
          const flow = generator[m * phases + next];
          out += flow;
          after[here + next] += mass * flow;
        }
        after[here + m] += mass * Math.max(0, jumpRate - out);
        if (ahead > 1) after[here - phases + m] += mass * (ahead - 1) * rate;
      }
      if (ahead === 0) served = ended;
      else for (let m = 0; m < phases; m++) after[here - phases + m] += ended * initial[m];
    }
    return served;
  };
  const expiring = Float64Array.from({ length: start.length }, (_, state) => (state < phases ? 0 : rate));
  return { jumpRate, start, expiring, jump };
}

/** Rate at which pages join behind j others with the server in phase m: index j·M + m. */
function arrivalsByPlace(queue: Queue, modeOf: ModeOf, distribution: Float64Array): Float64Array {
  const n = blockSize(queue);
  const { phases } = queue.service;
  const w = queue.arrivalPhases;
  const places = new Float64Array(queue.topLevel * phases);
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let state = 0; state < n; state++) {
      const m = state % phases;
      const row = ((state - m) / phases) * w;
      const { matrices } = queue.modes[modeOf(level, state)];
      for (let batch = 1; batch < matrices.length; batch++) {
        const entering = admitted(queue.admission, queue.capacity, level, batch);
        let rate = 0;
        for (let to = 0; to < w; to++) rate += matrices[batch][row + to];
        const flow = rate * distribution[level * n + state];
        for (let place = 0; place < entering; place++) places[(level + place) * phases + m] += flow;
      }
    }
  }
  return places;
}
