/**
 * The queue under a policy written down state by state, for the certificate. Its states are (0, ν) when the system is
 * empty, and (i, ν, m) with i pages in it. Shares the model with the solver (what the problem says), none of the ways
 * of solving it.
 */
import { obsolescenceRate, type Queue } from '../../solvers/queue/queue.ts';
import { BandedChain } from './banded-chain.ts';

/** One batch from a state of the arrival process: how many pages come, how many enter, the next phase. */
interface Batch {
  readonly size: number;
  readonly entering: number;
  readonly to: number;
  readonly rate: number;
}

/** The mode of a policy at (queue length, arrival phase, service phase); the last is 0 in an empty system. */
export type ModeAt = (level: number, phase: number, m: number) => number;

export class QueueChain {
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

  get size(): number {
    return this.queue.arrivalPhases + this.queue.topLevel * this.block;
  }

  /** Everything the arrival process may do next, in one mode. */
  batches(level: number, phase: number, mode: number): Batch[] {
    const { modes, admission, capacity, arrivalPhases } = this.queue;
    const room = Math.max(0, capacity - level);
    return modes[mode].matrices.flatMap((matrix, size) => {
      const fits = admission === 'partial' ? Math.min(size, room) : size;
      const refused = admission === 'complete-rejection' ? size > room : room === 0;
      return Array.from({ length: arrivalPhases }, (_, to) => {
        return { size, entering: refused ? 0 : fits, to, rate: matrix[phase * arrivalPhases + to] };
      }).filter(({ rate, to }) => rate > 0 && (size > 0 || to !== phase));
    });
  }

  /** Calls back for every state, in their order. */
  states(take: (level: number, phase: number, m: number) => void): void {
    for (let level = 0; level <= this.queue.topLevel; level++) {
      for (let phase = 0; phase < this.queue.arrivalPhases; phase++) {
        for (let m = 0; m < (level === 0 ? 1 : this.queue.service.phases); m++) take(level, phase, m);
      }
    }
  }

  /** Calls back for every move out of a state in `mode`; one that leads nowhere may be among them. */
  moves(
    { level, phase, m, mode }: { level: number; phase: number; m: number; mode: number },
    take: (to: number, rate: number) => void,
  ): void {
    const { phases, initial, exit, generator } = this.queue.service;
    for (const { entering, to, rate } of this.batches(level, phase, mode)) {
      if (level > 0 || entering === 0) take(this.state(level + entering, to, m), rate);
      else initial.forEach((share, next) => void take(this.state(entering, to, next), rate * share));
    }
    if (level === 0) return;
    for (let next = 0; next < phases; next++) {
      if (next !== m) take(this.state(level, phase, next), generator[m * phases + next]);
      if (level > 1) take(this.state(level - 1, phase, next), exit[m] * initial[next]);
    }
    if (level === 1) take(this.state(0, phase, 0), exit[m]);
    else take(this.state(level - 1, phase, m), (level - 1) * obsolescenceRate(this.queue));
  }

  stationary(): Float64Array {
    const chain = new BandedChain(this.size, 2 * this.block, this.reach);
    this.states((level, phase, m) => {
      const here = this.state(level, phase, m);
      this.moves({ level, phase, m, mode: this.modeAt(level, phase, m) }, (to, rate) => chain.move(here, to, rate));
    });
    return chain.eliminate(1).stationary();
  }

  /**
   * Calls back for every page that enters: the level it finds, its place in its batch, the phases after, and the rate.
   */
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
          for (const { entering, to, rate } of this.batches(
            level,
            phase,
            this.modeAt(level, phase, level === 0 ? 0 : m),
          )) {
            for (let place = 0; place < entering; place++) take({ level, place, entering, to, m }, share * rate);
          }
        }
      }
    }
  }
}
