/**
 * What an operation is: one object from which its route, OpenAPI entry, limits, worker dispatch, command line and
 * contract tests follow. `defineOperation` is called once an operation, in src/operations/<operation>.ts.
 */
import type * as z from 'zod';
import { type Answer, type AnswerSchema, answerSchema, conflictSchema } from '../schemas/contract/answer.ts';
import type { Options } from '../schemas/contract/options.ts';
import type { PairColumn } from '../schemas/table/pair-cells.ts';
import { type Budget, partOf } from '../solvers/budget.ts';
import { type Point, pointsOf, solvePoints, sweepIn, workOfPoints } from './sweep.ts';

/** A runnable request: examples/<name>.json, with its answer in examples/<name>.answer.json. */
export interface Example {
  readonly name: string;
  readonly summary: string;
}

type Request = z.ZodType<{ options?: Options | undefined }>;
type BesideOf<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape as undefined extends z.input<Shape[Name]> ? Name : never]?: z.input<Shape[Name]>;
} & { [Name in keyof Shape as undefined extends z.input<Shape[Name]> ? never : Name]: z.input<Shape[Name]> };

/** An operation as its route file writes it. */
export interface OperationDefinition<
  Req extends Request,
  Solution extends z.ZodType,
  Beside extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
> {
  /** Path under /v1, e.g. `crawler-count` or `estimates/change-rates`. */
  readonly name: string;
  /** Group in the documentation. */
  readonly tag: string;
  readonly summary: string;
  /** Markdown: the question, the model, the source of the formulas (authors, year, section or equation), units. */
  readonly description: string;
  /** Made with `requestSchema`, so that it carries `options`. */
  readonly request: Req;
  readonly solution: Solution;
  /** Fields of the answer at the top level, next to `solution`; optional ones end in `.optional()`. */
  readonly beside: Beside;
  /** The schema of `conflict`, where the operation can be infeasible with more than a `detail`. */
  readonly conflict?: Conflict;
  readonly examples: readonly [Example, Example, ...Example[]];
  /** The sizes this operation accepts, by name, as published at GET /v1/limits. */
  readonly limits: Readonly<Record<string, number>>;
  /** Lists of pairs in the request, where they are most of a large body; for operations without a sweep. */
  readonly pairs?: PairColumn;
  /**
   * Estimated work in elementary steps of about a nanosecond, parsing left out. May throw ConditionNotMet for a
   * condition of the model that the schema cannot express; the request is then refused before it is queued.
   */
  work(request: z.output<Req>): number;
  /**
   * True only where a body of this form, checked and solved, takes a few thousand steps whatever its numbers are: such
   * a request is solved on the event loop. Everything else goes to a worker, which is where an operation without this
   * belongs. Asked of a small body that nobody has checked.
   */
  isClosedForm?(body: object): boolean;
  /** Solves; throws ConditionNotMet, or NothingToReturn when the budget stopped it empty-handed. */
  solve(request: z.output<Req>, budget: Budget): Answer<z.input<Solution>, BesideOf<Beside>>;
  /**
   * A solver for the points of one sweep, which it is given one after the other, neighbours in a row: what it keeps of
   * one may be where it begins the next. Its answers are those of `solve`, to the tolerance of the proof. Left out
   * where nothing is gained by it.
   */
  solveInTurn?(): (request: z.output<Req>, budget: Budget) => Answer<z.input<Solution>, BesideOf<Beside>>;
}

/** A request that fits the schema, ready to be solved. */
export interface CheckedRequest {
  readonly timeLimitMs: number | undefined;
  readonly seed: number;
  work(): number;
  solve(budget: Budget): Answer<unknown, unknown>;
}

export type Checked =
  | { readonly ok: true; readonly request: CheckedRequest }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] };

/**
 * An operation: what every other part of the service sees. The service needs no more than `Operation`; the library
 * keeps the types of the two schemas, from which those of its functions follow.
 */
export interface Operation<Req extends z.ZodType = z.ZodType, Ans extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly requestSchema: Req;
  readonly answerSchema: Ans;
  readonly examples: readonly Example[];
  readonly limits: Readonly<Record<string, number>>;
  /** Lists of pairs in a request, which a large body's reader may hand over as cells of their own (PairsCell). */
  readonly pairs?: PairColumn;
  /** Whether a small body, not yet checked, is of a form that may be checked and solved on the event loop. */
  readonly isClosedForm?: (body: object) => boolean;
  /** Checks a parsed body against the schema. */
  check(body: unknown): Checked;
}

/** What the service itself needs to know of an operation that its workers solve. */
export interface OperationFacts extends Pick<Operation, 'name' | 'tag' | 'summary' | 'examples' | 'limits'> {
  /** Whether the list in its answer may come as columns. */
  readonly answersInColumns: boolean;
}

/** An operation as the service sees it: whole where this process has loaded it. */
export interface ServedOperation extends OperationFacts {
  readonly operation?: Operation;
}

/** Closes a definition over its types. */
export function defineOperation<
  Req extends Request,
  Solution extends z.ZodType,
  Beside extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
>(
  definition: OperationDefinition<Req, Solution, Beside, Conflict>,
): Operation<Req, AnswerSchema<Solution, Beside, Conflict | typeof conflictSchema>> {
  return {
    name: definition.name,
    tag: definition.tag,
    summary: definition.summary,
    description: definition.description,
    requestSchema: definition.request,
    answerSchema: answerSchema<Solution, Beside, Conflict | typeof conflictSchema>(
      definition.solution,
      definition.beside,
      definition.conflict ?? conflictSchema,
    ),
    examples: definition.examples,
    limits: definition.limits,
    ...(definition.pairs && { pairs: definition.pairs }),
    ...(definition.isClosedForm && { isClosedForm: definition.isClosedForm }),
    check(body) {
      const parsed = definition.request.safeParse(body, { reportInput: true });
      if (!parsed.success) return { ok: false, issues: parsed.error.issues };
      const request = parsed.data;
      const one = {
        timeLimitMs: request.options?.timeLimitMs,
        seed: request.options?.seed ?? 0,
        work: () => definition.work(request),
        solve: (budget: Budget): Answer<unknown, unknown> => definition.solve(request, budget),
      };
      const sweep = sweepIn(request);
      if (sweep === undefined) return { ok: true, request: one };
      const { points, issues } = pointsOf(definition.request, body, sweep);
      if (issues.length > 0) return { ok: false, issues };
      return { ok: true, request: sweeping(one, { request, points }, definition) };
    },
  };
}

/** The request with the points of its sweep. */
function sweeping<Req>(
  one: CheckedRequest,
  { request, points }: { readonly request: Req; readonly points: readonly Point<Req>[] },
  definition: Swept<Req>,
): CheckedRequest {
  return {
    ...one,
    work: () => one.work() + workOfPoints(points, (point) => definition.work(point)),
    solve(budget) {
      const solve = definition.solveInTurn?.() ?? ((point: Req, share: Budget) => definition.solve(point, share));
      const answer = solve(request, partOf(budget, points.length + 1));
      const { rows, warnings } = solvePoints(points, budget, solve);
      const beside = typeof answer.beside === 'object' && answer.beside !== null ? answer.beside : {};
      return { ...answer, beside: { ...beside, sweep: rows }, warnings: [...(answer.warnings ?? []), ...warnings] };
    },
  };
}

/** What a sweep needs of an operation. */
interface Swept<Req> {
  work(request: Req): number;
  solve(request: Req, budget: Budget): Answer<unknown, unknown>;
  solveInTurn?(): (request: Req, budget: Budget) => Answer<unknown, unknown>;
}
