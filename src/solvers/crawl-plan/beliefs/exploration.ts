/**
 * Fetches that are worth making for what they teach.
 *
 * With r the price of a fetch over the page's weight, a belief b about a page's rate costs at best
 *   L(b) = min over a of (C_b(a) + r)/a = c_b(a*) a unit of time, V_b(a*) = r (objectives/staleness-cost.ts),
 * C_b and c_b the objective's cost averaged over b. A fetch at age a finds a change with probability m(a) and leaves
 * the beliefs b⁺ or b⁻, so it teaches K(a) = L(b) − m·L(b⁺) − (1 − m)·L(b⁻) ≥ 0 a unit of time, for a time H, after
 * which usual fetches would have shown as much. A fetch at a < a* costs r + C_b(a) − L(b)·a more than waiting, and is
 * worth H·(K(a) − K(a*)) more than the usual one teaches: the knowledge gradient of one fetch. A page with an age at
 * which that pays is probed at the best such age: its worth is raised to the price at that age, for its next fetch
 * among the ages still to come, and for the one after among all. A page found changed at every check is probed soon
 * after a fetch: nothing else tells fast from faster; a page hardly checked, sooner than its typical rate would have
 * it.
 * Complexity: O(rates) a page that nothing can be learnt of, else some twelve ages, each two beliefs and two prices.
 * Source: Frazier, Powell & Dayanik 2008 (knowledge gradient). Limits: one fetch is looked ahead; where two say more
 * than twice what one does, it is thought too little of.
 */
import type { Budget } from '../../budget.ts';
import { changed, unchanged } from '../../estimation/changes/check-history.ts';
import type { RateModel } from '../../estimation/changes/drifting-rate.ts';
import type { StalenessCost } from '../../objectives/index.ts';
import type { AgeIndex } from './age-index.ts';
import type { RefreshModel } from './refresh-model.ts';

/** Ages tried between the youngest and the one at which a page is fetched anyway. */
const agesTried = 12;
/** H. Set on simulated pages (bench/replay/tuned-constants.ts). */
const learningTime = 60 * 86_400;
/** Of r: less is no reason for a probe. What one teaches is only foretold, by a belief that may be wrong. */
const leastGain = 0.3;
const pagesPerPoll = 64;

/** What pages are believed to be, after their last checks; lists by page. */
export interface Uncertainty {
  readonly model: RateModel;
  readonly index: AgeIndex;
  readonly beliefs: Float64Array;
  readonly weight: Float64Array;
  readonly cost: StalenessCost;
  /** 1 where the rate is given: there is nothing to learn. */
  readonly known: Uint8Array;
}

export interface ProbeTerms {
  /** By page: the price of a fetch, the copy's age, the least and the longest time between two fetches. */
  readonly price: Float64Array;
  readonly age: Float64Array;
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Time between two slots: no probe comes sooner. */
  readonly slotGap: number;
}

/** By page: by how much worth is raised up to the next fetch, and from there to the one after; 1 for not at all. */
export interface Probes {
  readonly next: Float64Array;
  readonly after: Float64Array;
  /** Positions of the pages that are probed. */
  readonly pages: Uint32Array;
}

/** Which pages to probe, and at which worth; pages not looked at when the budget ended are not probed. */
export function findProbes(uncertainty: Uncertainty, terms: ProbeTerms, budget: Budget): Probes {
  const { weight, known } = uncertainty;
  const next = new Float64Array(weight.length).fill(1);
  const after = new Float64Array(weight.length).fill(1);
  const lesson = new Lesson(uncertainty);
  const pages: number[] = [];
  for (let i = 0; i < weight.length; i++) {
    if (i % pagesPerPoll === 0 && budget.stopRequested()) break;
    if (known[i] === 1 || !(weight[i] > 0) || !(terms.price[i] > 0)) continue;
    const r = terms.price[i] / weight[i];
    if (!lesson.load(i, r)) continue;
    const youngest = Math.max(terms.least[i], terms.slotGap);
    const oldest = Math.min(lesson.usual, terms.longest[i]);
    if (terms.age[i] < oldest) next[i] = lesson.boost(Math.max(terms.age[i], youngest), oldest);
    after[i] = lesson.boost(youngest, oldest);
    if (next[i] > 1 || after[i] > 1) pages.push(i);
  }
  return { next, after, pages: Uint32Array.from(pages) };
}

