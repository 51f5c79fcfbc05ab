/**
 * What an operation is: one object from which its route, OpenAPI entry, limits, worker dispatch, command line and
 * contract tests follow. `defineOperation` is called once an operation, in src/operations/<operation>.ts.
 */
import type * as z from 'zod';
import { type Answer, type AnswerSchema, answerSchema, conflictSchema, type Wire } from '../schemas/contract/answer.ts';
import type { Options } from '../schemas/contract/options.ts';
import type { Sweep } from '../schemas/parts/series/sweep.ts';
import { listIn } from '../schemas/table/table.ts';
import { listsInRequestForm } from '../schemas/table/table-answer.ts';
import type { Warning } from '../solvers/answer.ts';
import type { Budget } from '../solvers/budget.ts';
import { pointsOf, solveSweep, workOfPoints } from './sweep.ts';

/** A runnable request: examples/<name>.json, with its answer in examples/<name>.answer.json. */
export interface Example {
  readonly name: string;
  readonly summary: string;
}

/** A checked request; warnings about ignored input come first among the answer's warnings. */
type Request = z.ZodType<{
  options?: Options | undefined;
  sweep?: Sweep | undefined;
  warnings?: readonly Warning[] | undefined;
}>;
type SupplementOf<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape as undefined extends z.input<Shape[Name]> ? Name : never]?: z.input<Shape[Name]>;
} & { [Name in keyof Shape as undefined extends z.input<Shape[Name]> ? never : Name]: z.input<Shape[Name]> };

type SolutionAnswer<Solution extends z.ZodType, Supplement extends z.ZodRawShape> = Answer<
  z.input<Solution>,
  SupplementOf<Supplement>
>;

/** What an objective's value measures, such as `staleness` in `weight × share of the time`. */
export interface Measure {
  readonly measure: string;
  readonly unit: string;
}

/** Describes an answer in words; lists of the solution are read by `cellsOf` (schemas/table/table-answer.ts). */
type Sentence<Req, Solution extends z.ZodType, Supplement extends z.ZodRawShape> = (
  answer: SolutionAnswer<Solution, Supplement> & { readonly solution: Wire<z.input<Solution>> },
  request: Req,
) => string;

/** The published part of an operation's definition. */
interface OperationDescription {
  /** Path under /v1, e.g. `crawler-count` or `estimates/change-rates`. */
  readonly name: string;
  /** Group in the documentation. */
  readonly tag: 'plans' | 'pages' | 'schedules' | 'crawlers' | 'estimates' | 'simulations';
  readonly summary: string;
  /** Markdown: the question, the model, the source of the formulas (authors, year, section or equation), units. */
  readonly description: string;
  /** Size limits by name, as published at GET /v1/limits. */
  readonly limits: Readonly<Record<string, number>>;
  /** The unit of times, if it is fixed; otherwise the caller's. */
  readonly timeUnit?: 'seconds';
}

interface OperationDefinition<
  Req extends Request,
  Solution extends z.ZodType,
  Supplement extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
> extends OperationDescription {
  /** Made with `requestSchema`, so that it carries `options`. */
  readonly request: Req;
  readonly solution: Solution;
  /**
   * The answer's `summary`, one to three sentences from its own numbers (with src/schemas/words): what to do, what it
   * gives, and the alternatives. Called only for answers with a solution.
   */
  readonly sentence?: Sentence<z.output<Req>, Solution, Supplement>;
  /** The summary of an answer that only evaluates the caller's policy and has no solution. */
  readonly evaluationSentence?: (answer: SolutionAnswer<Solution, Supplement>, request: z.output<Req>) => string;
  /** What the objective measures, with its unit; a function if it depends on the request. */
  readonly objective?: Measure | ((request: z.output<Req>) => Measure);
  /** Fields of the answer at the top level, next to `solution`; optional ones end in `.optional()`. */
  readonly supplement: Supplement;
  /** The schema of `conflict`, if it has more than a `detail`. */
  readonly conflict?: Conflict;
  /** The question of each request in examples/, by name; at least two. */
  readonly examples: Readonly<Record<string, string>>;
  /**
   * Estimated work in steps of about a nanosecond, without parsing. May throw ConditionNotMet for a condition that the
   * schema cannot express; the request is then refused before it is queued.
   */
  work(request: z.output<Req>): number;
  /** Solves. @throws ConditionNotMet; NothingToReturn if the budget ended before a first solution */
  solve(request: z.output<Req>, budget: Budget): SolutionAnswer<Solution, Supplement>;
}

