/**
 * What a filter for phases that are not seen must be, computed a second time. Its matrices come from the request by
 * Taylor's series. The values of its actions come from relative values, by scalar elimination of the queue written down
 * state by state.
 */

import type { CostWeights, Measures } from '../../solvers/queue/measures.ts';
import { leastWhenEmpty, obsolescenceRate, type Queue } from '../../solvers/queue/queue.ts';
import type { ShownFilter } from '../../solvers/threshold-policy/answer/played-filter.ts';
import { BandedChain } from './banded-chain.ts';
import { pagesInOrder } from './pages-in-order.ts';
import { type ModeAt, QueueChain } from './queue-chain.ts';

/** Rounding of probabilities. */
const tolerance = 1e-10;
/** Rounding of values, relative to the largest. */
const valueTolerance = 1e-7;
/** The most numbers kept for the chain. */
const maxCells = 40_000_000;

interface Filtered {
  readonly queue: Queue;
  readonly costs: CostWeights;
  readonly filter: ShownFilter;
  /** The table of the answer, and its measures, first in first out. */
  readonly modeAt: ModeAt;
  readonly measures: Measures;
}

/**
 * What is wrong with a filter, one sentence each. O(K·k_max·(W·M)³), and nothing is said of values in larger chains.
 */
export function filterFaults({ queue, costs, filter, modeAt, measures }: Filtered): string[] {
  const { arrivalPhases, modes, service } = queue;
  const faults: string[] = [];
  const { tick } = filter;
  const compare = (what: string, given: readonly number[], again: Float64Array, allowed = tolerance): void => {
    const at = again.findIndex((value, i) => !(Math.abs(given[i] - value) <= allowed));
    if (given.length !== again.length) faults.push(`${what} has ${given.length} numbers, not ${again.length}`);
    else if (at >= 0) faults.push(`${what} has ${given[at]} at ${at}; computed a second time ${again[at]}`);
  };
  const inService = pagesInOrder(queue).chain.gathered(onesUpTo(queue));
  const meanService = service.initial.reduce((sum, share, m) => sum + share * inService[m], 0);
  if (!(tick > 0 && tick <= (meanService / 20) * (1 + tolerance))) {
    faults.push(`a tick of ${tick} is no twentieth of a service of ${meanService}`);
    return faults;
  }
  for (const [mode, { crawlers, matrices }] of modes.entries()) {
    const { quiet, batches } = filter.modes[mode];
    compare(`quiet of ${crawlers} crawlers`, quiet.flat(), taylor(matrices[0], arrivalPhases, tick));
    if (batches.length !== matrices.length - 1)
      faults.push(`${crawlers} crawlers have ${batches.length} sizes of batches`);
    for (const [k, matrix] of matrices.slice(1).entries()) {
      compare(`batches of ${k + 1} of ${crawlers} crawlers`, batches[k].flat(), matrix, 0);
    }
  }
  compare('service', filter.service.flat(), taylor(service.generator, service.phases, tick));
  compare('initial', filter.initial, service.initial, 0);
  const chain = new QueueChain(queue, modeAt);
  if (chain.cells > maxCells) return faults;
  const values = actionValues(chain, costs, measures);
  // What may not be done has no value.
  const given = filter.values.flatMap((states) => states.flatMap((modes) => modes.map((value) => value ?? 0)));
  compare('values', given, values, valueTolerance * values.reduce((most, value) => Math.max(most, value), 0));
  return faults;
}

/** e^(Gt) by Taylor's series on a step on which its terms vanish, then squaring. */
function taylor(generator: Float64Array, n: number, t: number): Float64Array {
  const fastest = generator.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(1, 64 * n * fastest * t))));
  const step = t / 2 ** halvings;
  const unit = Float64Array.from({ length: n * n }, (_, cell) => (cell % (n + 1) === 0 ? 1 : 0));
  let term = unit;
  let sum = unit;
  for (let k = 1; k <= 10; k++) {
    term = times(term, generator, n).map((value) => (value * step) / k);
    sum = sum.map((value, cell) => value + term[cell]);
  }
  for (let k = 0; k < halvings; k++) sum = times(sum, sum, n);
  return sum;
}

