/**
 * Local search over threshold policies: incumbents for the proofs, and the answer where a proof is out of reach.
 *
 * One run of levels is changed at a time: each boundary between two modes is shifted by ±1, ±2, ±4, …; each run, or an
 * end of it, is given a mode 1, 2, 4, … away. Runs are merged as needed to keep the policy monotone. First improvement,
 * until no move helps. Each move costs one evaluation.
 */
import type { Budget } from '../budget.ts';
import { fixedMode, leastWhenEmpty, type ModeByLevel, type Queue } from '../queue/queue.ts';
import type { PricedPolicy } from './tally.ts';

/** Measures a policy; infinite when the budget ended before that. */
export type Measure = (byLevel: ModeByLevel) => number;

/** Relative improvement below which a move is rounding. */
const leastImprovement = 1e-13;
/** Modes whose pairs are tried as a start. */
const mostPaired = 6;

/** The local optimum reached from the best of some simple policies. */
export function localOptimum(queue: Queue, measure: Measure, budget: Budget): PricedPolicy {
  let best: PricedPolicy = { byLevel: fixedMode(queue, leastWhenEmpty(queue)), cost: Number.POSITIVE_INFINITY };
  for (const byLevel of starts(queue)) {
    const cost = measure(byLevel);
    if (cost < best.cost) best = { byLevel, cost };
    if (budget.stopRequested()) return best;
  }
  return improveLocally(queue, best, measure, budget);
}

export function improveLocally(queue: Queue, start: PricedPolicy, measure: Measure, budget: Budget): PricedPolicy {
  let best = start;
  for (let moved = true; moved; ) {
    moved = false;
    for (const byLevel of neighbours(queue, best.byLevel)) {
      if (byLevel[0] < leastWhenEmpty(queue)) continue;
      if (budget.stopRequested()) return best;
      const cost = measure(byLevel);
      if (!(cost < best.cost - leastImprovement * Math.abs(best.cost))) continue;
      best = { byLevel, cost };
      moved = true;
      break;
    }
  }
  return best;
}

/** Every mode alone; then pairs of a few modes, changed at one length of each magnitude; then all modes evenly. */
function* starts(queue: Queue): Generator<ModeByLevel> {
  const { capacity, topLevel } = queue;
  const most = queue.modes.length - 1;
  for (let mode = leastWhenEmpty(queue); mode <= most; mode++) yield fixedMode(queue, mode);
  const paired = Math.min(mostPaired, most + 1);
  const some = Array.from({ length: paired }, (_, k) => Math.round((k * most) / Math.max(1, paired - 1)));
  for (const many of some) {
    for (const few of some) {
      if (few >= many) break;
      for (let length = 1; length <= capacity; length *= 2) yield fixedMode(queue, few).fill(many, 0, length);
    }
  }
  yield Uint8Array.from({ length: topLevel + 1 }, (_, q) => Math.round(most * Math.max(0, 1 - q / capacity)));
}

/** Monotone policies one move away, larger moves first. */
function* neighbours(queue: Queue, byLevel: ModeByLevel): Generator<ModeByLevel> {
  const { capacity } = queue;
  const begins = [0];
  for (let level = 1; level <= capacity; level++) if (byLevel[level] !== byLevel[level - 1]) begins.push(level);
  begins.push(capacity + 1);
  for (let run = 1; run < begins.length - 1; run++) {
    const at = begins[run];
    for (let step = 2 ** Math.floor(Math.log2(capacity)); step >= 1; step >>= 1) {
      if (at + step <= capacity + 1) yield raise(queue, byLevel, at + step, byLevel[at - 1]);
      if (at - step >= 0) yield lower(queue, byLevel, at - step, byLevel[at]);
    }
  }
  for (let run = 0; run + 1 < begins.length; run++) {
    const [from, to] = [begins[run], begins[run + 1]];
    const mode = byLevel[from];
    for (const other of modesAround(mode, queue.modes.length)) {
      const ends = to - from > 1 ? [0, 1] : [0];
      for (const end of ends) {
        if (other > mode) yield raise(queue, byLevel, end === 0 ? to : from + 1, other);
        else yield lower(queue, byLevel, end === 0 ? from : to - 1, other);
      }
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

/** Levels below `to` at least in `mode`. */
function raise(queue: Queue, byLevel: ModeByLevel, to: number, mode: number): ModeByLevel {
  const next = byLevel.map((present, level) => (level < to ? Math.max(present, mode) : present));
  return next.fill(next[queue.capacity], queue.capacity + 1);
}

/** Levels from `from` on at most in `mode`. */
function lower(queue: Queue, byLevel: ModeByLevel, from: number, mode: number): ModeByLevel {
  const next = byLevel.map((present, level) => (level >= from ? Math.min(present, mode) : present));
  return next.fill(next[queue.capacity], queue.capacity + 1);
}
