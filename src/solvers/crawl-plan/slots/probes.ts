/**
 * Probes: fetches whose information about a change rate is worth more than their extra cost.
 *
 * With r the price of a fetch over the page's weight, the least cost a unit of time under a belief b about the rate is
 *   L(b) = min over a of (C_b(a) + r)/a = c_b(a*), V_b(a*) = r (pages/objectives/staleness-cost.ts),
 * C_b and c_b the objective's cost averaged over b. A fetch at age a leads to a belief b⁺ (changed) or b⁻ (unchanged),
 * where time without a check leads to b⁰. With m(a) the probability of a change under b⁰, the information of the fetch
 * saves K(a) = L(b⁰) − m·L(b⁺) − (1 − m)·L(b⁻) a unit of time, at least 0 because L is concave, for a time H, after
 * which usual fetches would have given the same information. A fetch at a < a* costs r + C_b(a) − L(b)·a more than
 * waiting for a*, and its information saves H·(K(a) − K(a*)) more than that of the usual fetch: the knowledge gradient
 * of one fetch. A page with an age at which this pays is probed at the best such age, by raising its worth to the price
 * at that age: for the next fetch among the ages not yet reached, for the fetch after it among all ages. A page found
 * changed at every check is probed soon after a fetch, because only short gaps tell a fast rate from a faster one.
 * Complexity: eight rates for a page whose rate is known well enough, else some twelve ages; each age that might pay
 * takes three beliefs and their best ages.
 * Source: Frazier, Powell & Dayanik 2008 (knowledge gradient). Limits: a lookahead of one fetch undervalues probes that
 * pay off in pairs.
 */

import { type Budget, stopCheck } from '../../budget.ts';
import { day } from '../../day.ts';
import {
  type ExpectedCost,
  expectedCost,
  gammaNodes,
  ifChanged,
  ifUnchanged,
  ifUnchecked,
  meanRate,
  meanSquareRate,
  type RateBeliefs,
  RevisedBelief,
  writeGammaRule,
} from '../../pages/evidence/index.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { isNever } from '../../pages/never.ts';
import { freshness, type ObjectiveName, type StalenessCost, stalenessCost } from '../../pages/objectives/index.ts';
import type { PricedPlan } from '../price.ts';

/** Number of ages tried, evenly in ln age, between the youngest and the one at which a page is fetched anyway. */
const agesTried = 12;
/** H: time for which the information of a probe counts, in seconds; tuned on simulated pages. */
const learningTime = 120 * day;
/**
 * Smallest gain worth a probe, as a fraction of the fetch price: the gain is predicted by a belief that may be wrong.
 * Without this floor probes raise the cost of the interval by up to 5% (families seed 83).
 */
const minGainShare = 0.3;
/**
 * Cap on the information of a check, in multiples of the share of the rate's variance that it explains; reached by a
 * page that is about to be given up, or fetched again. Without the cap all ages are tried: a plan of 100,000 pages with
 * 30 checks each takes half as long again.
 */
const maxGainPerVariance = 16;
/** Step of ln shape at which Gauss's rules are computed and shared: computing a rule takes longer than using it. */
const shapeStep = 0.02;

interface ProbeTerms {
  readonly beliefs: RateBeliefs;
  /** 1 for a page of known rate, which is never probed. */
  readonly isKnown: Uint8Array;
  readonly weight: Float64Array;
  readonly objective: ObjectiveName;
  /** By page: the price of a fetch, and the age of the copy at the start, in seconds. */
  readonly price: Float64Array;
  readonly age: Float64Array;
  /** a*: by page, the age at which it is fetched anyway; Infinity for never, NaN for a page of known rate. */
  readonly usualAge: Float64Array;
  /** By page: shortest and longest time between two fetches, in seconds. */
  readonly shortest: Float64Array;
  readonly longest: Float64Array;
  /** Mean time between two slots, in seconds: no probe follows a fetch sooner. */
  readonly slotGap: number;
}

/**
 * By page: factors on its worth before the next fetch, and between the next fetch and the one after; 1 for no probe.
 */
interface WorthBoosts {
  readonly next: Float64Array;
  readonly afterNext: Float64Array;
}

export interface Probes {
  /** Positions of the pages that are probed. */
  readonly pages: Uint32Array;
  /** A copy of a model in which fetches of the probed pages are worth more. */
  readonly raise: (model: PageModel) => PageModel;
}

/**
 * The pages to probe, and their worths; null if all rates are known. Pages not examined when the budget ends get none.
 */
