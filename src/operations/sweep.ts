/**
 * `sweep`: solves a request for several values of one of its numbers, for any operation.
 *
 * Each value replaces the number in a copy of the body, which is validated as a request of its own, so that a sweep
 * accepts exactly the values that single requests would. The points are solved in the order of their values, each with
 * its share of the remaining time. The rows have the order of the request.
 */
import type * as z from 'zod';
import type { FieldCode } from '../schemas/contract/codes.ts';
import { invalidRequest } from '../schemas/contract/problem.ts';
import type { Sweep } from '../schemas/parts/series/sweep.ts';
import { type Warning, warning } from '../solvers/answer.ts';
import { type Budget, reserveShare, unlessStopped } from '../solvers/budget.ts';
import { ConditionNotMet } from '../solvers/condition.ts';

export interface Point<Request> {
  readonly value: number;
  /** The request with this value; parsed on each call, so that a sweep does not hold a large body for each value. */
  readonly request: () => Request;
}

/** The points of a sweep, and the issues of its values. */
export function pointsOf<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  { parameter, values }: Sweep,
): { readonly points: Point<z.output<Schema>>[]; readonly issues: z.core.$ZodIssue[] } {
  const issues: z.core.$ZodIssue[] = [];
  const points: Point<z.output<Schema>>[] = [];
  const steps = stepsOf(parameter);
  const { sweep: _, ...plain } = Object(body);
  if (steps === null || withValueAt(plain, steps, 0) === undefined) {
    const message = `must be a JSON pointer to a number of this request, sweep and options left out; got ${JSON.stringify(parameter)}`;
    return { points, issues: [issue(['sweep', 'parameter'], 'no-such-parameter', message, parameter)] };
  }
  for (const [i, value] of values.entries()) {
    const parsed = schema.safeParse(withValueAt(plain, steps, value), { reportInput: true });
    if (parsed.success) points.push({ value, request: () => schema.parse(withValueAt(plain, steps, value)) });
    else {
      const { errors = [], detail } = invalidRequest(parsed.error.issues);
      const [first = { pointer: '', detail }] = errors;
      const message = `is ${value}, with which ${first.pointer === '' ? 'the request' : first.pointer} ${first.detail}`;
      issues.push(issue(['sweep', 'values', i], 'sweep-value-refused', message, value));
    }
  }
  return { points, issues };
}

/** A refusal in the form of a zod issue. */
function issue(path: (string | number)[], code: FieldCode, message: string, input: unknown): z.core.$ZodIssue {
  return { code: 'custom', path, message, input, params: { code } };
}

/** The steps of a JSON pointer (RFC 6901) into the request; null if it is not one. */
function stepsOf(pointer: string): string[] | null {
  const [root, ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return root !== '' || steps.length === 0 || ['sweep', 'options'].includes(steps[0]) ? null : steps;
}

/** A copy of `body` with another value at a path; undefined if the path does not exist. */
function withValueAt(body: unknown, steps: readonly string[], value: number): unknown {
  const [step, ...rest] = steps;
  if (Array.isArray(body)) {
    const at = /^\d{1,9}$/.test(step) ? Number(step) : body.length;
    if (at >= body.length) return undefined;
    const inner: unknown = rest.length === 0 ? value : withValueAt(body[at], rest, value);
    return inner === undefined ? undefined : body.with(at, inner);
  }
  if (typeof body !== 'object' || body === null) return undefined;
  if (rest.length === 0) return { ...body, [step]: value };
  if (!Object.hasOwn(body, step)) return undefined;
  const inner = withValueAt(Reflect.get(body, step), rest, value);
  return inner === undefined ? undefined : { ...body, [step]: inner };
}

/** The total work of all points. @throws ConditionNotMet, with the path of the value that breaks a condition */
export function workOfPoints<Request>(points: readonly Point<Request>[], work: (request: Request) => number): number {
  const workOf = ({ value, request }: Point<Request>, i: number): number => {
    try {
      return work(request());
    } catch (error) {
      if (!(error instanceof ConditionNotMet)) throw error;
      const place = error.path.map((step) => `/${step}`).join('');
      const message = `is ${value}, with which ${place === '' ? 'the request' : place} ${error.message}`;
      throw new ConditionNotMet(['sweep', 'values', i], 'sweep-value-refused', message);
    }
  };
  return points.reduce((total, point, i) => total + workOf(point, i), 0);
}

interface Row {
  readonly value: number;
  readonly status: string;
  readonly objective?: object | undefined;
  readonly solution?: unknown;
  readonly evaluation?: unknown;
}

interface SweptAnswer {
  readonly status: string;
  readonly objective?: { readonly value: number; readonly gap: number | null };
  readonly solution?: unknown;
  readonly supplement?: unknown;
}

/**
 * Solves the request, then its sweep, with a warning if the time limit left out some rows. Each solve has an equal
 * share of the remaining time; once a share was too short, each further solve gets at least twice that time. If the
 * request's own share was too short, the request is solved again with all the remaining time.
 *
 * @throws NothingToReturn if the budget ends before the request itself has an answer
 */
export function solveSweep<Request, Answer extends SweptAnswer>(
  { request, points }: { readonly request: Request; readonly points: readonly Point<Request>[] },
  budget: Budget,
  solve: (request: Request, budget: Budget) => Answer,
): { readonly answer: Answer; readonly rows: Row[]; readonly warnings: Warning[] } {
  const solveInShare = (one: () => Request, shares: number): Answer | null =>
    unlessStopped(null, () => solve(one(), reserveShare(budget, Math.max(0, 1 - 1 / shares))));
  const answer = solveInShare(() => request, points.length + 1) ?? solve(request, budget);
  const byValue = [...points.keys()].sort((a, b) => points[a].value - points[b].value);
  const answerByPoint = new Map<number, Answer>();
  /** Shortest share that may be enough, ms. */
  let minimumMs = 0;
  for (const [turn, i] of byValue.entries()) {
    if (budget.stopRequested()) break;
    const remainingMs = budget.remainingMs();
    const pointAnswer = solveInShare(points[i].request, Math.min(points.length - turn, remainingMs / minimumMs));
    if (pointAnswer === null) minimumMs = 2 * (remainingMs - budget.remainingMs());
    else answerByPoint.set(i, pointAnswer);
    budget.report({ fraction: (turn + 2) / (points.length + 1) });
  }
  const rows = [...points.entries()].flatMap(([i, { value }]): Row[] => {
    const pointAnswer = answerByPoint.get(i);
    if (pointAnswer === undefined) return [];
    const { status, objective, solution, supplement } = pointAnswer;
    const evaluation: unknown = status === 'evaluated' ? Reflect.get(Object(supplement), 'evaluation') : undefined;
    return [{ value, status, objective, solution, ...(evaluation !== undefined && { evaluation }) }];
  });
  const missing = points.length - rows.length;
  const detail = `the time limit left out ${missing} of ${points.length} values; raise options.timeLimitMs`;
  const warnings = missing === 0 ? [] : [warning('sweep-incomplete', detail, ['sweep', 'values'])];
  return { answer, rows, warnings };
}
