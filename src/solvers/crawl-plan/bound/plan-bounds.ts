/** What no schedule of a plan's interval can beat, and what its fetch intervals cost for ever. */
import { type Objective, objective } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { hostRooms } from '../limits/host-caps.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import { boundBySlots } from './bound-by-slots.ts';
import { copyBounds } from './copy-bounds.ts';
import { costedBounds } from './costed-bounds.ts';
import { intervalBound } from './interval-bound.ts';
import { longRunCost } from './long-run.ts';
import type { PageBounds } from './page-bounds.ts';

/** Pages times slots up to which plans for ever have the bound that knows that a slot is had once. */
const mostBySlots = 1e7;
/** A plan whose gap is below this is optimal. */
export const optimalGap = 1e-9;

export class PlanBounds {
  readonly #priced: PricedPlan;
  readonly #bounds: PageBounds;

  constructor(priced: PricedPlan) {
    const { pages, problem } = priced;
    const plain = copyBounds(problem.weight, pages.uncosted.copies);
    this.#priced = priced;
    this.#bounds =
      problem.costs === undefined || pages.costed === null ? plain : costedBounds(plain, problem.costs, pages.costed);
  }

  /** The value of a schedule with the best bound there is, and its gap. */
  ofInterval(value: number, page: Int32Array, budget: Budget): Objective {
    const { problem, slots, age, steady } = this.#priced;
    const free = intervalBound(
      {
        bounds: this.#bounds,
        age,
        interval: problem.interval,
        minInterval: problem.minInterval,
        slots: slots.time.length,
        spending: problem.costs?.spending,
        price: steady.price > 0 ? steady.price : steady.typicalPrice,
        host: steady.pricedBy,
        hostRoom: hostRooms(problem, slots),
        pagePrice: steady.pagePrice,
      },
      budget,
    );
    // where fetches are paid for, slots are not what is short
    const few = problem.costs === undefined && page.length * problem.weight.length <= mostBySlots;
    const bySlots = few || problem.planFor === 'interval' ? boundBySlots(this.#priced, this.#bounds, page, budget) : 0;
    const bound = free === null ? null : Math.max(free, bySlots);
    // a bound above the value by no more than rounding is the value
    const rounded = bound !== null && bound > value && bound - value <= optimalGap * value;
    return objective(value, rounded ? value : bound);
  }

  /** What the fetch intervals cost when they are kept for ever. */
  ofLongRun(): Objective | null {
    const { problem, pages, ...rest } = this.#priced;
    const { minInterval: least, weight, host, hostWithin } = problem;
    return longRunCost({ ...rest, model: pages.now, bounds: this.#bounds, weight, least, host, hostWithin });
  }
}
