/**
 * The envelope every operation answers in: status, objective with its proof, solution, warnings, statistics.
 */
import * as z from 'zod';
import type { Objective, Status, Warning } from '../../solvers/answer.ts';

export const objectiveSchema = z
  .object({
    value: z.number().describe('Value of the objective at the returned solution'),
    bound: z.number().nullable().describe('What no solution can beat; null where no bound is known'),
    gap: z.number().nullable().describe('(value − bound)/max(|bound|, 1e−12); null where no bound is known'),
  })
  .meta({ id: 'Objective', description: 'The objective and its proof' });

const warningSchema = z
  .object({
    code: z.string().describe('Stable code'),
    detail: z.string().describe('What to know before relying on the answer'),
    pointer: z.string().optional().describe('JSON pointer into the request, where the warning is about one value'),
  })
  .meta({ id: 'Warning', description: 'Something to know before relying on the answer' });

export const conflictSchema = z
  .looseObject({ detail: z.string().describe('Which requirements clash, with the numbers') })
  .describe('Why no solution exists');

/** The conflict of limits on averages that no policy keeps together. */
export const limitsConflictSchema = conflictSchema.extend({
  limits: z
    .array(
      z.object({
        constraint: z.string().describe('Which limit'),
        limit: z.number().describe('Its value'),
        smallest: z.number().nullable().describe('The least value any policy reaches'),
      }),
    )
    .describe('The limits, and how low each measure can be made alone'),
});

const statisticsSchema = z
  .looseObject({
    solver: z.string().describe('The method that gave this answer'),
    solveMs: z.number().describe('Milliseconds spent solving'),
    queueMs: z.number().describe('Milliseconds spent waiting for a worker'),
  })
  .meta({ id: 'Statistics', description: 'How the answer was found' });

export const statusSchema = z
  .enum(['optimal', 'feasible', 'infeasible', 'evaluated'])
  .describe(
    'optimal: proved to the stated tolerance; feasible: stopped early, the gap says how far from the bound it can be; ' +
      'infeasible: no solution exists, see conflict; evaluated: the given policy was only evaluated',
  );

export type AnswerSchema<
  Solution extends z.ZodType,
  Beside extends z.ZodRawShape,
  Conflict extends z.ZodType,
> = ReturnType<typeof answerSchema<Solution, Beside, Conflict>>;

/** An array of numbers as a solver may return it: plain or typed. */
type Numbers = readonly number[] | Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * What a solver may return where the wire carries `T`: typed arrays stand for arrays of numbers, everything else is
 * as on the wire.
 */
export type Wire<T> = T extends readonly (infer Item)[]
  ? number extends Item
    ? [Item] extends [number]
      ? Numbers
      : readonly Wire<Item>[]
    : readonly Wire<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Wire<T[Key]> }
    : T;

/** What an operation's `solve` returns; the pipeline adds solveMs and queueMs to the statistics. */
export interface Answer<Solution = unknown, Beside = unknown> {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: Wire<Solution>;
  /** Top-level fields next to `solution`. */
  readonly beside?: Wire<Beside>;
  readonly conflict?: { readonly detail: string } & Readonly<Record<string, unknown>>;
  readonly warnings?: readonly Warning[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, unknown>>;
}

/** The schema of an operation's whole answer. */
export function answerSchema<
  Solution extends z.ZodType,
  Beside extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
>(solution: Solution, beside: Beside, conflict: Conflict) {
  return z.object({
    status: statusSchema,
    objective: objectiveSchema.optional(),
    solution: solution.optional().describe('The answer; absent when infeasible'),
    ...beside,
    conflict: conflict.optional(),
    warnings: z.array(warningSchema),
    statistics: statisticsSchema,
  });
}