/** What checks of one page teach. */
class Lesson {
  readonly #u: Uncertainty;
  readonly #belief: Float64Array;
  readonly #revised: Float64Array;
  #r = 0;
  #least = 0;
  /** a*: the age at which the page is fetched anyway, Infinity for never. */
  usual = 0;

  constructor(uncertainty: Uncertainty) {
    this.#u = uncertainty;
    this.#belief = new Float64Array(uncertainty.model.size);
    this.#revised = new Float64Array(uncertainty.model.size);
  }

  /** Takes page i at a price over its weight; false where knowing its rate exactly would not be worth a probe. */
  load(i: number, r: number): boolean {
    const { model, beliefs, cost } = this.#u;
    const { size, rates } = model;
    this.#r = r;
    this.#belief.set(beliefs.subarray(i * size, (i + 1) * size));
    this.usual = this.#u.index.intervalAt(this.#belief, 0, r);
    this.#least = this.#leastCost(this.#belief);
    let informed = 0;
    for (let g = 0; g < size; g++) {
      if (this.#belief[g] < 1e-9) continue;
      const interval = cost.intervalAt(rates[g], 1, r);
      informed += this.#belief[g] * (interval < Number.POSITIVE_INFINITY ? cost.cost(rates[g], interval) : 1);
    }
    return learningTime * (this.#least - informed) > leastGain * r;
  }

  /**
   * By how much to raise the page's worth so that it is fetched at the best age between these; 1 where that is the
   * last.
   */
  boost(youngest: number, oldest: number): number {
    const { index } = this.#u;
    if (!(youngest < oldest)) return 1;
    const bounded = Math.min(oldest, index.ages[index.ages.length - 1]);
    // what the usual fetch teaches needs no probe
    const anyway = this.#lesson(bounded);
    let best = 0;
    let boost = 1;
    for (let k = 0; k < agesTried; k++) {
      const age = youngest * (bounded / youngest) ** (k / agesTried);
      const worth = index.valueAt(this.#belief, 0, age);
      const lost = this.#r + index.totalCost(this.#belief, 0, age) - this.#least * age;
      const gain = learningTime * (this.#lesson(age) - anyway) - lost;
      if (gain <= best + leastGain * this.#r) continue;
      best = gain;
      boost = this.#r / worth;
    }
    return Math.max(1, boost);
  }

  /** K(a). */
  #lesson(age: number): number {
    const found = this.#u.model.chanceOfChange(this.#belief, 0, age);
    const ifFound = this.#after(age, changed);
    const ifNot = this.#after(age, unchanged);
    this.#u.model.predict(this.#belief, 0, age, this.#revised, 0);
    return this.#leastCost(this.#revised) - found * ifFound - (1 - found) * ifNot;
  }

  #after(age: number, outcome: number): number {
    this.#revised.set(this.#belief);
    this.#u.model.observe(this.#revised, 0, age, outcome);
    return this.#leastCost(this.#revised);
  }

  /** L of a belief. */
  #leastCost(belief: Float64Array): number {
    const { index } = this.#u;
    const age = index.intervalAt(belief, 0, this.#r);
    // no fetch is worth its price: the copy stays stale for good
    if (age === Number.POSITIVE_INFINITY) return 1;
    if (!(age > 0)) return 0;
    return (this.#r + index.totalCost(belief, 0, age)) / age;
  }
}

/** The model with the worth of probed pages raised, each time it is asked for. */
export function exploring(base: RefreshModel, probes: Probes): RefreshModel {
  const fetches = new Uint8Array(base.pages);
  const raised = (i: number): number => (fetches[i] === 0 ? probes.next[i] : fetches[i] === 1 ? probes.after[i] : 1);
  return {
    ...base,
    worth: (i, age) => raised(i) * base.worth(i, age),
    ceiling: (i, age) => raised(i) * base.ceiling(i, age),
    ageAt: (i, price) => base.ageAt(i, price / raised(i)),
    fetched(i, age, time) {
      if (fetches[i] < 2) fetches[i]++;
      base.fetched(i, age, time);
    },
  };
}
