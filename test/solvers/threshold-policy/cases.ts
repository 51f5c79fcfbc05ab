/** The paper's two queues, as solver input, from the fixture of its tables (data corrected as in its errata). */
import { readFileSync } from 'node:fs';
import { assembleQueue } from '../../../src/solvers/queue/assemble.ts';
import type { CostWeights } from '../../../src/solvers/queue/measures.ts';
import type { Matrix, PhaseTypeLaw, Queue, QueueDescription } from '../../../src/solvers/queue/queue.ts';
import type { ThresholdPolicyAnswer } from './flat-answer.ts';

export interface Cell {
  readonly table: string;
  readonly row: string | number;
  readonly col: string;
  readonly paper: number | readonly number[];
  readonly value: number | readonly number[];
  readonly value_unroundedH2?: number;
  readonly reproduces: boolean;
  readonly how: string;
  readonly note?: string;
}

interface Fixture {
  readonly example: {
    readonly modes: readonly (readonly Matrix[])[];
    readonly service: PhaseTypeLaw;
    readonly obsolescence: PhaseTypeLaw;
    readonly capacity: number;
    readonly costs: CostWeights;
  };
  readonly realData: {
    readonly A: Matrix;
    readonly batchSizes: readonly number[];
    readonly service: PhaseTypeLaw;
    readonly obsolescenceRate: number;
    readonly capacity: number;
    readonly factors: readonly number[];
    readonly costs: CostWeights;
  };
  readonly cells: readonly Cell[];
  readonly figure4ExactFifo: readonly {
    readonly alpha1: number;
    readonly thresholds: readonly number[];
    readonly J: number;
  }[];
  readonly serviceVariance: readonly {
    readonly alpha1: number;
    readonly best13: readonly number[];
    readonly best14: readonly number[];
    readonly bestAll: { readonly modes: readonly number[]; readonly thresholds: readonly number[]; readonly J: number };
  }[];
  readonly bestFullInformationPolicy: Readonly<Record<'table1' | 'realData', { threshold: number; full: number }>>;
}

export const fixture: Fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/threshold-policy.json', import.meta.url), 'utf8'),
);

/** The main example of section 7, with a capacity of its own where asked for. */
export function example(change: Partial<QueueDescription> = {}): QueueDescription {
  const { modes, service, obsolescence, capacity } = fixture.example;
  return {
    capacity,
    arrivals: { model: 'per-mode', modes: modes.map((matrices, i) => ({ crawlers: i + 1, matrices })) },
    service,
    obsolescence,
    ...change,
  };
}

/** A law of expiry of two phases: most pages expire soon, some very late. */
export const twoPhases: PhaseTypeLaw = {
  initial: [0.9, 0.1],
  generator: [
    [-3, 0],
    [0, -0.3 / 14.1],
  ],
};

export const exampleCosts = fixture.example.costs;

/** The matrices of the real data: D0 = −diag(A·e), D_k = d_k·A with the batch sizes normalised. */
export function realMatrices(): Matrix[] {
  const { A, batchSizes } = fixture.realData;
  const total = batchSizes.reduce((sum, share) => sum + share, 0);
  const d0 = A.map((row, i) => row.map((_, j) => (i === j ? -row.reduce((sum, rate) => sum + rate, 0) : 0)));
  return [d0, ...batchSizes.map((share) => A.map((row) => row.map((rate) => (rate * share) / total)))];
}

/** The real data of section 7. */
export function realData(change: Partial<QueueDescription> = {}): QueueDescription {
  const { service, obsolescenceRate, capacity, factors } = fixture.realData;
  return {
    capacity,
    arrivals: { model: 'scaled', matrices: realMatrices(), factors },
    service,
    obsolescence: { initial: [1], generator: [[-obsolescenceRate]] },
    ...change,
  };
}

export const realCosts = fixture.realData.costs;

export function queueOf(description: QueueDescription): Queue {
  return assembleQueue(description).queue;
}

/** The cost an answer says; an answer without one fails the test here. */
export function costIn({ status, objective }: Pick<ThresholdPolicyAnswer, 'status' | 'objective'>): number {
  if (objective === undefined) throw new Error(`an answer with status ${status} has no cost`);
  return objective.value;
}

/** The bound an answer says; an answer without one fails the test here. */
export function boundIn({ status, objective }: Pick<ThresholdPolicyAnswer, 'status' | 'objective'>): number {
  const bound = objective?.bound;
  if (bound === undefined || bound === null) throw new Error(`an answer with status ${status} has no bound`);
  return bound;
}

type Measured = NonNullable<ThresholdPolicyAnswer['solution']>['measures'];

/** The policy an answer gives, or evaluates; an answer without one fails the test here. */
export function policyIn({
  status,
  solution,
  evaluation,
}: Pick<ThresholdPolicyAnswer, 'status' | 'solution' | 'evaluation'>): NonNullable<ThresholdPolicyAnswer['solution']> {
  const policy = solution ?? evaluation;
  if (policy === undefined) throw new Error(`an answer with status ${status} has no policy`);
  return policy;
}

/** The measures of that policy. */
export const measuresIn = (answer: Pick<ThresholdPolicyAnswer, 'status' | 'solution' | 'evaluation'>): Measured =>
  policyIn(answer).measures;
