/**
 * Exact evaluation of an arbitrary policy by banded state reduction: the averages of each of its recurrent classes, and
 * the relative values of a policy that has one.
 *
 * Complexity: O(states·bandwidth²) flops a class; twice when the first reference turns out to be a rare state.
 * Known limits: the band is held in memory, so it is refused beyond `maxBandEntries` numbers.
 */
import type { Budget } from '../../../budget.ts';
import { type ActivationModel, costOfAverages, type PolicyMeasures } from '../../model/activation-model.ts';
import {
  type BandedChain,
  bandEntries,
  bandValues,
  bandWeights,
  type ReducedBand,
  reduceBand,
} from './banded-reduction.ts';
import { numberStates, type StateNumbering, type Successors, transitionsOf } from './decision-chain.ts';
import { recurrentClasses } from './recurrent-classes.ts';

/** 256 MB of doubles. */
export const maxBandEntries = 3.2e7;

/** One recurrent class: its averages and the range of active crawlers in it. */
export interface ClassMeasures extends PolicyMeasures {
  readonly minActive: number;
  readonly maxActive: number;
}

/** Whether the band of a model fits. */
export function bandFits(model: ActivationModel): boolean {
  return bandEntries(numberStates(model)) <= maxBandEntries;
}

function arrivalRates(model: ActivationModel, { states, queueStride, crawlerStride }: StateNumbering): Float64Array {
  const rates = new Float64Array(states);
  for (let r = 1; r <= model.crawlers; r++) {
    for (let q = 0; q <= model.capacity; q++) rates[q * queueStride + r * crawlerStride] = model.crawlerRate * r;
  }
  return rates;
}

function bandedChain(
  model: ActivationModel,
  numbering: StateNumbering,
  { arrival, departure }: Successors,
): BandedChain {
  const arrivals = arrivalRates(model, numbering);
  return {
    states: numbering.states,
    bandwidth: numbering.bandwidth,
    eachRate(add) {
      for (let x = 0; x < numbering.states; x++) {
        if (arrival[x] >= 0) add(x, arrival[x], arrivals[x]);
        if (departure[x] >= 0) add(x, departure[x], model.indexingRate);
      }
    },
  };
}

/** Calls `visit` with every existing state. */
function eachState(
  model: ActivationModel,
  numbering: StateNumbering,
  visit: (x: number, q: number, r: number) => void,
): void {
  const { queueStride, crawlerStride } = numbering;
  for (let r = 0; r <= model.crawlers; r++) {
    for (let q = r === 0 ? 1 : 0; q <= model.capacity; q++) visit(q * queueStride + r * crawlerStride, q, r);
  }
}

/** The recurrent state whose row is nearest to the balance of arrivals and service: a likely one, as a first guess. */
function likelyState(model: ActivationModel, numbering: StateNumbering, member: (x: number) => boolean): number {
  const balanced = model.indexingRate / model.crawlerRate;
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  eachState(model, numbering, (x, _q, r) => {
    if (!member(x) || Math.abs(r - balanced) >= distance) return;
    best = x;
    distance = Math.abs(r - balanced);
  });
  return best;
}

/** Reduces the chain towards a likely state of the class: again, towards the likeliest, when the guess was rare. */
function reduceTowardsLikely(
  model: ActivationModel,
  numbering: StateNumbering,
  successors: Successors,
  present: Uint8Array,
  member: (x: number) => boolean,
  budget: Budget,
): { reduced: ReducedBand; weights: Float64Array } {
  const chain = bandedChain(model, numbering, successors);
  const guess = likelyState(model, numbering, member);
  const reduced = reduceBand(chain, present, guess, budget);
  const weights = bandWeights(reduced);
  let likeliest = guess;
  for (let x = 0; x < weights.length; x++) if (weights[x] > weights[likeliest]) likeliest = x;
  if (weights[likeliest] <= 100 * weights[guess]) return { reduced, weights };
  const again = reduceBand(chain, present, likeliest, budget);
  return { reduced: again, weights: bandWeights(again) };
}

/** The stationary distribution of a policy with one recurrent class, by state number. */
export function stationaryShares(
  model: ActivationModel,
  numbering: StateNumbering,
  successors: Successors,
  budget: Budget,
): Float64Array {
  const { classOf } = recurrentClasses(transitionsOf(successors));
  const present = Uint8Array.from(classOf, (c) => (c === 0 ? 1 : 0));
  const { weights } = reduceTowardsLikely(model, numbering, successors, present, (x) => present[x] === 1, budget);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The averages of one recurrent class of a policy. */
export function measureClass(
  model: ActivationModel,
  numbering: StateNumbering,
  successors: Successors,
  classOf: Int32Array,
  index: number,
  budget: Budget,
): ClassMeasures {
  const present = Uint8Array.from(classOf, (c) => (c === index ? 1 : 0));
  const { weights } = reduceTowardsLikely(model, numbering, successors, present, (x) => present[x] === 1, budget);
  let total = 0;
  let empty = 0;
  let lost = 0;
  let active = 0;
  let queued = 0;
  let minActive = model.crawlers;
  let maxActive = 0;
  eachState(model, numbering, (x, q, r) => {
    if (present[x] === 0) return;
    total += weights[x];
    if (q === 0) empty += weights[x];
    if (q === model.capacity) lost += weights[x] * model.crawlerRate * r;
    active += weights[x] * r;
    queued += weights[x] * q;
    minActive = Math.min(minActive, r);
    maxActive = Math.max(maxActive, r);
  });
  const starvationProbability = empty / total;
  const lossRate = lost / total;
  const meanActive = active / total;
  const averages = { starvationProbability, lossRate, meanActive, meanQueueLength: queued / total };
  return { cost: costOfAverages(model, averages), ...averages, minActive, maxActive };
}

/**
 * Average cost and relative values (state (q, r) at r·(K + 1) + q) of a policy with one recurrent class.
 *
 * @param classOf as `recurrentClasses` answers
 */
export function evaluateDecisions(
  model: ActivationModel,
  numbering: StateNumbering,
  successors: Successors,
  classOf: Int32Array,
  budget: Budget,
): { cost: number; values: Float64Array } {
  const { capacity: K, crawlerRate, crawlerCost, starvationWeight, queueCost = 0 } = model;
  const present = new Uint8Array(numbering.states);
  eachState(model, numbering, (x) => {
    present[x] = 1;
  });
  const { reduced, weights } = reduceTowardsLikely(
    model,
    numbering,
    successors,
    present,
    (x) => classOf[x] === 0,
    budget,
  );
  const costs = new Float64Array(numbering.states);
  let total = 0;
  let collected = 0;
  eachState(model, numbering, (x, q, r) => {
    costs[x] = crawlerCost * r + (q === 0 ? starvationWeight : 0) + (q === K ? crawlerRate * r : 0);
    if (queueCost !== 0) costs[x] += queueCost * q;
    total += weights[x];
    collected += weights[x] * costs[x];
  });
  const cost = collected / total;
  eachState(model, numbering, (x) => {
    costs[x] -= cost;
  });
  const byNumber = bandValues(reduced, costs);
  const values = new Float64Array(numbering.states);
  eachState(model, numbering, (x, q, r) => {
    values[r * (K + 1) + q] = byNumber[x];
  });
  return { cost, values };
}
