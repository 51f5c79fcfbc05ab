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
import type { Budget } from '../../budget.ts';
import { day } from '../../day.ts';
import {
  type ExpectedCost,
  expectedCost,
  gammaNodes,
  ifChanged,
  ifUnchanged,
  ifUnseen,
  meanRate,
  meanSquareRate,
  type RateBeliefs,
  RevisedBelief,
  writeGammaRule,
} from '../../pages/evidence/index.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { freshness, type ObjectiveName, type StalenessCost, stalenessCost } from '../../pages/objectives/index.ts';
import type { PricedPlan } from '../price.ts';

/** Ages tried between the youngest and the one at which a page is fetched anyway. */
const agesTried = 12;
/** Ages tried reach no further than this many mean times to a change, or this many of the youngest. */
const longestAge = 50;
/** H, seconds. Set on simulated pages. */
const learningTime = 120 * day;
/** Smallest gain worth a probe, as a fraction of the fetch price: what one teaches is foretold by a belief that may be wrong. */
const leastGain = 0.3;
/** A check teaches up to this many times its share of the variance where a page is about to be given up, or taken up. */
const largestLesson = 16;
/** Relative, of the age of a fetch: its cost is the same there to many digits. */
const ageTolerance = 1e-4;
/** Pages between two looks at the budget. */
const pagesPerPoll = 64;

interface ProbeTerms {
  readonly beliefs: RateBeliefs;
  /** 1 where the rate is known: there is nothing to learn. */
  readonly known: Uint8Array;
  readonly weight: Float64Array;
  readonly objective: ObjectiveName;
  /** By page: the price of a fetch, and the copy's age; */
  readonly price: Float64Array;
  readonly age: Float64Array;
  /** a*: the age at which it is fetched anyway, Infinity for never. */
  readonly usual: Float64Array;
  /** the least and the longest time between two fetches. */
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Time between two slots: no probe comes sooner. */
  readonly slotGap: number;
}

/** By page: by how much worth is raised up to the next fetch, and from there to the one after; 1 for not at all. */
interface Raised {
  readonly next: Float64Array;
  readonly after: Float64Array;
}

export interface Probes {
  /** Positions of the pages that are probed. */
  readonly pages: Uint32Array;
  /** A model with the worth of these raised. */
  readonly raising: (model: PageModel) => PageModel;
}

/**
 * Which pages to probe, and at which worth; null where all rates are known. Pages not looked at when the budget ended are
 * not probed.
 */
export function findProbes(
  { problem, slots, age, rates, pages, steady, longest }: PricedPlan,
  budget: Budget,
): Probes | null {
  const { minInterval: least, weight, interval, objective = 'freshness' } = problem;
  const { beliefs, known } = rates;
  if (beliefs === null) return null;
  const price = steady.pagePrice;
  const slotGap = interval / slots.time.length;
  const usual = price.map((each, i) => (known[i] === 1 ? Number.NaN : pages.now.intervalAt(i, each)));
  const terms = { beliefs, known, weight, objective, price, age, usual, least, longest, slotGap };
  const { next, after } = raisedWorths(terms, budget);
  const probed = new Uint32Array(next.length).map((_, i) => i).filter((i) => next[i] > 1 || after[i] > 1);
  return { pages: probed, raising: (model) => (probed.length === 0 ? model : raisedBy({ next, after }, model)) };
}

function raisedBy({ next, after }: Raised, model: PageModel): PageModel {
  const fetches = new Uint8Array(model.pages);
  const raised = (i: number): number => (fetches[i] === 0 ? next[i] : fetches[i] === 1 ? after[i] : 1);
  return {
    ...model,
    worth: (i, age) => raised(i) * model.worth(i, age),
    ceiling: (i, age) => raised(i) * model.ceiling(i, age),
    ageAt: (i, price) => model.ageAt(i, price / raised(i)),
    recordFetch(i, time) {
      if (fetches[i] < 2) fetches[i]++;
      model.recordFetch(i, time);
    },
  };
}

function raisedWorths(terms: ProbeTerms, budget: Budget): Raised {
  const { beliefs, known, weight, objective, price, age, usual, least, longest, slotGap } = terms;
  const next = new Float64Array(weight.length).fill(1);
  const after = new Float64Array(weight.length).fill(1);
  const lesson = new Lesson(beliefs, stalenessCost(objective));
  for (let i = 0; i < weight.length; i++) {
    if (i % pagesPerPoll === 0 && budget.stopRequested()) break;
    if (known[i] === 1 || !(weight[i] > 0) || !(price[i] > 0)) continue;
    if (!lesson.load(i, price[i] / weight[i], usual[i])) continue;
    const boosts = lesson.boosts(age[i], Math.max(least[i], slotGap), Math.min(usual[i], longest[i]));
    next[i] = boosts.next;
    after[i] = boosts.after;
  }
  return { next, after };
}

/** What checks of one page teach. */
class Lesson {
  readonly #beliefs: RateBeliefs;
  readonly #objective: StalenessCost;
  readonly #now: ExpectedCost;
  readonly #revised: RevisedBelief;
  readonly #after: ExpectedCost;
  readonly #stale: ExpectedCost;
  /** Gauss's rules for Gamma laws of scale 1, by ln shape in fiftieths. */
  readonly #rules = new Map<number, { readonly nodes: Float32Array; readonly weights: Float32Array }>();
  #page = 0;
  #r = 0;
  #least = 0;
  #informedGain = 0;
  /** The Gamma law with the belief's mean and variance. */
  #alike = { shape: 1, scale: 1 };
  #usual = 0;

