/**
 * The envelope every operation answers in: status, objective with its proof, solution, warnings, statistics.
 */

import * as z from 'zod';
import type { Objective, Status, Warning } from '../../solvers/answer.ts';
import { number, plain, time } from './field.ts';
import { numberOrNull } from './range.ts';
import { object } from './strict-object.ts';

export const objectiveSchema = z
  .object({
    value: z.number().meta(number('Its value for this solution', { role: 'first' })),
    bound: numberOrNull.meta(number('What no solution can beat; null: unknown')),
    gap: numberOrNull.meta(number('(value − bound)/max(|bound|, 1e−12); null: unknown')),
    measure: z.string().optional().meta(plain('What the value measures, for people')),
    unit: z.string().optional().meta(plain('Unit of value and bound')),
  })
  .meta({ id: 'Objective', ...plain('The objective and its proof') });

const warningSchema = z
  .object({
    code: z.string().describe('Stable code'),
    detail: z.string(),
    pointer: z.string().optional().describe('JSON pointer to the value in question'),
  })
  .meta({ id: 'Warning', ...plain('What to know before relying on the answer') });

export const conflictSchema = z
  .looseObject({ detail: z.string() })
  .meta({ id: 'Conflict', ...plain('Why there is no solution: what clashes, with the numbers') });

/** The conflict of limits on averages that no policy keeps together. */
export const limitsConflictSchema = conflictSchema
  .extend({
    limits: z
      .array(
        object('ClashingLimit', {
          constraint: z.string().describe('Which limit'),
          limit: z.number().meta(number()),
          smallest: numberOrNull.meta(number('The least value any policy reaches')),
        }),
      )
      .describe('The limits, and how low each measure can go alone'),
  })
  .meta({ id: 'LimitsConflict' });

const statisticsSchema = z
  .looseObject({
    solver: z.string().meta(plain('The method that gave this answer')),
    version: z.string().meta(plain('The version of crawl-optimizer that gave it')),
    solveMs: z.number().meta(time({ unit: 'milliseconds' })),
    queueMs: z.number().meta(time('Time spent waiting for a worker', { unit: 'milliseconds' })),
  })
  .meta({ id: 'Statistics', ...plain('How the answer was found') });

export const statusSchema = z.enum(['optimal', 'feasible', 'infeasible', 'evaluated']).meta({
  id: 'Status',
  description:
    'optimal: proved; feasible: within the gap of the bound; infeasible: see conflict; ' +
    'evaluated: the given policy was evaluated',
});

export type AnswerSchema<
  Solution extends z.ZodType,
  Supplement extends z.ZodRawShape,
  Conflict extends z.ZodType,
> = ReturnType<typeof answerSchema<Solution, Supplement, Conflict>>;

/** An array of numbers as a solver may return it: plain or typed. */
type Numbers = readonly number[] | Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** The type that a solver may return for a wire type `T`: typed arrays may replace arrays of numbers. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? number extends Item
    ? [Item] extends [number]
      ? Numbers
      : readonly Wire<Item>[]
    : readonly Wire<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Wire<T[Key]> }
    : T;

/** The parts of an answer that its sentence reads. */
export interface SolvedAnswer<Solution extends z.ZodType> {
  readonly solution: Wire<z.input<Solution>>;
  readonly objective?: Objective;
}

/** The answer of an operation's `solve`; the pipeline adds solveMs and queueMs to the statistics. */
export interface Answer<Solution = unknown, Supplement = unknown> {
  readonly status: Status;
  /** The operation's sentence about it, which `defineOperation` adds. */
  readonly summary?: string;
  readonly objective?: Objective;
  readonly solution?: Wire<Solution>;
  /** Top-level fields next to `solution`. */
  readonly supplement?: Wire<Supplement>;
  readonly conflict?: { readonly detail: string };
  readonly warnings?: readonly Warning[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, unknown>>;
}

/** The schema of an operation's whole answer; the top of the OpenAPI document explains its fields. */
export function answerSchema<
  Solution extends z.ZodType,
  Supplement extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
>(solution: Solution, supplement: Supplement, conflict: Conflict) {
  return z.object({
    status: statusSchema,
    summary: z.string().optional().meta({ 'x-role': 'first' }),
    objective: objectiveSchema.optional(),
    solution: solution.optional(),
    ...supplement,
    conflict: conflict.optional(),
    warnings: z.array(warningSchema),
    statistics: statisticsSchema,
  });
}
