/**
 * Fetches that are worth making for what they teach.
 *
 * With r the price of a fetch over the page's weight, a belief b about a page's rate costs at best
 *   L(b) = min over a of (C_b(a) + r)/a = c_b(a*) a unit of time, V_b(a*) = r (pages/objectives/staleness-cost.ts),
 * C_b and c_b the objective's cost averaged over b. A fetch at age a leaves the belief b⁺ or b⁻ where time alone would
 * leave b⁰. By b⁰ it finds a change with probability m(a). So it teaches K(a) = L(b⁰) − m·L(b⁺) − (1 − m)·L(b⁻) a unit
 * of time, never below 0 as L is concave. It does for a time H, after which usual fetches would have shown as much. A
 * fetch at a < a* costs r + C_b(a) − L(b)·a more than waiting. It is worth H·(K(a) − K(a*)) more than the usual one
 * teaches: the knowledge gradient of one fetch. A page with an age at which that pays is probed at the best such age.
 * Its worth is raised to the price at that age. For its next fetch that is among the ages still to come, and for the
 * one after among all. A page found changed at every check is probed soon after a fetch: nothing else tells fast from
 * faster. Complexity: eight rates a page that nothing can be learnt of, else some twelve ages. Each of those that might
 * pay takes three beliefs and their best ages.
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

/** Ages tried, evenly in their logarithm, between the youngest and the one at which a page is fetched anyway. */
const agesTried = 12;
/** H, in seconds; tuned on simulated pages. */
const learningTime = 120 * day;
/**
 * Smallest gain worth a probe, as a fraction of the fetch price: what one teaches is foretold by a belief that may be
 * wrong. Without it probes cost the interval up to 5% (families seed 83).
 */
const minGainShare = 0.3;
/**
 * A check teaches up to this many times its share of the variance where a page is about to be given up, or taken up.
 * Without this bound all ages are tried: the plan of 100,000 pages of 30 checks takes half as long again.
 */
const largestLesson = 16;
/** Gauss's rules are made once for shapes this close, in ln shape: making one takes longer than using it. */
const shapeStep = 0.02;

interface ProbeTerms {
  readonly beliefs: RateBeliefs;
  /** 1 where the rate is known: there is nothing to learn. */
  readonly isKnown: Uint8Array;
  readonly weight: Float64Array;
  readonly objective: ObjectiveName;
  /** By page: the price of a fetch, and the age of the copy. */
  readonly price: Float64Array;
  readonly age: Float64Array;
  /** a*: the age at which it is fetched anyway, Infinity for never. */
  readonly usualAge: Float64Array;
  /** Shortest and longest time between two fetches. */
  readonly shortest: Float64Array;
  readonly longest: Float64Array;
  /** Time between two slots: no probe comes sooner. */
  readonly slotGap: number;
}

/** By page: the factor on its worth until the next fetch, and from then until the one after; 1 for none. */
interface WorthBoosts {
  readonly next: Float64Array;
  readonly afterNext: Float64Array;
}

export interface Probes {
  /** Positions of the pages that are probed. */
  readonly pages: Uint32Array;
  /** A model in which these pages are worth more. */
  readonly raise: (model: PageModel) => PageModel;
}

/**
 * Which pages to probe, and at which worth; null where all rates are known. Pages not looked at when the budget ended are
 * not probed.
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
  const lesson = new Lesson(beliefs, stalenessCost(objective));
  const isStopped = stopCheck(budget);
  for (let i = 0; i < weight.length && !isStopped(); i++) {
    if (isKnown[i] === 1 || !(weight[i] > 0) || !(price[i] > 0)) continue;
    if (!lesson.load(i, price[i] / weight[i], usualAge[i])) continue;
    const boosts = lesson.boosts(age[i], Math.max(shortest[i], slotGap), Math.min(usualAge[i], longest[i]));
    next[i] = boosts.next;
    afterNext[i] = boosts.afterNext;
  }
  return { next, afterNext };
}

/** The value of the information in checks of one page. */
class Lesson {
  readonly #beliefs: RateBeliefs;
  readonly #objective: StalenessCost;
  readonly #currentCost: ExpectedCost;
  readonly #revisedBelief: RevisedBelief;
  readonly #revisedCost: ExpectedCost;
  readonly #staleChance: ExpectedCost;
  /** Gauss's rules for Gamma laws of scale 1, by ln shape in steps. */
  readonly #rules = new Map<number, { readonly nodes: Float32Array; readonly weights: Float32Array }>();
  #page = 0;
  #r = 0;
  #minCost = 0;
  #knowledgeGain = 0;
  /** The Gamma law with the belief's mean and variance. */
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