/** A valid request, ready to be solved. */
export interface CheckedRequest {
  readonly timeLimitMs: number | undefined;
  readonly seed: number;
  work(): number;
  solve(budget: Budget): Answer<unknown, unknown>;
}

export type CheckResult =
  | { readonly ok: true; readonly request: CheckedRequest }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] };

/**
 * An operation as the rest of the service sees it. The service uses plain `Operation`; the library keeps the types of
 * the two schemas, from which it derives those of its functions.
 */
export interface Operation<Req extends z.ZodType = z.ZodType, Ans extends z.ZodType = z.ZodType>
  extends OperationDescription {
  readonly requestSchema: Req;
  readonly answerSchema: Ans;
  readonly examples: readonly Example[];
  /** The lists of the request and of the solution that may come as columns; null where there is none. */
  readonly lists: { readonly request: string | null; readonly answer: string | null };
  /** What the objective measures, if that does not depend on the request. */
  readonly measure?: Measure;
  /** Checks a parsed body against the schema. */
  check(body: unknown): CheckResult;
}

export function defineOperation<
  Req extends Request,
  Solution extends z.ZodType,
  Supplement extends z.ZodRawShape,
  Conflict extends z.ZodType = typeof conflictSchema,
>(
  definition: OperationDefinition<Req, Solution, Supplement, Conflict>,
): Operation<Req, AnswerSchema<Solution, Supplement, Conflict | typeof conflictSchema>> {
  /** An id made from that of the solution's schema: `CrawlPlanSolution` → `CrawlPlanRequest`. */
  const idOf = (part: string): string | undefined => definition.solution.meta()?.id?.replace(/Solution$/, part);
  const { name, tag, summary, description, limits, timeUnit } = definition;
  /** Adds the summary and the objective's measure to an answer. */
  const describe = (request: z.output<Req>, answer: SolutionAnswer<Solution, Supplement>): Answer<unknown, unknown> => {
    const { conflict } = answer;
    const solution = answer.solution && listsInRequestForm(request, definition.solution, answer.solution);
    const measure = typeof definition.objective === 'function' ? definition.objective(request) : definition.objective;
    const objective = answer.objective && { ...answer.objective, ...measure };
    let sentence: string | undefined;
    if (conflict !== undefined) sentence = `No solution exists: ${conflict.detail.replace(/\.?$/, '.')}`;
    else if (solution !== undefined) sentence = definition.sentence?.({ ...answer, solution }, request);
    else sentence = definition.evaluationSentence?.(answer, request);
    return {
      ...answer,
      warnings: [...(request.warnings ?? []), ...(answer.warnings ?? [])],
      ...(solution && { solution }),
      ...(sentence !== undefined && { summary: sentence }),
      ...(objective && { objective }),
    };
  };
  return {
    ...{ name, tag, summary, description, limits, ...(timeUnit && { timeUnit }) },
    requestSchema: definition.request.meta({ id: idOf('Request') }),
    answerSchema: answerSchema<Solution, Supplement, Conflict | typeof conflictSchema>(
      definition.solution,
      definition.supplement,
      definition.conflict ?? conflictSchema,
    ).meta({ id: idOf('Answer') }),
    examples: Object.entries(definition.examples).map(([example, question]) => ({ name: example, summary: question })),
    lists: { request: listIn(definition.request), answer: listIn(definition.solution) },
    ...(typeof definition.objective === 'object' && { measure: definition.objective }),
    check(body) {
      const parsed = definition.request.safeParse(body, { reportInput: true });
      if (!parsed.success) return { ok: false, issues: parsed.error.issues };
      const request = parsed.data;
      const { sweep } = request;
      const { points, issues } =
        sweep === undefined ? { points: [], issues: [] } : pointsOf(definition.request, body, sweep);
      if (issues.length > 0) return { ok: false, issues };
      const checked: CheckedRequest = {
        timeLimitMs: request.options?.timeLimitMs,
        seed: request.options?.seed ?? 0,
        work: () => definition.work(request) + workOfPoints(points, (point) => definition.work(point)),
        solve(budget) {
          if (sweep === undefined) return describe(request, definition.solve(request, budget));
          const swept = solveSweep({ request, points }, budget, (one, share) => definition.solve(one, share));
          const answer = describe(request, swept.answer);
          const warnings = [...(answer.warnings ?? []), ...swept.warnings];
          return { ...answer, supplement: { ...Object(answer.supplement), sweep: swept.rows }, warnings };
        },
      };
      return { ok: true, request: checked };
    },
  };
}
