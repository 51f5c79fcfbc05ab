/**
 * The finite chain of phased-model.ts: its states, the events that leave each of them, and the decisions that events
 * ask for.
 *
 * A decision stands where an event leaves q pages, the other active crawlers in x and the indexing in phase m. One more
 * crawler may then be activated. That is one that begins anew (after a departure; kind 0), or the one that has just
 * brought a batch, in phase w (kind 1 + w). With one phase both are the same and share a decision. Off leads to (q, x,
 * m), on to (q, x + e, m). Numbered along the queue or along the crawlers, whichever makes the longer transitions
 * shorter.
 */

import type { PhasedModel } from '../../model/phased-model.ts';
import { type Configurations, configurationCount, configurations } from './configurations.ts';

export interface PhasedChain {
  readonly model: PhasedModel;
  readonly active: Configurations;
  /** Numbers of states; those without `present` do not exist. */
  readonly states: number;
  readonly bandwidth: number;
  readonly present: Uint8Array;
  /** Cost per unit time, and the part of it that are lost pages. */
  readonly costs: Float64Array;
  readonly losses: Float64Array;
  /** Events from state s: rates[begins[s]…begins[s + 1] − 1], each to a state, or to decision d as −1 − d. */
  readonly begins: Int32Array;
  readonly rates: Float64Array;
  readonly targets: Int32Array;
  /** W + 1, or 1 where W = 1. */
  readonly kinds: number;
  readonly decisions: DecisionPoints;
  stateOf(queueLength: number, configuration: number, servicePhase: number): number;
  decisionOf(queueLength: number, configuration: number, servicePhase: number, kind: number): number;
}

interface DecisionPoints {
  readonly count: number;
  /** The state that off leads to. */
  readonly off: Int32Array;
  /** The states that on leads to, W each, with their shares. */
  readonly on: Int32Array;
  readonly shares: Float64Array;
  /** 0 or 1 where only that can be done, else `free`. */
  readonly forced: Uint8Array;
}

export const free = 2;

/** Strides of a numbering: state (q, x, m) is q·queue + x·crawlers + m. */
interface Strides {
  readonly queue: number;
  readonly crawlers: number;
  readonly bandwidth: number;
}

/** @param range the crawlers that may be active; the same twice: always so many */
export function phasedChain(model: PhasedModel, { fewest, most }: { readonly fewest: number; readonly most: number }) {
  const { capacity: K, service, process } = model;
  const active = configurations(Math.max(0, fewest - 1), most, process.phases);
  const { totals } = active;
  const vectors = totals.length;
  const M = service.phases;
  const states = (K + 1) * vectors * M;
  const strides = shorter(model, active);
  const stateOf = (q: number, x: number, m: number): number => q * strides.queue + x * strides.crawlers + m;
  const exists = (q: number, x: number): boolean => totals[x] >= fewest && (q > 0 || totals[x] > 0);
  const kinds = process.phases === 1 ? 1 : process.phases + 1;
  const decisionOf = (q: number, x: number, m: number, kind: number): number =>
    ((q * vectors + x) * M + (q === 0 ? 0 : m)) * kinds + kind;
  const present = new Uint8Array(states);
  for (let q = 0; q <= K; q++) {
    for (let x = 0; x < vectors; x++) {
      if (exists(q, x)) for (let m = 0; m < (q === 0 ? 1 : M); m++) present[stateOf(q, x, m)] = 1;
    }
  }
  const base = { model, active, states, bandwidth: strides.bandwidth, present, kinds, stateOf, decisionOf };
  const chain: PhasedChain = { ...base, ...eventsOf(base), decisions: decisionPoints(base) };
  return chain;
}

type Frame = Omit<PhasedChain, 'costs' | 'losses' | 'begins' | 'rates' | 'targets' | 'decisions'>;

function decisionPoints({ model, active, present, kinds, stateOf, decisionOf }: Frame): DecisionPoints {
  const { capacity: K, service, process } = model;
  const { phases: W, begins } = process;
  const vectors = active.totals.length;
  const count = (K + 1) * vectors * service.phases * kinds;
  const off = new Int32Array(count).fill(-1);
  const on = new Int32Array(count * W).fill(-1);
  const shares = new Float64Array(count * W);
  const forced = new Uint8Array(count);
  for (let q = 0; q <= K; q++) {
    for (let x = 0; x < vectors; x++) {
      for (let m = 0; m < (q === 0 ? 1 : service.phases); m++) {
        for (let kind = 0; kind < kinds; kind++) {
          const d = decisionOf(q, x, m, kind);
          const state = stateOf(q, x, m);
          const possible = active.plus[x * W] >= 0;
          off[d] = present[state] === 1 ? state : -1;
          forced[d] = off[d] < 0 ? 1 : possible ? free : 0;
          for (let w = 0; w < W && possible; w++) {
            on[d * W + w] = stateOf(q, active.plus[x * W + w], m);
            shares[d * W + w] = kind === 0 ? begins[w] : kind - 1 === w ? 1 : 0;
          }
        }
      }
    }
  }
  return { count, off, on, shares, forced };
}

/** The events of every state, and what the states cost: counted first, then written. */
function eventsOf(frame: Frame) {
  const { model, active, states } = frame;
  const { starvationWeight, crawlerCost, queueCost } = model;
  const begins = new Int32Array(states + 1);
  eachEvent(frame, (s) => begins[s + 1]++);
  for (let s = 0; s < states; s++) begins[s + 1] += begins[s];
  const rates = new Float64Array(begins[states]);
  const targets = new Int32Array(begins[states]);
  const next = begins.slice();
  const costs = new Float64Array(states);
  const losses = eachEvent(frame, (s, rate, target) => {
    rates[next[s]] = rate;
    targets[next[s]++] = target;
  });
  eachState(frame, (s, { q, x }) => {
    costs[s] = losses[s] + crawlerCost * active.totals[x] + (q === 0 ? starvationWeight : queueCost * q);
  });
  return { costs, losses, begins, rates, targets };
}