export function findProbes(
  { problem, slots, age, rates, pages, steady, longest }: PricedPlan,
  budget: Budget,
): Probes | null {
  const { minInterval: shortest, weight, interval, objective = 'freshness' } = problem;
  const { beliefs, isKnown } = rates;
  if (beliefs === null) return null;
  const price = steady.pagePrice;
  const slotGap = interval / slots.time.length;
  const usualAge = price.map((each, i) => (isKnown[i] === 1 ? Number.NaN : pages.now.intervalAt(i, each)));
  const terms = { beliefs, isKnown, weight, objective, price, age, usualAge, shortest, longest, slotGap };
  const { next, afterNext } = worthBoosts(terms, budget);
  const probedPages = new Uint32Array(next.length).map((_, i) => i).filter((i) => next[i] > 1 || afterNext[i] > 1);
  return {
    pages: probedPages,
    raise: (model) => (probedPages.length === 0 ? model : raiseWorth({ next, afterNext }, model)),
  };
}

function raiseWorth({ next, afterNext }: WorthBoosts, model: PageModel): PageModel {
  const fetches = new Uint8Array(model.pages);
  const boost = (i: number): number => (fetches[i] === 0 ? next[i] : fetches[i] === 1 ? afterNext[i] : 1);
  return {
    ...model,
    worth: (i, age) => boost(i) * model.worth(i, age),
    ceiling: (i, age) => boost(i) * model.ceiling(i, age),
    ageAt: (i, price) => model.ageAt(i, price / boost(i)),
    recordFetch(i, time) {
      if (fetches[i] < 2) fetches[i]++;
      model.recordFetch(i, time);
    },
  };
}

function worthBoosts(terms: ProbeTerms, budget: Budget): WorthBoosts {
  const { beliefs, isKnown, weight, objective, price, age, usualAge, shortest, longest, slotGap } = terms;
  const next = new Float64Array(weight.length).fill(1);
  const afterNext = new Float64Array(weight.length).fill(1);
  const information = new Information(beliefs, stalenessCost(objective));
  const isStopped = stopCheck(budget);
  for (let i = 0; i < weight.length && !isStopped(); i++) {
    if (isKnown[i] === 1 || !(weight[i] > 0) || !(price[i] > 0)) continue;
    if (!information.load(i, price[i] / weight[i], usualAge[i])) continue;
    const boosts = information.boosts(age[i], Math.max(shortest[i], slotGap), Math.min(usualAge[i], longest[i]));
    next[i] = boosts.next;
    afterNext[i] = boosts.afterNext;
  }
  return { next, afterNext };
}

/** The value of the information in checks, one page loaded at a time. */
class Information {
  readonly #beliefs: RateBeliefs;
  readonly #objective: StalenessCost;
  readonly #currentCost: ExpectedCost;
  readonly #revisedBelief: RevisedBelief;
  readonly #revisedCost: ExpectedCost;
  readonly #staleChance: ExpectedCost;
  /** Gauss's rules for Gamma laws of scale 1, by ln shape in steps of `shapeStep`. */
  readonly #rules = new Map<number, { readonly nodes: Float32Array; readonly weights: Float32Array }>();
  #page = 0;
  /** r: price over weight. */
  #r = 0;
  /** L of the present belief, and its decrease if the rate were known. */
  #minCost = 0;
  #knowledgeGain = 0;
  /** The Gamma law with the mean and variance of the belief. */
  #gamma = { shape: 1, scale: 1 };
  #usualAge = 0;

  constructor(beliefs: RateBeliefs, objective: StalenessCost) {
    this.#beliefs = beliefs;
    this.#objective = objective;
    this.#currentCost = expectedCost(objective, beliefs);
    this.#revisedBelief = new RevisedBelief(beliefs);
    this.#revisedCost = expectedCost(objective, this.#revisedBelief.beliefs);
    this.#staleChance =
      objective === freshness ? this.#revisedCost : expectedCost(freshness, this.#revisedBelief.beliefs);
  }

  /** Loads page i at price/weight r; false if even full knowledge of its rate would not be worth a probe. */
  load(i: number, r: number, usualAge: number): boolean {
    this.#page = i;
    this.#r = r;
    this.#usualAge = usualAge;
    this.#minCost = minCostAt(this.#currentCost, i, usualAge);
    this.#knowledgeGain = this.#minCost - this.#knownRateCost();
    return learningTime * this.#knowledgeGain > minGainShare * r;
  }

