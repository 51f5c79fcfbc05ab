/**
 * The four steps of every request: parse → check → solve → write. One pipeline, the same in the service's process, in a
 * worker, on the command line and in tests.
 */
import secureJson from 'secure-json-parse';
import type { CheckedRequest, Operation } from '../operations/operation.ts';
import { version } from '../package.ts';
import type { Answer } from '../schemas/contract/answer.ts';
import { conditionNotMet, invalidRequest, type Problem, problem } from '../schemas/contract/problem.ts';
import { type Budget, NothingToReturn } from '../solvers/budget.ts';
import { ConditionNotMet } from '../solvers/condition.ts';
import { toJson } from './to-json.ts';

/** Limits of a server on requests; config.ts has the variables that set them. */
export interface RunLimits {
  readonly defaultTimeLimitMs: number;
  readonly maxTimeLimitMs: number;
  /** Largest estimated work accepted, in elementary steps. */
  readonly maxWork: number;
}

/** Figures about one run, for logs and metrics; never anything of the request's content. */
export interface RunFigures {
  readonly status?: string;
  readonly solveMs?: number;
  readonly queueMs?: number;
  readonly gap?: number | null;
  readonly solver?: string;
  readonly work?: number;
}

/** An answer as it is sent. */
interface WrittenAnswer<Body> {
  readonly kind: 'answer';
  readonly body: Body;
  readonly facts: RunFigures;
}

export type Outcome<Body = string> = WrittenAnswer<Body> | Refusal;

/** A problem in place of an answer. */
export interface Refusal {
  readonly kind: 'problem';
  readonly problem: Problem;
  readonly facts: RunFigures;
  /** For the log only: what went wrong inside. */
  readonly failure?: string;
}

/** A request that may be solved: it fits the schema, the model's conditions and the server's limits. */
export interface Ready {
  readonly kind: 'ready';
  readonly request: CheckedRequest;
  readonly timeLimitMs: number;
  readonly maxTimeLimitMs: number;
  readonly work: number;
}

/** A parsed body. */
export interface ParsedBody {
  readonly kind: 'parsed';
  readonly value: unknown;
}

/** An answer as an object; lists of numbers may still be typed arrays in it. */
interface SolveResult {
  readonly kind: 'solved';
  readonly envelope: object;
  readonly facts: RunFigures;
}

export const refuse = (what: Problem, facts: RunFigures = {}): Refusal => ({ kind: 'problem', problem: what, facts });

