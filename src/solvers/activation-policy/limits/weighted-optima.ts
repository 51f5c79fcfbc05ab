/**
 * The best policies of a model whose averages weigh something else than its own costs. A front asks for them again and
 * again, and limits with their prices do.
 */
import { relativeGap } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { evaluateTargets } from '../evaluate/policy-evaluation.ts';
import { optimiseCurve, optimiseUnlimited } from '../iterate/optimal-activation.ts';
import type { ClassMeasures, OpenModel, SwitchingCurve } from '../model/activation-model.ts';

/** What a unit of each average is to cost. */
type AverageWeights = Readonly<Record<'loss' | 'starvation' | 'crawlers' | 'queueLength', number>>;

interface WeightedOptimum {
  readonly targets: SwitchingCurve;
  /** What it does, at the model's own costs. */
  readonly averages: ClassMeasures;
  /** No policy's weighted sum of averages is less. */
  readonly bound: number;
  /** Whether its own is that, to the tolerance. */
  readonly proved: boolean;
}

/** Without a number of crawlers: as many as the optimum can use. */
export type Model = OpenModel & { readonly crawlers?: number | undefined };

export class WeightedOptima {
  /** Of all searches so far. */
  iterations = 0;
  readonly #model: Model;
  readonly #tolerance: number;
  readonly #budget: Budget;

  constructor(model: Model, tolerance: number, budget: Budget) {
    this.#model = model;
    this.#tolerance = tolerance;
    this.#budget = budget;
  }

  /** @throws NothingToReturn when the budget ends before the averages are known */
  at({ loss, starvation, crawlers, queueLength }: AverageWeights): WeightedOptimum {
    // The solver's unit is a lost page: where none of them is priced, it weighs next to nothing.
    const scale = Math.max(loss, 1e-9 * Math.max(starvation, crawlers, queueLength));
    const weighted = {
      ...this.#model,
      starvationWeight: starvation / scale,
      crawlerCost: crawlers / scale,
      queueCost: queueLength / scale,
    };
    const given = this.#model.crawlers;
    const optimum =
      given === undefined
        ? optimiseUnlimited(weighted, this.#tolerance, this.#budget)
        : optimiseCurve({ ...weighted, crawlers: given }, { tolerance: this.#tolerance }, this.#budget);
    this.iterations += optimum.iterations;
    const measured = { ...this.#model, crawlers: optimum.model.crawlers };
    const [averages] = evaluateTargets(measured, optimum.curve, this.#budget);
    return {
      targets: optimum.curve,
      averages,
      bound: scale * optimum.bound,
      proved: optimum.converged && relativeGap(optimum.cost, optimum.bound) <= this.#tolerance,
    };
  }
}
