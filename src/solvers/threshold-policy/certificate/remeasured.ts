/**
 * The measures of a policy computed a second time, with exponential (or no) obsolescence: the queue is written down state
 * by state and solved by scalar elimination, and a tagged page is followed to its end. Shares the model with the solver
 * (what the problem says), none of the ways of solving it.
 *
 * States: (0, ν) when the system is empty, (i, ν, m) with i pages in it. A tagged page first in first out: (pages ahead,
 * m); under random pick-up, waiting: (i, ν, m), later arrivals included.
 * Cost O(K·k_max·(W·M)²·W·M); null when the bands would need more than {@link maxCells} numbers.
 */
import type { Measures } from '../model/measures.ts';
import { obsolescenceRate, type Queue } from '../model/queue.ts';
import { BandedChain } from './banded-chain.ts';

/** The most numbers kept for one chain. */
const maxCells = 40_000_000;

/** One batch from a state of the arrival process: how many pages come, how many enter, the next phase. */
interface Batch {
  readonly size: number;
  readonly entering: number;
  readonly to: number;
  readonly rate: number;
}

/** What becomes of the pages that arrive, per unit of time: numbers and time spent, by fate. */
interface Fates {
  readonly servedTime: number;
  readonly expiredTime: number;
}

/** The mode of a policy at (queue length, arrival phase, service phase); the last is 0 in an empty system. */
export type ModeAt = (level: number, phase: number, m: number) => number;

/** The measures of the policy; null when the chains would be larger than is kept. */
export function remeasured(queue: Queue, modeAt: ModeAt): Measures | null {
  const chain = new QueueChain(queue, modeAt);
  if (chain.cells > maxCells) return null;
  const distribution = chain.stationary();
  const theta = obsolescenceRate(queue);
  const { phases, exit } = queue.service;
  let [arrived, lost, expired, served, empty, crawlers, length] = [0, 0, 0, 0, 0, 0, 0];
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let phase = 0; phase < queue.arrivalPhases; phase++) {
      for (let m = 0; m < (level === 0 ? 1 : phases); m++) {
        const share = distribution[chain.state(level, phase, m)];
        for (const { size, entering, rate } of chain.batches(level, phase, m)) {
          arrived += share * rate * size;
          lost += share * rate * (size - entering);
        }
        crawlers += share * queue.modes[modeAt(level, phase, m)].crawlers;
        length += share * level;
        if (level === 0) empty += share;
        else {
          served += share * exit[m];
          expired += share * (level - 1) * theta;
        }
      }
    }
  }
  const { servedTime, expiredTime } =
    queue.discipline === 'fifo' ? fatesInOrder(chain, distribution) : fatesAtRandom(chain, distribution);
  return {
    arrivalRate: arrived,
    lossProbability: lost / arrived,
    obsolescenceProbability: expired / arrived,
    successProbability: served / arrived,
    starvationProbability: empty,
    activeCrawlers: crawlers,
    queueLength: length,
    responseTime: servedTime / served,
    obsoleteSojournTime: expired > 0 ? expiredTime / expired : null,
    sojournTime: (servedTime + expiredTime) / arrived,
  };
}

class QueueChain {
  readonly queue: Queue;
  readonly modeAt: ModeAt;

  constructor(queue: Queue, modeAt: ModeAt) {
    this.queue = queue;
    this.modeAt = modeAt;
  }

  /** States of a level that is not empty. */
  get block(): number {
    return this.queue.arrivalPhases * this.queue.service.phases;
  }

  /** The largest number of states a move leads up. */
  get reach(): number {
    return (this.queue.largestBatch + 1) * this.block;
  }

  get cells(): number {
    return (this.queue.topLevel + 1) * this.block * (this.reach + 2 * this.block + 1);
  }

  state(level: number, phase: number, m: number): number {
    const { arrivalPhases, service } = this.queue;
    return level === 0 ? phase : arrivalPhases + (level - 1) * this.block + phase * service.phases + m;
  }

  /** Everything the arrival process may do next. */
  batches(level: number, phase: number, m: number): Batch[] {
    const { modes, admission, capacity, arrivalPhases } = this.queue;
    const room = Math.max(0, capacity - level);
    return modes[this.modeAt(level, phase, m)].matrices.flatMap((matrix, size) => {
      const fits = admission === 'partial' ? Math.min(size, room) : size;
      const refused = admission === 'complete-rejection' ? size > room : room === 0;
      return Array.from({ length: arrivalPhases }, (_, to) => {
        return { size, entering: refused ? 0 : fits, to, rate: matrix[phase * arrivalPhases + to] };
      }).filter(({ rate, to }) => rate > 0 && (size > 0 || to !== phase));
    });
  }

  stationary(): Float64Array {
    const { queue } = this;
    const { phases, initial, exit, generator } = queue.service;
    const theta = obsolescenceRate(queue);
    const states = queue.arrivalPhases + queue.topLevel * this.block;
    const chain = new BandedChain(states, 2 * this.block, this.reach);
    for (let level = 0; level <= queue.topLevel; level++) {
      for (let phase = 0; phase < queue.arrivalPhases; phase++) {
        for (let m = 0; m < (level === 0 ? 1 : phases); m++) {
          const here = this.state(level, phase, m);
          for (const { entering, to, rate } of this.batches(level, phase, m)) {
            if (level > 0 || entering === 0) chain.move(here, this.state(level + entering, to, m), rate);
            else initial.forEach((share, next) => void chain.move(here, this.state(entering, to, next), rate * share));
          }
          if (level === 0) continue;
          for (let next = 0; next < phases; next++) {
            if (next !== m) chain.move(here, this.state(level, phase, next), generator[m * phases + next]);
            if (level > 1) chain.move(here, this.state(level - 1, phase, next), exit[m] * initial[next]);
          }
          if (level === 1) chain.move(here, this.state(0, phase, 0), exit[m]);
          else chain.move(here, this.state(level - 1, phase, m), (level - 1) * theta);
        }
      }
    }
    return chain.eliminate(1).stationary();
  }

