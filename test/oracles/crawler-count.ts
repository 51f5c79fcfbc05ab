/**
 * What a count costs, computed without the solver's evaluators: the queue as a plain Markov chain, solved densely. O((K·p)³) for a law of p phases, O(K³) for a law of known values, O(K) for exponential times.
 * Every other law takes O(K³) once P(A > j), A the arrivals during a service, is integrated (naive-arrivals.ts).
 */

import type { CrawlerCountProblem } from '../../src/solvers/crawler-count/problem.ts';
import { createLaw, exponentialRate, formOf, type PhaseTypeForm } from '../../src/solvers/laws/index.ts';
import { BandedChain } from './banded-chain.ts';
import { arrivalTails } from './naive-arrivals.ts';

const maxStates = 300;
const maxLevels = 1_000_000;
const maxValues = 100;

export interface NaiveMeasures {
  readonly cost: number;
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly lossProbability: number;
  readonly meanQueueLength: number;
}

/** C(N) and its measures, or null where the chain would be too large. */
export function naiveMeasures(problem: CrawlerCountProblem, crawlers: number): NaiveMeasures | null {
  const rate = crawlers * problem.crawlerRate;
  const shares = extremeShares(problem, rate);
  if (shares === null) return null;
  const { empty, full, length } = shares;
  const { costs } = problem;
  return {
    cost: costs.starvation * empty + costs.loss * rate * full + costs.crawler * crawlers,
    starvationProbability: empty,
    lossRate: rate * full,
    lossProbability: full,
    meanQueueLength: length,
  };
}

interface ExtremeShares {
  /** P(empty) and P(full). */
  readonly empty: number;
  readonly full: number;
  /** Mean number in system. */
  readonly length: number;
}

function extremeShares({ service, capacity }: CrawlerCountProblem, rate: number): ExtremeShares | null {
  const plain = exponentialRate(service);
  if (plain !== null) return capacity <= maxLevels ? birthAndDeath(rate / plain, capacity) : null;
  const form = formOf(service);
  if (form.of === 'constants') {
    const few = capacity <= maxStates && form.values.length <= maxValues;
    return few ? byDepartures(form.values, form.weights, capacity, rate) : null;
  }
  const law = createLaw(service);
  const phases = form.of === 'gamma' && form.shape * capacity > maxStates ? null : law.phaseType();
  if (phases !== null) return phases.initial.length * capacity <= maxStates ? byPhases(phases, capacity, rate) : null;
  return capacity <= maxStates / 2 ? byTails(arrivalTails(service, rate, capacity), rate * law.mean, capacity) : null;
}

/** P(i) in proportion to ρ^i, from the larger end down so that nothing overflows. */
function birthAndDeath(load: number, capacity: number): ExtremeShares {
  const ratio = load <= 1 ? load : 1 / load;
  let [total, first] = [0, 0];
  for (let i = 0, weight = 1; i <= capacity && weight > 0; i++, weight *= ratio) {
    total += weight;
    first += i * weight;
  }
  const length = load <= 1 ? first / total : capacity - first / total;
  const likely = 1 / total;
  const rare = ratio ** capacity / total;
  return load <= 1 ? { empty: likely, full: rare, length } : { empty: rare, full: likely, length };
}

/** State 0 is empty, state 1 + (i − 1)·p + m has i pages and the one in service in phase m. */
function byPhases({ initial, generator }: PhaseTypeForm, capacity: number, rate: number): ExtremeShares {
  const p = initial.length;
  const chain = denseChain(1 + capacity * p);
  const at = (pages: number, phase: number): number => 1 + (pages - 1) * p + phase;
  for (let m = 0; m < p; m++) chain.move(0, at(1, m), rate * initial[m]);
  for (let pages = 1; pages <= capacity; pages++) {
    for (let m = 0; m < p; m++) {
      if (pages < capacity) chain.move(at(pages, m), at(pages + 1, m), rate);
      let end = -generator[m][m];
      for (let next = 0; next < p; next++) {
        if (next === m) continue;
        end -= generator[m][next];
        chain.move(at(pages, m), at(pages, next), generator[m][next]);
      }
      if (end <= 1e-13 * -generator[m][m]) continue;
      if (pages === 1) chain.move(at(1, m), 0, end);
      else for (let next = 0; next < p; next++) chain.move(at(pages, m), at(pages - 1, next), end * initial[next]);
    }
  }
  const shares = chain.eliminate(1).stationary();
  let full = 0;
  for (let m = 0; m < p; m++) full += shares[at(capacity, m)];
  const length = shares.reduce((sum, share, state) => sum + share * Math.ceil(state / p), 0);
  return { empty: shares[0], full, length };
}

/** The chain of the numbers left behind by departures, from P(A > j), j = 0..K − 1. */
function byTails(tails: Float64Array, load: number, capacity: number): ExtremeShares {
  const chain = denseChain(capacity);
  for (let left = 0; left < capacity; left++) {
    const begun = Math.max(left, 1);
    const room = capacity - begun;
    for (let j = 0; j < room; j++) chain.move(left, begun - 1 + j, (j === 0 ? 1 : tails[j - 1]) - tails[j]);
    chain.move(left, capacity - 1, room === 0 ? 1 : tails[room - 1]);
  }
  return ofDepartures(chain.eliminate(1).stationary(), load, capacity);
}

/** Shares of time from the shares of departures that leave so many behind. */
function ofDepartures(left: Float64Array, load: number, capacity: number): ExtremeShares {
  const cycles = left[0] + load;
  const full = Math.max(0, 1 - 1 / cycles);
  const length = left.reduce((sum, share, pages) => sum + (share * pages) / cycles, capacity * full);
  return { empty: (cycles - load) / cycles, full, length };
}

/** The chain of the numbers left behind by departures, service taking `values[k]` in proportion to `weights[k]`. */
function byDepartures(values: Float64Array, weights: Float64Array, capacity: number, rate: number): ExtremeShares {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = values.reduce((sum, value, k) => sum + (value * weights[k]) / total, 0);
  const chain = denseChain(capacity);
  for (let left = 0; left < capacity; left++) {
    // Service starts with max(left, 1) pages in the system, and there is room for the rest.
    const room = capacity - Math.max(left, 1);
    for (const [k, value] of values.entries()) {
      const share = weights[k] / total;
      const arrivals = rate * value;
      let some = 0;
      let log = -arrivals;
      for (let j = 0; j < room; j++) {
        const probability = Math.exp(log);
        some += probability;
        chain.move(left, Math.max(left, 1) - 1 + j, share * probability);
        log += Math.log(arrivals / (j + 1));
      }
      chain.move(left, capacity - 1, share * Math.max(0, 1 - some));
    }
  }
  return ofDepartures(chain.eliminate(1).stationary(), rate * mean, capacity);
}

const denseChain = (states: number): BandedChain => new BandedChain(states, states - 1, states - 1);
