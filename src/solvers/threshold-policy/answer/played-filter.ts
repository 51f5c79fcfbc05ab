/**
 * What to do where the phases are not seen. It gives the belief's matrices in rows, as a controller elsewhere reads
 * them. It gives by simulation what the two ways of acting on a belief cost.
 */
import { unlessStopped } from '../../budget.ts';
import { costOfMeasures } from '../../queue/measures.ts';
import { writtenPhases } from '../../queue/phase-type.ts';
import { blockSize, leastWhenEmpty, type Queue } from '../../queue/queue.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import { filterCost, type PhaseFilter } from '../../simulation/index.ts';
import { phaseFilter } from '../observed/phase-filter.ts';
import type { PolicySolution } from './policy-solution.ts';
import type { TableQuestion } from './question.ts';

type Rows = readonly (readonly number[])[];

/** How a belief is followed. */
export interface ShownFilter {
  readonly tick: number;
  readonly modes: readonly { readonly crawlers: number; readonly quiet: Rows; readonly batches: readonly Rows[] }[];
  readonly service: Rows;
  readonly initial: readonly number[];
  readonly servicePhases: readonly number[];
  readonly values: readonly (readonly (readonly (number | null)[])[])[];
}

/** What one way of acting on a belief costs, and how much of what seeing the phases saves is left. */
interface ActingCost {
  readonly on: 'likeliest' | 'expected';
  readonly cost: { readonly mean: number; readonly interval: readonly number[] } | null;
  readonly survives: number | null;
  readonly survivesInterval: readonly number[] | null;
}

export interface PlayedFilter extends ShownFilter {
  readonly acting: readonly ActingCost[];
}

/** The table whose filter is wanted: its modes, what they do, and what the best thresholds cost instead. */
interface FilteredTable {
  readonly modes: ModeByState;
  readonly measures: PolicySolution['measures'];
  readonly blind: number;
}

/** Savings below this share of the cost are none. */
const negligible = 1e-9;

export function playedFilter(question: TableQuestion, { modes, measures, blind }: FilteredTable): PlayedFilter {
  const { problem, queue, memoryless, budget } = question;
  const { costs } = problem;
  const filter = phaseFilter(memoryless, costs, modes, budget);
  const seen = { cost: costOfMeasures(measures, costs), measures };
  const { replications = 20, duration } = problem.filter ?? {};
  const run = { queue, description: problem, costs, filter, seen, replications, duration };
  const saved = blind - seen.cost;
  const left = (cost: number): number => (blind - cost) / saved;
  const acting = (['likeliest', 'expected'] as const).map((on): ActingCost => {
    const cost = unlessStopped(null, () => filterCost(run, on, budget));
    const known = cost !== null && saved > negligible * Math.abs(seen.cost);
    return {
      on,
      cost: cost === null ? null : { mean: cost.mean, interval: [...cost.interval] },
      survives: known ? left(cost.mean) : null,
      survivesInterval: known ? [left(cost.interval[1]), left(cost.interval[0])] : null,
    };
  });
  return { ...shownFilter(queue, filter, writtenPhases(problem.service)), acting };
}

function shownFilter(queue: Queue, filter: PhaseFilter, servicePhases: readonly number[]): ShownFilter {
  const kinds = queue.modes.length;
  const n = blockSize(queue);
  const valueAt = (level: number, state: number, mode: number): number | null =>
    level === 0 && mode < leastWhenEmpty(queue) ? null : filter.values[(level * n + state) * kinds + mode];
  return {
    tick: filter.tick,
    modes: filter.modes.map(({ quiet, batches }, mode) => ({
      crawlers: queue.modes[mode].crawlers,
      quiet: rowsOf(quiet),
      batches: batches.map(rowsOf),
    })),
    service: rowsOf(filter.service),
    initial: [...filter.initial],
    servicePhases: [...servicePhases],
    values: Array.from({ length: queue.topLevel + 1 }, (_, level) =>
      Array.from({ length: n }, (_state, state) =>
        Array.from({ length: kinds }, (_mode, mode) => valueAt(level, state, mode)),
      ),
    ),
  };
}

function rowsOf(matrix: Float64Array): number[][] {
  const size = Math.round(Math.sqrt(matrix.length));
  return Array.from({ length: size }, (_, i) => [...matrix.subarray(i * size, (i + 1) * size)]);
}
