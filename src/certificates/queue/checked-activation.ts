/** What is checked of an activation policy, costs in units of a lost page. */
import type { ActivationOutcome } from '../../solvers/activation-policy/task.ts';
import type { PricedPoint } from './front-faults.ts';
import type { NaiveAverages } from './naive-chain.ts';

/** A recurrent class and what it costs. */
type PricedClass = NaiveAverages & { readonly cost: number };

export interface CheckedActivation
  extends Pick<
    ActivationOutcome,
    | 'status'
    | 'cost'
    | 'bound'
    | 'crawlers'
    | 'maxActivating'
    | 'curves'
    | 'mixedDecision'
    | 'targetsByState'
    | 'decisionsByState'
  > {
  readonly targets: ArrayLike<number>;
  /** The most expensive first. */
  readonly classes: readonly [PricedClass, ...PricedClass[]];
  readonly mixture?: readonly {
    readonly share: number;
    readonly targets: ArrayLike<number>;
    readonly averages: Partial<NaiveAverages> & { readonly cost: number };
  }[];
  readonly dualPrices?: Readonly<Partial<Record<string, number>>>;
  readonly front?: readonly (PricedPoint & { readonly policy: { readonly targets: ArrayLike<number> } })[];
}
