/**
 * What a controller can know of phases it does not see, and what it should do then.
 *
 * It sees the queue's length, every batch with its size, and when a service begins. Its belief is a over the arrival
 * phases and b over the service phases. They follow the forward recursion of a hidden Markov chain, in ticks of a fixed
 * length δ:
 *
 *   a tick without a batch: a ∝ a·e^(D_0 δ); a batch of k pages: a ∝ a·D_k (D_k of the mode the crawlers are in). A
 *   tick in which the service goes on: b ∝ b·e^(S δ); a service begins: b = β.
 *
 * Given what is seen the two are independent. There are two ways to act. One takes the mode that the table of the best
 * policy with phases in sight has for the likeliest phases. The other takes the mode with the least expected action
 * value Σ a(ν)b(m)·Q(level, ν, m, mode), Q the right-hand side of that policy's optimality equation. Both are rules of
 * thumb: the best policy on beliefs is not known, and what these two cost is measured by simulation
 * (simulation/filtered-policy.ts). Source: Rabiner (1989) for the recursion; Littman, Cassandra, Kaelbling (1995) for
 * expected action values.
 */

import type { Budget } from '../../budget.ts';
import { absorbingChain } from '../../numerics/linear/absorbing-chain.ts';
import { identityOf } from '../../numerics/linear/small-matrices.ts';
import type { CostWeights } from '../../queue/measures.ts';
import { meanOfPhaseType } from '../../queue/phase-type.ts';
import { blockSize, leastWhenEmpty, type Queue } from '../../queue/queue.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import type { PhaseFilter } from '../../simulation/index.ts';
import type { FullInformation } from '../bound/relaxation/full-information.ts';
import { everything } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';

/** Ticks in the shorter of the mean gap between batches, all crawlers active, and the mean service time. */
const ticksPerEvent = 20;

export function phaseFilter(
  prepared: MemorylessQueue,
  costs: CostWeights,
  table: ModeByState,
  budget: Budget,
): PhaseFilter {
  const { queue } = prepared;
  const { arrivalPhases, modes, service } = queue;
  const tick = tickOf(queue);
  return {
    tick,
    modes: modes.map(({ matrices: [changes, ...batches] }) => ({
      quiet: exponential(changes, arrivalPhases, tick),
      batches,
    })),
    service: exponential(service.generator, service.phases, tick),
    initial: service.initial,
    table,
    values: actionValues(prepared, costs, table, budget),
  };
}

function tickOf({ modes, arrivalPhases, service }: Queue): number {
  let busiest = 0;
  for (const { matrices } of modes) {
    let rate = 0;
    for (const matrix of matrices.slice(1)) for (const flow of matrix) rate += flow / arrivalPhases;
    busiest = Math.max(busiest, rate);
  }
  return Math.min(1 / busiest, meanOfPhaseType(service)) / ticksPerEvent;
}

/** e^(Gt) of a sub-generator: row by row, from positive terms alone. */
function exponential(generator: Float64Array, n: number, t: number): Float64Array {
  const exit = Float64Array.from({ length: n }, (_, i) =>
    Math.max(0, -generator.subarray(i * n, (i + 1) * n).reduce((sum, rate) => sum + rate, 0)),
  );
  const chain = absorbingChain(generator, exit);
  const rows = identityOf(n);
  for (let at = 0; at < n * n; at += n) rows.set(chain.run(rows.slice(at, at + n), t).mass, at);
  return rows;
}

/** The right-hand sides of the optimality equation at the policy, linearised at its own response time. */
function actionValues(prepared: MemorylessQueue, costs: CostWeights, table: ModeByState, budget: Budget): Float64Array {
  const { queue } = prepared;
  const { relaxation } = everything(prepared, costs, budget);
  const kinds = queue.modes.length;
  const values = new Float64Array(table.length * kinds);
  const weights = linearise(relaxation, costs, table);
  const sides = new Float64Array(kinds);
  const firstAt = (at: number): number => (at < blockSize(queue) ? leastWhenEmpty(queue) : 0);
  for (let at = 0; at < table.length; at++) {
    relaxation.rightHandSides(weights, at, sides);
    for (let mode = firstAt(at); mode < kinds; mode++) values[at * kinds + mode] = sides[mode];
  }
  // Before a service begins its phase is not drawn: each state of level 0 stands for all of them.
  const n = blockSize(queue);
  const { phases, initial } = queue.service;
  for (let group = 0; group < n; group += phases) {
    for (let mode = 0; mode < kinds; mode++) {
      let mean = 0;
      for (let m = 0; m < phases; m++) mean += initial[m] * values[(group + m) * kinds + mode];
      for (let m = 0; m < phases; m++) values[(group + m) * kinds + mode] = mean;
    }
  }
  for (let at = 0; at < table.length; at++) {
    const allowed = values.subarray(at * kinds + firstAt(at), (at + 1) * kinds);
    const least = allowed.reduce((a, b) => Math.min(a, b));
    for (let k = 0; k < allowed.length; k++) allowed[k] -= least;
  }
  return values;
}

/** Evaluates the policy with the response time priced at what it is there; returns the weights. */
function linearise(relaxation: FullInformation, costs: CostWeights, table: ModeByState): Weights {
  relaxation.evaluate([1, 0, 0, 0], table);
  const [, toBeServed, ends] = relaxation.totals;
  const price = costs.response / ends;
  const weights: Weights = [1, price, (-price * toBeServed) / ends, 0];
  relaxation.evaluate(weights, table);
  return weights;
}
