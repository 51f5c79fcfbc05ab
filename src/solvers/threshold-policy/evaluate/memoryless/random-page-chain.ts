/**
 * The chain of a page under random pick-up with exponential (or no) obsolescence: waiting at (i, ν, m) as in
 * random-page.ts, then in service in phase m. One jump costs O(topLevel·k_max·W²·M).
 */
import { admitted } from '../../../queue/admission.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';
import type { ModeOf } from '../chain/views.ts';

/** State index: waiting at `level`: level·n + ν·M + m; in service: m (level 0 holds no waiting page). */
export function randomPageChain(
  queue: Queue,
  modeOf: ModeOf,
  distribution: Float64Array,
  servedRate: number,
): PageChain {
  const n = blockSize(queue);
  const { phases } = queue.service;
  const { topLevel } = queue;
  const chain = { queue, modeOf, jumpRate: jumpRateOf(queue) };
  const jump = (before: Float64Array, after: Float64Array): number => {
    after.fill(0);
    let served = 0;
    for (let m = 0; m < phases; m++) if (before[m] !== 0) served += serve(chain, before[m] / chain.jumpRate, m, after);
    for (let level = 2; level <= topLevel; level++) {
      for (let state = 0; state < n; state++) {
        const mass = before[level * n + state];
        if (mass !== 0) wait(chain, mass / chain.jumpRate, level, state, after);
      }
    }
    return served;
  };
  const start = startRates(queue, modeOf, distribution);
  const theta = obsolescenceRate(queue);
  const expiring = Float64Array.from({ length: start.length }, (_, state) => (state < 2 * n ? 0 : theta));
  return { jumpRate: chain.jumpRate, start, servedRate, expiring, jump };
}

interface Chain {
  readonly queue: Queue;
  readonly modeOf: ModeOf;
  readonly jumpRate: number;
}

/** At least the rate at which any state is left. */
function jumpRateOf(queue: Queue): number {
  const { generator, phases } = queue.service;
  const { arrivalPhases: w, topLevel } = queue;
  const leaving = queue.modes.map(({ matrices }) =>
    Float64Array.from({ length: w }, (_, phase) => -matrices[0][phase * w + phase]),
  );
  let jumpRate = 0;
  for (const rates of leaving) jumpRate = Math.max(jumpRate, ...rates);
  let busiest = 0;
  for (let m = 0; m < phases; m++) busiest = Math.max(busiest, -generator[m * phases + m]);
  return jumpRate + busiest + (topLevel - 1) * obsolescenceRate(queue);
}

/** Where a page in service goes with a jump; returns what of it is served. */
function serve({ queue, jumpRate }: Chain, mass: number, m: number, after: Float64Array): number {
  const { exit, generator, phases } = queue.service;
  let out = exit[m];
  for (let other = 0; other < phases; other++) {
    if (other === m) continue;
    out += generator[m * phases + other];
    after[other] += mass * generator[m * phases + other];
  }
  after[m] += mass * (jumpRate - out);
  return mass * exit[m];
}

/** Where a page that waits goes with a jump. */
function wait(
  { queue, modeOf, jumpRate }: Chain,
  mass: number,
  level: number,
  state: number,
  after: Float64Array,
): void {
  const n = blockSize(queue);
  const { initial, exit, generator, phases } = queue.service;
  const { arrivalPhases: w } = queue;
  const theta = obsolescenceRate(queue);
  const m = state % phases;
  const from = (state - m) / phases;
  const waiting = level - 1;
  let out = exit[m] + waiting * theta;
  for (let other = 0; other < phases; other++) {
    if (other === m) continue;
    out += generator[m * phases + other];
    after[level * n + state - m + other] += mass * generator[m * phases + other];
  }
  const { blocks } = queue.arrivals[modeOf(level, state)][level];
  for (let step = 0; step < blocks.length; step++) {
    for (let to = 0; to < w; to++) {
      if (step === 0 && to === from) continue;
      const rate = blocks[step][from * w + to];
      out += rate;
      after[(level + step) * n + to * phases + m] += mass * rate;
    }
  }
  for (let fresh = 0; fresh < phases; fresh++) {
    const begun = (mass * exit[m] * initial[fresh]) / waiting;
    after[fresh] += begun;
    if (waiting > 1) after[(level - 1) * n + state - m + fresh] += begun * (waiting - 1);
  }
  if (waiting > 1) after[(level - 1) * n + state] += mass * (waiting - 1) * theta;
  after[level * n + state] += mass * Math.max(0, jumpRate - out);
}

/** Rates of pages arriving into each state of the chain. */
function startRates(queue: Queue, modeOf: ModeOf, distribution: Float64Array): Float64Array {
  const n = blockSize(queue);
  const { phases } = queue.service;
  const w = queue.arrivalPhases;
  const start = new Float64Array((queue.topLevel + 1) * n);
  for (let level = 0; level <= queue.topLevel; level++) {
    // At level 0 one page of the batch goes to the server at once.
    const begun = level === 0 ? 1 : 0;
    for (let state = 0; state < n; state++) {
      const m = state % phases;
      const { matrices } = queue.modes[modeOf(level, state)];
      for (let batch = 1; batch < matrices.length; batch++) {
        const entering = admitted(queue.admission, queue.capacity, level, batch);
        if (entering === 0) continue;
        for (let to = 0; to < w; to++) {
          const flow = distribution[level * n + state] * matrices[batch][((state - m) / phases) * w + to];
          start[m] += flow * begun;
          if (entering > begun) start[(level + entering) * n + to * phases + m] += flow * (entering - begun);
        }
      }
    }
  }
  return start;
}
