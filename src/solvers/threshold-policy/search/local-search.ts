/**
 * Local search over threshold policies: incumbents for the proofs, and the answer (status `feasible`) where no proof is
 * asked for or affordable.
 *
 * A policy is moved by changing one run of levels at a time. Each boundary between two modes is shifted by ±1, ±2, ±4,
 * …. Each run of levels is given a mode 1, 2, 4, … away. Runs are merged as needed to keep the policy monotone. First improvement, until no move helps. Each move costs one evaluation.
 */
import type { Budget } from '../../budget.ts';
import { leastWhenEmpty, type ModeByLevel, type Queue } from '../../queue/queue.ts';

export interface LocalOptimum {
  readonly byLevel: ModeByLevel;
  readonly cost: number;
  readonly evaluations: number;
}

export function improveLocally(
  queue: Queue,
  start: ModeByLevel,
  cost: (candidate: ModeByLevel) => number,
  budget: Budget,
): LocalOptimum {
  let byLevel: ModeByLevel = start.slice();
  let best = cost(byLevel);
  let evaluations = 1;
  for (let moved = true; moved; ) {
    moved = false;
    for (const candidate of neighbours(queue, byLevel)) {
      if (candidate[0] < leastWhenEmpty(queue)) continue;
      if (budget.stopRequested()) return { byLevel, cost: best, evaluations };
      const value = cost(candidate);
      evaluations++;
      if (value < best - 1e-13 * Math.abs(best)) {
        best = value;
        byLevel = candidate;
        moved = true;
        break;
      }
    }
  }
  return { byLevel, cost: best, evaluations };
}

/** Monotone policies one move away, larger moves first. */
function* neighbours(queue: Queue, byLevel: ModeByLevel): Generator<ModeByLevel> {
  const { capacity } = queue;
  const starts = [0];
  for (let level = 1; level <= capacity; level++) if (byLevel[level] !== byLevel[level - 1]) starts.push(level);
  starts.push(capacity + 1);
  // Shift the boundary between two runs.
  for (let run = 1; run < starts.length - 1; run++) {
    for (let step = largestPower(capacity); step >= 1; step >>= 1) {
      const at = starts[run];
      const [above, below] = [byLevel[at], byLevel[at - 1]];
      if (at + step <= capacity + 1) yield raise(queue, byLevel, at + step, below);
      if (at - step >= 0) yield lower(queue, byLevel, at - step, above);
    }
  }
  // Give a run, or an end of it, another mode.
  for (let run = 0; run + 1 < starts.length; run++) {
    const [from, to] = [starts[run], starts[run + 1]];
    const mode = byLevel[from];
    for (const other of modesAround(mode, queue.modes.length)) {
      yield other > mode ? raise(queue, byLevel, to, other) : lower(queue, byLevel, from, other);
      if (to - from > 1)
        yield other > mode ? raise(queue, byLevel, from + 1, other) : lower(queue, byLevel, to - 1, other);
    }
  }
}

/** Modes 1, 2, 4, … away. */
function* modesAround(mode: number, modes: number): Generator<number> {
  for (let step = 1; step < modes; step *= 2) {
    if (mode + step < modes) yield mode + step;
    if (mode - step >= 0) yield mode - step;
  }
}

function largestPower(capacity: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, capacity)));
}

/** Levels below `to` at least in `mode`. */
function raise(queue: Queue, byLevel: ModeByLevel, to: number, mode: number): ModeByLevel {
  const next = byLevel.slice();
  for (let level = 0; level < to; level++) next[level] = Math.max(next[level], mode);
  return extended(queue, next);
}

/** Levels from `from` on at most in `mode`. */
function lower(queue: Queue, byLevel: ModeByLevel, from: number, mode: number): ModeByLevel {
  const next = byLevel.slice();
  for (let level = from; level <= queue.capacity; level++) next[level] = Math.min(next[level], mode);
  return extended(queue, next);
}

function extended(queue: Queue, byLevel: ModeByLevel): ModeByLevel {
  for (let level = queue.capacity + 1; level <= queue.topLevel; level++) byLevel[level] = byLevel[queue.capacity];
  return byLevel;
}