/** JSON text → a value, or the problem to answer with. */
export function parse(text: string): ParsedBody | Refusal {
  try {
    return { kind: 'parsed', value: secureJson.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
    return refuse(problem('not-json', `the body must be one JSON object: ${reason}`));
  }
}

/** Text → a request that may be solved, or the problem to answer with. */
export function prepare(operation: Operation, text: string, limits: RunLimits): Ready | Refusal {
  const parsed = parse(text);
  return parsed.kind === 'parsed' ? prepareParsed(operation, parsed.value, limits) : parsed;
}

/** A parsed body → a request that may be solved, or the problem to answer with. */
export function prepareParsed(operation: Operation, parsed: unknown, limits: RunLimits): Ready | Refusal {
  try {
    const checkResult = operation.check(parsed);
    if (!checkResult.ok) return refuse(invalidRequest(checkResult.issues));
    const { request } = checkResult;
    const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = limits;
    const { timeLimitMs = defaultTimeLimitMs } = request;
    if (timeLimitMs > maxTimeLimitMs) {
      const detail = `must be at most ${maxTimeLimitMs} (this server's maximum); got ${timeLimitMs}`;
      return refuse(conditionNotMet(['options', 'timeLimitMs'], 'too_big', detail));
    }
    const work = request.work();
    if (work <= maxWork) return { kind: 'ready', request, timeLimitMs, maxTimeLimitMs, work };
    const detail = `the estimated work is ${work.toExponential(2)} elementary steps, more than this server's ${maxWork.toExponential(2)}; make the problem smaller`;
    return refuse(problem('too-much-work', detail), { work });
  } catch (error) {
    return refuseError(error, {});
  }
}

/** Solves a request within its budget; `clock` is in ms. */
export function solve(ready: Ready, budget: Budget, clock: () => number, queueMs = 0): SolveResult | Refusal {
  const start = clock();
  const { work, timeLimitMs, maxTimeLimitMs } = ready;
  try {
    const answer = ready.request.solve(budget);
    const solveMs = clock() - start;
    const { status, objective, statistics } = answer;
    const facts = { status, solveMs, queueMs, gap: objective?.gap ?? null, solver: statistics.solver, work };
    return { kind: 'solved', envelope: envelope(answer, solveMs, queueMs), facts };
  } catch (error) {
    const solveMs = clock() - start;
    const facts = { solveMs, queueMs, work };
    if (!(error instanceof NothingToReturn)) return refuseError(error, facts);
    const reason = error.message === '' ? 'no solution had been found' : error.message;
    // Reading and checking the body took time as well, which only the budget knows.
    const usedMs = Math.max(solveMs, timeLimitMs - budget.remainingMs());
    const { neededMs } = error;
    return refuse(timeLimitProblem({ timeLimitMs, maxTimeLimitMs, usedMs, reason, neededMs }), facts);
  }
}

interface TimeSpent {
  readonly timeLimitMs: number;
  /** The largest limit that this server accepts. */
  readonly maxTimeLimitMs: number;
  /** From the moment a worker took the request. */
  readonly usedMs: number;
  readonly reason: string;
  /** Time the solver still needs, if it can tell. */
  readonly neededMs?: number | undefined;
}

/** Says the limit, the time used, how far the solve had come, and which limit to ask for. */
export function timeLimitProblem({ timeLimitMs, maxTimeLimitMs, usedMs, reason, neededMs }: TimeSpent): Problem {
  const verb = usedMs < 0.98 * timeLimitMs ? 'left too little' : 'was reached';
  const outcome = `the time limit of ${timeLimitMs} ms ${verb} after ${Math.round(usedMs)} ms`;
  const enoughMs =
    neededMs === undefined
      ? Math.min(2 * Math.max(usedMs, timeLimitMs), maxTimeLimitMs)
      : Math.max(usedMs + neededMs, 1.5 * timeLimitMs);
  // two significant digits, a whole number
  const proposedMs = Math.ceil(Number(enoughMs.toPrecision(2)));
  const advice =
    proposedMs > timeLimitMs && proposedMs <= maxTimeLimitMs
      ? `try options.timeLimitMs ${proposedMs}`
      : `it needs more than this server's maximum of ${maxTimeLimitMs} ms: make the problem smaller`;
  return problem('time-limit', `${outcome}: ${reason}; ${advice}`);
}

/** Solves a request and writes its answer as JSON text. */
export function run(ready: Ready, budget: Budget, clock: () => number, queueMs = 0): Outcome {
  const result = solve(ready, budget, clock, queueMs);
  if (result.kind === 'problem') return result;
  const { facts } = result;
  try {
    return { kind: 'answer', body: toJson(result.envelope), facts };
  } catch (error) {
    return refuseError(error, facts);
  }
}

/** The answer to `validateOnly`: the request would be accepted, at this estimated work. */
export function validationAnswer({ work, timeLimitMs }: Ready): WrittenAnswer<string> {
  return { kind: 'answer', body: JSON.stringify({ valid: true, work, timeLimitMs }), facts: { work } };
}

function envelope(answer: Answer<unknown, unknown>, solveMs: number, queueMs: number): object {
  const { status, summary, objective, solution, supplement, conflict, warnings = [], statistics } = answer;
  const timings = { version, solveMs: Math.round(solveMs * 1000) / 1000, queueMs: Math.round(queueMs * 1000) / 1000 };
  const extra = typeof supplement === 'object' && supplement !== null ? supplement : {};
  return {
    status,
    summary,
    objective,
    solution,
    ...extra,
    ...(conflict !== undefined && { conflict }),
    warnings,
    statistics: { ...statistics, ...timings },
  };
}

export function refuseError(error: unknown, facts: RunFigures): Refusal {
  if (error instanceof ConditionNotMet) return refuse(conditionNotMet(error.path, error.code, error.message), facts);
  if (isStackOverflow(error)) return refuse(conditionNotMet([], 'too-deep', 'nests arrays or objects too deep'), facts);
  const detail = 'the server failed on this request; it has been logged under the request id';
  const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'problem', problem: problem('internal', detail), facts, failure };
}

/** Solvers do not recurse without a bound: only a value that is nested thousands deep overflows the stack. */
const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && error.message.startsWith('Maximum call stack');