  /** Loads page i at price/weight r; false where even knowing its rate would not be worth a probe. */
  load(i: number, r: number, usualAge: number): boolean {
    this.#page = i;
    this.#r = r;
    this.#usualAge = usualAge;
    this.#minCost = leastCost(this.#currentCost, i, usualAge);
    this.#knowledgeGain = this.#minCost - this.#knownRateCost();
    return learningTime * this.#knowledgeGain > minGainShare * r;
  }

  /**
   * By how much to raise the page's worth so that it is fetched at the best age between the youngest and the oldest.
   * The first is for the next time, from its age of today on, the second for the time after; 1 where that is the last.
   */
  boosts(today: number, youngest: number, oldest: number): { readonly next: number; readonly afterNext: number } {
    const boosts = { next: 1, afterNext: 1 };
    if (!(youngest < oldest)) return boosts;
    const i = this.#page;
    // later than the time for which it teaches a probe is too late
    const oldestTried = Math.min(oldest, Math.max(youngest, learningTime));
    const minGain = minGainShare * this.#r;
    // what the usual fetch teaches needs no probe, and no probe teaches more than the rate
    let usualLesson = Number.NaN;
    let [best, bestNext] = [minGain, minGain];
    for (let k = 0; k < agesTried; k++) {
      const age = youngest * (oldestTried / youngest) ** (k / agesTried);
      const gainToBeat = age < today ? best : bestNext;
      const maxGain = learningTime * this.#maxLesson(age);
      if (maxGain <= gainToBeat + Math.max(0, this.#r - this.#minCost * age)) continue;
      const extraCost = this.#r + this.#currentCost.integral(i, age) - this.#minCost * age;
      if (maxGain <= gainToBeat + extraCost) continue;
      if (Number.isNaN(usualLesson)) usualLesson = this.#lesson(oldestTried);
      if (learningTime * (this.#knowledgeGain - usualLesson) <= minGain) break;
      const gain = learningTime * (this.#lesson(age) - usualLesson) - extraCost;
      if (gain > best) {
        best = gain + minGain;
        boosts.afterNext = Math.max(1, this.#r / this.#currentCost.worth(i, age));
      }
      if (age < today || gain <= bestNext) continue;
      bestNext = gain + minGain;
      boosts.next = Math.max(1, this.#r / this.#currentCost.worth(i, age));
    }
    return boosts;
  }

  /**
   * Rough upper limit of what a check at an age may teach: a multiple of the share of the rate's variance that the check
   * explains, of what knowing the rate would teach. For the Gamma law with the mean and variance of the belief.
   */
  #maxLesson(age: number): number {
    const { shape, scale } = this.#gamma;
    const current = scale / (scale + age);
    const changeProbability = -Math.expm1(shape * Math.log(current));
    // the means after either outcome, by the variance between them
    const difference = (shape / scale) * ((1 - current * (1 - changeProbability)) / changeProbability - current);
    const explainedShare =
      (changeProbability * (1 - changeProbability) * difference * difference * scale * scale) / shape;
    return this.#knowledgeGain * Math.min(1, largestLesson * explainedShare);
  }

  /** K(a). */
  #lesson(age: number): number {
    this.#revisedBelief.check(this.#page, age);
    const changeProbability = this.#staleChance.cost(ifUnchecked, age);
    const minCostOf = (outcome: number): number =>
      leastCost(this.#revisedCost, outcome, this.#revisedCost.intervalAt(outcome, this.#r, this.#usualAge));
    return (
      minCostOf(ifUnchecked) -
      changeProbability * minCostOf(ifChanged) -
      (1 - changeProbability) * minCostOf(ifUnchanged)
    );
  }

  /** The mean of L if the rate were known, approximately: over the Gamma law with the mean and variance of the belief. */
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

  /** The rule of the nearest step: a shape a hundredth off shows in no decision. */
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

/** L of a belief whose fetch is due at an age; at Infinity no fetch is worth its price and the copy stays stale. */
function leastCost(cost: ExpectedCost, i: number, age: number): number {
  return isNever(age) ? 1 : cost.cost(i, age);
}