  /**
   * The factors on the page's worth at which it is fetched at the best age in youngest..oldest; 1 for no probe. `next`
   * is for the next fetch, at `currentAge` or older, `afterNext` for the fetch after it.
   */
  boosts(currentAge: number, youngest: number, oldest: number): { readonly next: number; readonly afterNext: number } {
    const boosts = { next: 1, afterNext: 1 };
    if (!(youngest < oldest)) return boosts;
    const i = this.#page;
    // a probe later than the time for which its information counts is too late
    const oldestTried = Math.min(oldest, Math.max(youngest, learningTime));
    const minGain = minGainShare * this.#r;
    // the usual fetch gives its information without a probe, and full knowledge of the rate bounds that of any probe
    let usualGain = Number.NaN;
    let [best, bestNext] = [minGain, minGain];
    for (let k = 0; k < agesTried; k++) {
      const age = youngest * (oldestTried / youngest) ** (k / agesTried);
      const gainToBeat = age < currentAge ? best : bestNext;
      const maxGain = learningTime * this.#maxInformationGain(age);
      if (maxGain <= gainToBeat + Math.max(0, this.#r - this.#minCost * age)) continue;
      const extraCost = this.#r + this.#currentCost.integral(i, age) - this.#minCost * age;
      if (maxGain <= gainToBeat + extraCost) continue;
      if (Number.isNaN(usualGain)) usualGain = this.#informationGain(oldestTried);
      if (learningTime * (this.#knowledgeGain - usualGain) <= minGain) break;
      const gain = learningTime * (this.#informationGain(age) - usualGain) - extraCost;
      if (gain > best) {
        best = gain + minGain;
        boosts.afterNext = Math.max(1, this.#r / this.#currentCost.worth(i, age));
      }
      if (age < currentAge || gain <= bestNext) continue;
      bestNext = gain + minGain;
      boosts.next = Math.max(1, this.#r / this.#currentCost.worth(i, age));
    }
    return boosts;
  }

  /**
   * Rough upper limit of K at an age: the gain of knowing the rate, times a multiple of the share of the rate's
   * variance that the check explains under the Gamma law with the mean and variance of the belief.
   */
  #maxInformationGain(age: number): number {
    const { shape, scale } = this.#gamma;
    const current = scale / (scale + age);
    const changeProbability = -Math.expm1(shape * Math.log(current));
    // difference of the posterior means of the rate for the two outcomes
    const difference = (shape / scale) * ((1 - current * (1 - changeProbability)) / changeProbability - current);
    const explainedShare =
      (changeProbability * (1 - changeProbability) * difference * difference * scale * scale) / shape;
    return this.#knowledgeGain * Math.min(1, maxGainPerVariance * explainedShare);
  }

  /** K(a). */
  #informationGain(age: number): number {
    this.#revisedBelief.check(this.#page, age);
    const changeProbability = this.#staleChance.cost(ifUnchecked, age);
    const minCostOf = (outcome: number): number =>
      minCostAt(this.#revisedCost, outcome, this.#revisedCost.intervalAt(outcome, this.#r, this.#usualAge));
    return (
      minCostOf(ifUnchecked) -
      changeProbability * minCostOf(ifChanged) -
      (1 - changeProbability) * minCostOf(ifUnchanged)
    );
  }

  /** The expected L if the rate were known, over the Gamma law with the mean and variance of the belief. */
  #knownRateCost(): number {
    const mean = meanRate(this.#beliefs, this.#page);
    const square = meanSquareRate(this.#beliefs, this.#page);
    const own = 1 / Math.max(1e-6, square / mean / mean - 1);
    this.#gamma = { shape: own, scale: own / mean };
    const { nodes, weights } = this.#ruleOf(own);
    let cost = 0;
    for (const [k, node] of nodes.entries()) {
      const rate = (node * mean) / own;
      const interval = this.#objective.intervalAt(rate, 1, this.#r);
      cost += weights[k] * (isNever(interval) ? 1 : this.#objective.cost(rate, interval));
    }
    return cost;
  }

  /** The rule of the nearest step of ln shape: an error of 1% in the shape changes no decision. */
  #ruleOf(shape: number) {
    const key = Math.round(Math.log(shape) / shapeStep);
    const storedRule = this.#rules.get(key);
    if (storedRule !== undefined) return storedRule;
    const rule = { nodes: new Float32Array(gammaNodes), weights: new Float32Array(gammaNodes) };
    writeGammaRule({ shape: Math.exp(key * shapeStep), scale: 1, share: 1 }, rule.nodes, rule.weights, 0);
    this.#rules.set(key, rule);
    return rule;
  }
}

/** L of a belief whose fetch is due at an age; 1 if no fetch is worth its price, because the copy then stays stale. */
function minCostAt(cost: ExpectedCost, i: number, age: number): number {
  return isNever(age) ? 1 : cost.cost(i, age);
}