  /** Calls back for every page that enters: the level it finds, its place in its batch, the phases after, and the rate. */
  entering(
    distribution: Float64Array,
    take: (page: { level: number; place: number; entering: number; to: number; m: number }, rate: number) => void,
  ): void {
    const { queue } = this;
    const { phases, initial } = queue.service;
    for (let level = 0; level <= queue.topLevel; level++) {
      for (let phase = 0; phase < queue.arrivalPhases; phase++) {
        for (let m = 0; m < phases; m++) {
          // An empty system begins a service with the first page of the batch.
          const share = distribution[this.state(level, phase, m)] * (level === 0 ? initial[m] : 1);
          for (const { entering, to, rate } of this.batches(level, phase, level === 0 ? 0 : m)) {
            for (let place = 0; place < entering; place++) take({ level, place, entering, to, m }, share * rate);
          }
        }
      }
    }
  }
}

/** First in first out: a page with j ahead of it, the one in service included. */
function fatesInOrder(of: QueueChain, distribution: Float64Array): Fates {
  const { queue } = of;
  const { phases, initial, exit, generator } = queue.service;
  const theta = obsolescenceRate(queue);
  const chain = new BandedChain(queue.topLevel * phases, 2 * phases, phases);
  const [served, expired] = [new Float64Array(chain.size), new Float64Array(chain.size)];
  for (let ahead = 0; ahead < queue.topLevel; ahead++) {
    for (let m = 0; m < phases; m++) {
      const here = ahead * phases + m;
      for (let next = 0; next < phases; next++) {
        if (next !== m) chain.move(here, ahead * phases + next, generator[m * phases + next]);
        if (ahead > 0) chain.move(here, (ahead - 1) * phases + next, exit[m] * initial[next]);
      }
      if (ahead === 0) {
        served[here] = exit[m];
        chain.leave(here, exit[m]);
      } else {
        expired[here] = theta;
        chain.leave(here, theta);
        if (ahead > 1) chain.move(here, here - phases, (ahead - 1) * theta);
      }
    }
  }
  chain.eliminate(0);
  const starts = new Float64Array(chain.size);
  of.entering(distribution, ({ level, place, m }, rate) => {
    starts[(level + place) * phases + m] += rate;
  });
  return timesOf(chain, starts, served, expired);
}

/** Random pick-up: a page in service (levels 1: phase m only), or one of the i − 1 waiting at (i, ν, m). */
function fatesAtRandom(of: QueueChain, distribution: Float64Array): Fates {
  const { queue } = of;
  const { phases, initial, exit, generator } = queue.service;
  const theta = obsolescenceRate(queue);
  const waiting = (level: number, phase: number, m: number): number =>
    phases + (level - 2) * of.block + phase * phases + m;
  const states = phases + Math.max(0, queue.topLevel - 1) * of.block;
  // The service of a page drawn at random may be far below: what it gathers there is put in by hand.
  const chain = new BandedChain(states, 2 * of.block, of.reach);
  const [served, expired] = [new Float64Array(states), new Float64Array(states)];
  for (let m = 0; m < phases; m++) {
    served[m] = exit[m];
    chain.leave(m, exit[m]);
    for (let next = 0; next < phases; next++) if (next !== m) chain.move(m, next, generator[m * phases + next]);
  }
  for (let level = 2; level <= queue.topLevel; level++) {
    for (let phase = 0; phase < queue.arrivalPhases; phase++) {
      for (let m = 0; m < phases; m++) {
        const here = waiting(level, phase, m);
        for (const { entering, to, rate } of of.batches(level, phase, m))
          chain.move(here, waiting(level + entering, to, m), rate);
        for (let next = 0; next < phases; next++) {
          if (next !== m) chain.move(here, waiting(level, phase, next), generator[m * phases + next]);
          const overtaken = (exit[m] * initial[next] * (level - 2)) / (level - 1);
          if (level > 2) chain.move(here, waiting(level - 1, phase, next), overtaken);
        }
        if (level > 2) chain.move(here, waiting(level - 1, phase, m), (level - 2) * theta);
        served[here] = exit[m] / (level - 1);
        expired[here] = theta;
        chain.leave(here, served[here] + theta);
      }
    }
  }
  chain.eliminate(0);
  const starts = new Float64Array(states);
  of.entering(distribution, ({ level, place, entering, to, m }, rate) => {
    const inService = level === 0 && place === 0;
    starts[inService ? m : waiting(level + entering, to, m)] += rate;
  });
  // A drawn page is served for certain and spends its service time on top: its mean counts in the served time.
  const mean = chain.gathered(Float64Array.from({ length: states }, (_, state) => (state < phases ? 1 : 0)));
  const service = initial.reduce((sum, share, m) => sum + share * mean[m], 0);
  const times = timesOf(chain, starts, served, expired);
  const chance = chain.gathered(served);
  let drawn = 0;
  for (let state = phases; state < states; state++) drawn += starts[state] * chance[state];
  return { ...times, servedTime: times.servedTime + drawn * service };
}

/** Time spent by the pages that are served, and by those that expire, from the rates at which they start in each state. */
function timesOf(chain: BandedChain, starts: Float64Array, served: Float64Array, expired: Float64Array): Fates {
  const total = (values: Float64Array): number => values.reduce((sum, value, state) => sum + starts[state] * value, 0);
  return {
    servedTime: total(chain.gathered(chain.gathered(served))),
    expiredTime: total(chain.gathered(chain.gathered(expired))),
  };
}