function times(a: Float64Array, b: Float64Array, n: number): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: n * n }, (_, cell) => {
    const [i, j] = [Math.floor(cell / n), cell % n];
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    return sum;
  });
}

/**
 * The right-hand sides of the optimality equation, less their least over the modes, at (level·W·M + ν·M + m)·N + mode.
 * Each is what a mode costs per unit of time in a state, and where it leads. The response time is priced as linear at
 * the table's.
 */
function actionValues(chain: QueueChain, costs: CostWeights, measures: Measures): Float64Array {
  const { queue, block } = chain;
  const { phases, exit } = queue.service;
  const kinds = queue.modes.length;
  const served = measures.arrivalRate * measures.successProbability;
  const price = costs.response / served;
  const waiting = pagesToBeServed(queue);
  const costRate = (level: number, phase: number, m: number, mode: number): number => {
    let lost = 0;
    for (const { size, entering, rate } of chain.batches(level, phase, mode)) lost += (size - entering) * rate;
    const fixed = costs.loss * lost + costs.crawler * queue.modes[mode].crawlers;
    if (level === 0) return fixed + costs.starvation;
    const expired = costs.obsolescence * (level - 1) * obsolescenceRate(queue);
    return fixed + expired + price * (waiting[level * phases + m] - measures.responseTime * exit[m]);
  };
  const relative = relativeValues(chain, costRate);
  const values = new Float64Array((queue.topLevel + 1) * block * kinds);
  chain.states((level, phase, m) => {
    const here = chain.state(level, phase, m);
    const sides = queue.modes.map((_, mode) => {
      let side = costRate(level, phase, m, mode);
      chain.moves({ level, phase, m, mode }, (to, rate) => {
        side += rate * (relative[to] - relative[here]);
      });
      return side;
    });
    const first = level === 0 ? leastWhenEmpty(queue) : 0;
    const least = sides.slice(first).reduce((a, b) => Math.min(a, b));
    // An empty system stands for every phase in which the next service may begin.
    for (let copy = m; copy < (level === 0 ? phases : m + 1); copy++) {
      const at = (level * block + phase * phases + copy) * kinds;
      for (const [mode, side] of sides.entries()) values[at + mode] = mode < first ? 0 : side - least;
    }
  });
  return values;
}

/** h with h = 0 in the first state and c + Σ rate·(h′ − h) the same in all. */
function relativeValues(
  chain: QueueChain,
  costRate: (level: number, phase: number, m: number, mode: number) => number,
): Float64Array {
  const distribution = chain.stationary();
  const costs = new Float64Array(chain.size);
  const rest = new BandedChain(chain.size - 1, 2 * chain.block, chain.reach);
  let gain = 0;
  chain.states((level, phase, m) => {
    const here = chain.state(level, phase, m);
    const mode = chain.modeAt(level, phase, m);
    costs[here] = costRate(level, phase, m, mode);
    gain += distribution[here] * costs[here];
    if (here === 0) return;
    chain.moves({ level, phase, m, mode }, (to, rate) => {
      if (to === 0) rest.leave(here - 1, rate);
      else rest.move(here - 1, to - 1, rate);
    });
  });
  const found = rest.eliminate(0).gathered(costs.subarray(1).map((cost) => cost - gain));
  return Float64Array.from({ length: chain.size }, (_, state) => (state === 0 ? 0 : found[state - 1]));
}

/** At level·M + m: how many of the pages present will be served. */
function pagesToBeServed(queue: Queue): Float64Array {
  const { phases } = queue.service;
  const { chain, served } = pagesInOrder(queue);
  const chance = chain.gathered(served);
  const sums = new Float64Array((queue.topLevel + 1) * phases);
  for (let at = phases; at < sums.length; at++) sums[at] = sums[at - phases] + chance[at - phases];
  return sums;
}

/** Time spent by a page in service alone. */
const onesUpTo = (queue: Queue): Float64Array =>
  Float64Array.from({ length: queue.topLevel * queue.service.phases }, (_, state) =>
    state < queue.service.phases ? 1 : 0,
  );