function eachState({ model, active, present, stateOf }: Frame, visit: (s: number, place: Place) => void): void {
  for (let q = 0; q <= model.capacity; q++) {
    for (let x = 0; x < active.totals.length; x++) {
      for (let m = 0; m < model.service.phases; m++) {
        const s = stateOf(q, x, m);
        if (present[s] === 1) visit(s, { q, x, m });
      }
    }
  }
}

/** Answers the pages lost per unit time in each state. */
function eachEvent(frame: Frame, visit: (s: number, rate: number, target: number) => void): Float64Array {
  const losses = new Float64Array(frame.states);
  eachState(frame, (s, place) => {
    const add = (rate: number, target: number): void => {
      if (rate !== 0) visit(s, rate, target);
    };
    losses[s] = addArrivals(frame, place, add);
    if (place.q > 0) addService(frame, place, add);
  });
  return losses;
}

interface Place {
  readonly q: number;
  readonly x: number;
  readonly m: number;
}

type Add = (rate: number, target: number) => void;

/** Changes of the crawlers' phases, and batches; answers the pages lost per unit time. */
function addArrivals({ model, active, kinds, stateOf, decisionOf }: Frame, { q, x, m }: Place, add: Add): number {
  const { capacity: K, service, process } = model;
  const { phases: W, matrices } = process;
  let lost = 0;
  for (let w = 0; w < W; w++) {
    const crawlers = active.counts[x * W + w];
    if (crawlers === 0) continue;
    const others = active.minus[x * W + w];
    for (let v = 0; v < W; v++) {
      if (v !== w) add(crawlers * matrices[0][w * W + v], stateOf(q, active.plus[others * W + v], m));
      const kind = kinds === 1 ? 0 : v + 1;
      const bring = (pages: number, rate: number): void => {
        if (q > 0) add(rate, -1 - decisionOf(pages, others, m, kind));
        else
          for (const [n, share] of service.initial.entries())
            add(rate * share, -1 - decisionOf(pages, others, n, kind));
      };
      let filling = 0;
      for (let k = 1; k < matrices.length; k++) {
        const rate = crawlers * matrices[k][w * W + v];
        if (q + k < K) bring(q + k, rate);
        else filling += rate;
        lost += rate * Math.max(0, q + k - K);
      }
      bring(K, filling);
    }
  }
  return lost;
}

/** Changes of the phase of indexing, and the ends of it. */
function addService({ model, stateOf, decisionOf }: Frame, { q, x, m }: Place, add: Add): void {
  const { phases: M, generator, exit, initial } = model.service;
  for (let n = 0; n < M; n++) if (n !== m) add(generator[m * M + n], stateOf(q, x, n));
  if (q === 1) add(exit[m], -1 - decisionOf(0, x, 0, 0));
  else for (let n = 0; n < M; n++) add(exit[m] * initial[n], -1 - decisionOf(q - 1, x, n, 0));
}

/** The numbering with the shorter transitions. */
function shorter({ capacity, service, process }: PhasedModel, active: Configurations): Strides {
  const vectors = active.totals.length;
  const M = service.phases;
  const alongQueue = { queue: vectors * M, crawlers: M };
  const alongCrawlers = { queue: M, crawlers: (capacity + 1) * M };
  const longest = Math.min(capacity, process.matrices.length - 1);
  const [one, other] = [alongQueue, alongCrawlers].map((strides) => ({
    ...strides,
    bandwidth: longestTransition(strides, active, longest) + M - 1,
  }));
  return one.bandwidth <= other.bandwidth ? one : other;
}

/** The longest distance of a transition in a numbering, changes of the phase of indexing left out. */
function longestTransition(
  { queue, crawlers }: Omit<Strides, 'bandwidth'>,
  { phases: W, totals, plus, minus }: Configurations,
  largestBatch: number,
): number {
  let longest = queue;
  const reach = (moved: number, up: number): void => {
    longest = Math.max(longest, Math.abs(moved * crawlers + up * queue));
  };
  for (let x = 0; x < totals.length; x++) {
    for (let w = 0; w < W; w++) {
      if (plus[x * W + w] >= 0) reach(plus[x * W + w] - x, -1);
      const others = minus[x * W + w];
      if (others < 0) continue;
      for (const up of [0, 1, largestBatch]) {
        reach(others - x, up);
        for (let v = 0; v < W; v++) reach(plus[others * W + v] - x, up);
      }
    }
  }
  return longest;
}

/** Numbers of the band that a chain for up to `most` crawlers takes, at most, without making it. */
export function estimateBand({ capacity, crawlers, service, process }: PhasedModel): number {
  const vectors = configurationCount(crawlers, process.phases);
  const states = (capacity + 1) * vectors * service.phases;
  const largest = Math.min(capacity, process.matrices.length - 1);
  const alongQueue = (largest + 1) * vectors * service.phases;
  // Two sums that follow each other: their vectors lie at most so far apart.
  const between = process.phases === 1 ? 1 : 2 * configurationCount(crawlers, process.phases - 1);
  const alongCrawlers = between * (capacity + 1) * service.phases;
  return states * (2 * Math.min(alongQueue, alongCrawlers) + 1);
}
