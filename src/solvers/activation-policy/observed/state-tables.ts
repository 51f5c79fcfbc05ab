/**
 * A policy that sees the phases, as tables that a controller applies. They are targets by queue length and phase of
 * indexing where that is what the policy is, else its decisions one by one.
 */
import type { PhasedChain } from '../evaluate/chain/phased-chain.ts';
import type { PhasedDecisions } from '../evaluate/chain/phased-evaluation.ts';

/** Activate iff fewer than table[queue length][column] are active; columns are phases of indexing. */
export interface TargetsByState {
  readonly phases: readonly number[];
  readonly table: readonly (readonly number[])[];
}

/**
 * Activate iff character i of table[queue length][column] is 1, i the position in `active` of the crawlers active by
 * phase.
 */
export interface DecisionsByState {
  readonly columns: readonly { readonly service: number; readonly arrival: number | null }[];
  readonly active: readonly (readonly number[])[];
  readonly table: readonly (readonly string[])[];
}

/** @param written where each phase of indexing stands in the law as it was written */
export function shownTargets(targets: Int32Array, written: readonly number[]): TargetsByState {
  const M = written.length;
  return {
    phases: written,
    table: Array.from({ length: targets.length / M }, (_, q) => [...targets.subarray(q * M, (q + 1) * M)]),
  };
}

export function shownDecisions(
  { model, active, kinds, decisionOf }: PhasedChain,
  decisions: PhasedDecisions,
  written: readonly number[],
): DecisionsByState {
  const { phases: W, totals, counts } = active;
  const before = [...totals.keys()].filter((x) => totals[x] < model.crawlers);
  const columns = written.flatMap((service, m) =>
    Array.from({ length: kinds }, (_, kind) => ({ service, m, kind, arrival: kind === 0 ? null : kind - 1 })),
  );
  return {
    columns: columns.map(({ service, arrival }) => ({ service, arrival })),
    active: before.map((x) => [...counts.subarray(x * W, (x + 1) * W)]),
    table: Array.from({ length: model.capacity + 1 }, (_, q) =>
      columns.map(({ m, kind }) => before.map((x) => decisions[decisionOf(q, x, m, kind)]).join('')),
    ),
  };
}