  constructor(beliefs: RateBeliefs, objective: StalenessCost) {
    this.#beliefs = beliefs;
    this.#objective = objective;
    this.#now = expectedCost(objective, beliefs);
    this.#revised = new RevisedBelief(beliefs);
    this.#after = expectedCost(objective, this.#revised.beliefs);
    this.#stale = objective === freshness ? this.#after : expectedCost(freshness, this.#revised.beliefs);
  }

  /** Prepares page i at the price r over its weight; false where even the true rate, if known, would not pay for a probe. */
  load(i: number, r: number, usual: number): boolean {
    this.#page = i;
    this.#r = r;
    this.#usual = usual;
    this.#least = leastCost(this.#now, i, usual);
    this.#informedGain = this.#least - this.#informed();
    return learningTime * this.#informedGain > leastGain * r;
  }

  /**
   * By how much to raise the page's worth so that it is fetched at the best age between the youngest and the oldest.
   * The first is for the next time, from its age of today on, the second for the time after; 1 where that is the last.
   */
  boosts(today: number, youngest: number, oldest: number): { readonly next: number; readonly after: number } {
    const boosts = { next: 1, after: 1 };
    if (!(youngest < oldest)) return boosts;
    const i = this.#page;
    const bounded = Math.min(oldest, longestAge * Math.max(youngest, 1 / meanRate(this.#beliefs, i)));
    const enough = leastGain * this.#r;
    // what the usual fetch teaches needs no probe, and no probe teaches more than the rate
    let anyway = Number.NaN;
    let [best, bestNext] = [enough, enough];
    for (let k = 0; k < agesTried; k++) {
      const age = youngest * (bounded / youngest) ** (k / agesTried);
      const wanted = age < today ? best : bestNext;
      const most = learningTime * this.#mostLesson(age);
      if (most <= wanted + Math.max(0, this.#r - this.#least * age)) continue;
      const lost = this.#r + this.#now.integral(i, age) - this.#least * age;
      if (most <= wanted + lost) continue;
      if (Number.isNaN(anyway)) anyway = this.#lesson(bounded);
      if (learningTime * (this.#informedGain - anyway) <= enough) break;
      const gain = learningTime * (this.#lesson(age) - anyway) - lost;
      if (gain > best) {
        best = gain + enough;
        boosts.after = Math.max(1, this.#r / this.#now.worth(i, age));
      }
      if (age < today || gain <= bestNext) continue;
      bestNext = gain + enough;
      boosts.next = Math.max(1, this.#r / this.#now.worth(i, age));
    }
    return boosts;
  }

  /**
   * About the most that a check at an age may teach. Of what the rate itself would teach, it is some times the share of
   * the rate's variance that the check explains. That is for the Gamma law with the belief's mean and variance.
   */
  #mostLesson(age: number): number {
    const { shape, scale } = this.#alike;
    const current = scale / (scale + age);
    const found = -Math.expm1(shape * Math.log(current));
    // the means after either outcome, by the variance between them
    const apart = (shape / scale) * ((1 - current * (1 - found)) / found - current);
    const explained = (found * (1 - found) * apart * apart * scale * scale) / shape;
    return this.#informedGain * Math.min(1, largestLesson * explained);
  }

  /** K(a). */
  #lesson(age: number): number {
    this.#revised.check(this.#page, age);
    const found = this.#stale.cost(ifUnseen, age);
    const least = (outcome: number): number =>
      leastCost(this.#after, outcome, this.#after.intervalAt(outcome, this.#r, ageTolerance, this.#usual));
    return least(ifUnseen) - found * least(ifChanged) - (1 - found) * least(ifUnchanged);
  }

  /** About the mean of L where the rate is told: over the Gamma law with the mean and variance of the belief. */
  #informed(): number {
    const mean = meanRate(this.#beliefs, this.#page);
    const square = meanSquareRate(this.#beliefs, this.#page);
    const own = 1 / Math.max(1e-6, square / mean / mean - 1);
    this.#alike = { shape: own, scale: own / mean };
    const { nodes, weights } = this.#ruleOf(own);
    let informed = 0;
    for (const [k, node] of nodes.entries()) {
      const rate = (node * mean) / own;
      const interval = this.#objective.intervalAt(rate, 1, this.#r);
      informed += weights[k] * (interval < Number.POSITIVE_INFINITY ? this.#objective.cost(rate, interval) : 1);
    }
    return informed;
  }

  /** A rule takes longer to make than to use; a shape a hundredth off shows in no decision. */
  #ruleOf(shape: number) {
    const key = Math.round(50 * Math.log(shape));
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const rule = { nodes: new Float32Array(gammaNodes), weights: new Float32Array(gammaNodes) };
    writeGammaRule({ shape: Math.exp(key / 50), scale: 1, share: 1 }, rule.nodes, rule.weights, 0);
    this.#rules.set(key, rule);
    return rule;
  }
}

/** L of a belief whose fetch is due at an age: no fetch is worth its price, and the copy stale for good, at Infinity. */
function leastCost(cost: ExpectedCost, i: number, age: number): number {
  return age < Number.POSITIVE_INFINITY ? cost.cost(i, age) : 1;
}
