/**
 * The four steps of every request: parse → check → solve → serialise. One pipeline, the same inline, in a worker, on
 * the command line and in tests.
 */

import secureJson from 'secure-json-parse';
import type { CheckedRequest, Operation } from '../operations/operation.ts';
import type { Answer } from '../schemas/contract/answer.ts';
import { longestTimeLimitMs } from '../schemas/contract/options.ts';
import { conditionNotMet, invalidRequest, type Problem, problem } from '../schemas/contract/problem.ts';
import { type Budget, NothingToReturn } from '../solvers/budget.ts';
import { ConditionNotMet } from '../solvers/condition.ts';
import { version } from '../version.ts';
import { Begun } from './arriving/begun.ts';
import type { ColumnsAhead } from './arrow/ahead.ts';
import { readArrow } from './arrow/read.ts';
import { Abandoned } from './attempt.ts';
import type { Lifter } from './lifted/lifter.ts';
import { refuseCounted } from './refuse-unparsed.ts';
import { serialise } from './serialise.ts';

/** What a server accepts; see config.ts for the variables that set it. */
export interface RunLimits {
  readonly defaultTimeLimitMs: number;
  readonly maxTimeLimitMs: number;
  /** Largest estimated work accepted, in elementary steps. */
  readonly maxWork: number;
  /** Memory that a parsed body may take, bytes; more is refused unparsed. */
  readonly maxParsedBytes?: number;
}

/** Figures about one run, for logs and metrics; never anything of the request's content. */
export interface RunFacts {
  readonly status?: string;
  readonly solveMs?: number;
  readonly queueMs?: number;
  readonly gap?: number | null;
  readonly solver?: string;
  readonly work?: number;
}

export type Outcome = { readonly kind: 'answer'; readonly json: string; readonly facts: RunFacts } | Refusal;

/** How a request or an answer is written. */
export type BodyFormat = 'json' | 'arrow';

/** How a request's body is written: as the request, or as a crawl log with the rest of the request beside it. */
export type RequestFormat = BodyFormat | 'log';

/** An answer as the bytes that go to the caller, in lists that follow one another. */
export interface WrittenOutcome {
  readonly kind: 'written';
  readonly pieces: readonly Uint8Array[];
  readonly facts: RunFacts;
}

/** Why there is no answer. */
export interface Refusal {
  readonly kind: 'problem';
  readonly problem: Problem;
  readonly facts: RunFacts;
  /** For the log only: what went wrong inside. */
  readonly failure?: string;
}

/** A request that may be solved: it fits the schema, the model's conditions and the server's limits. */
export interface Ready {
  readonly kind: 'ready';
  readonly request: CheckedRequest;
  readonly timeLimitMs: number;
  readonly work: number;
}

/** What smaller bodies allocate is small. */
const countedFromBytes = 64 * 1024;

const decoder = new TextDecoder();

const refused = (what: Problem, facts: RunFacts = {}): Refusal => ({ kind: 'problem', problem: what, facts });

/** A parsed body. */
export interface Parsed {
  readonly kind: 'parsed';
  readonly value: unknown;
}

/**
 * Bytes → a value, or the problem to answer with; counts first what parsing would allocate.
 *
 * @param begun the reading of them, where it has begun
 */
export function parse(
  operation: Operation,
  body: Uint8Array,
  limits: RunLimits,
  begun: Begun | null = null,
): Parsed | Refusal {
  if (body.byteLength < countedFromBytes) return parseUncounted(body);
  const { maxParsedBytes = Number.POSITIVE_INFINITY } = limits;
  const reading = begun ?? new Begun(operation, body);
  const excessive = refuseCounted(reading.count(), maxParsedBytes);
  if (excessive !== null) return refused(excessive);
  return (reading.lifter === null ? null : parseLifted(body, reading.lifter)) ?? parseUncounted(body);
}

/** A body whose columns have been read, where there were any and the rest of it is JSON. */
function parseLifted(body: Uint8Array, lifter: Lifter): Parsed | null {
  const rest = lifter.rest(body);
  if (rest === null) return null;
  const parsed = parseUncounted(rest);
  if (parsed.kind !== 'parsed') return null;
  lifter.restore(parsed.value);
  return parsed;
}

/** Bytes of which it is known that parsing them allocates little → a value, or the problem to answer with. */
export function parseUncounted(body: Uint8Array): Parsed | Refusal {
  const text = decoder.decode(body);
  return parseText(text, mayHaveForbiddenNames(body.byteLength < countedFromBytes ? text : bytesOf(body)));
}

/** Names that secure-json-parse looks for in the text; in a large one the bytes are searched in a fifth of the time. */
const forbiddenNames = ['__proto__', 'constructor'];

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

function mayHaveForbiddenNames(body: string | Buffer): boolean {
  // written with an escape a name looks otherwise
  return body.includes('\\') || forbiddenNames.some((name) => body.includes(name));
}

/**
 * An Arrow stream → a parsed value, or the problem to answer with.
 *
 * @param ahead the columns that were read while the bytes arrived
 */
export function parseArrow(
  operation: Operation,
  body: Uint8Array,
  limits: RunLimits,
  ahead?: ColumnsAhead | null,
): Parsed | Refusal {
  const read = readArrow(operation, body, limits.maxParsedBytes ?? Number.POSITIVE_INFINITY, ahead);
  return read.kind === 'parsed' ? read : refused(read.problem);
}

function parseText(text: string, suspect = true): Parsed | Refusal {
  try {
    return { kind: 'parsed', value: suspect ? secureJson.parse(text) : JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
    return refused(problem('not-json', `the body must be one JSON object: ${reason}`));
  }
}

/** Text → a request that may be solved, or the problem to answer with. */
export function prepare(operation: Operation, text: string, limits: RunLimits): Ready | Refusal {
  const parsed = parseText(text);
  return parsed.kind === 'parsed' ? prepareParsed(operation, parsed.value, limits) : parsed;
}

/** A parsed body → a request that may be solved, or the problem to answer with. */
export function prepareParsed(operation: Operation, parsed: unknown, limits: RunLimits): Ready | Refusal {
  try {
    return prepareUnguarded(operation, parsed, limits);
  } catch (error) {
    return failed(error, {});
  }
}

function prepareUnguarded(operation: Operation, parsed: unknown, limits: RunLimits): Ready | Refusal {
  const checked = operation.check(parsed);
  if (!checked.ok) return refused(invalidRequest(checked.issues));
  const { request } = checked;
  const timeLimitMs = request.timeLimitMs ?? limits.defaultTimeLimitMs;
  if (timeLimitMs > limits.maxTimeLimitMs) {
    const detail = `must be at most ${limits.maxTimeLimitMs} (this server's maximum); got ${timeLimitMs}`;
    return refused(conditionNotMet(['options', 'timeLimitMs'], 'too_big', detail));
  }
  const work = request.work();
  if (work > limits.maxWork) {
    const detail = `the estimated work is ${work.toExponential(2)} elementary steps, more than this server's ${limits.maxWork.toExponential(2)}; make the problem smaller`;
    return refused(problem('too-much-work', detail), { work });
  }
  return { kind: 'ready', request, timeLimitMs, work };
}

/** An answer as an object; lists of numbers may still be typed arrays in it. */
export interface Solved {
  readonly kind: 'solved';
  readonly envelope: object;
  readonly facts: RunFacts;
}

/** Solves. */
export function solve(ready: Ready, budget: Budget, clock: () => number, queueMs = 0): Solved | Refusal {
  const start = clock();
  const work = ready.work;
  try {
    const answer = ready.request.solve(budget);
    const solveMs = clock() - start;
    const { status, objective, statistics } = answer;
    const facts = { status, solveMs, queueMs, gap: objective?.gap ?? null, solver: statistics.solver, work };
    return { kind: 'solved', envelope: envelope(answer, solveMs, queueMs), facts };
  } catch (error) {
    const solveMs = clock() - start;
    const facts = { solveMs, queueMs, work };
    if (!(error instanceof NothingToReturn)) return failed(error, facts);
    const reason = error.message === '' ? 'no solution had been found' : error.message;
    // Reading and checking the body took time as well, which only the budget knows.
    const usedMs = Math.max(queueMs + solveMs, ready.timeLimitMs - budget.remainingMs());
    return refused(timeLimitReached(ready.timeLimitMs, usedMs, reason, error.neededMs), facts);
  }
}

/**
 * The refusal of a request whose time has passed. It gives the limit, the time it took, how far it had come, and what
 * solving it takes as far as that is known. What the solver needs comes on top of what reading and waiting took.
 */
export function timeLimitReached(timeLimitMs: number, usedMs: number, reason: string, neededMs?: number): Problem {
  const used = `${Math.round(usedMs)} ms`;
  const limit = `the time limit of ${timeLimitMs} ms`;
  const detail = `${usedMs < 0.98 * timeLimitMs ? `${limit} left too little after ${used}` : `${limit} was reached after ${used}`}: ${reason}`;
  // a whole number that is accepted, of two digits or so
  const rounded = (milliseconds: number): number =>
    Math.min(longestTimeLimitMs, Math.ceil(Number(milliseconds.toPrecision(2))));
  if (neededMs === undefined) {
    const next = rounded(2 * Math.max(usedMs, timeLimitMs));
    return problem('time-limit', `${detail}; how much it needs is not known: try options.timeLimitMs ${next}`);
  }
  const wanted = rounded(Math.max(usedMs + neededMs, 1.5 * timeLimitMs));
  return problem('time-limit', `${detail}; options.timeLimitMs ${wanted} should do`);
}

/** The same where the solver did not end by itself: it may have told what share of it was done. */
export function overdue(timeLimitMs: number, usedMs: number, done: number | undefined): Problem {
  if (done === undefined || !(done > 0 && done < 1))
    return timeLimitReached(timeLimitMs, usedMs, 'it had no answer yet');
  return timeLimitReached(timeLimitMs, usedMs, `${Math.round(100 * done)}% was done`, usedMs * (1 / done - 1));
}

/** Solves and serialises. */
export function run(ready: Ready, budget: Budget, clock: () => number, queueMs = 0): Outcome {
  const solved = solve(ready, budget, clock, queueMs);
  if (solved.kind === 'problem') return solved;
  const { facts } = solved;
  try {
    return { kind: 'answer', json: serialise(solved.envelope), facts };
  } catch (error) {
    return failed(error, facts);
  }
}

/** Solves, and writes the answer as bytes. */
export function runWritten(
  ready: Ready,
  write: (envelope: object) => readonly Uint8Array[],
  budget: Budget,
  clock: () => number,
  queueMs: number,
): WrittenOutcome | Refusal {
  const solved = solve(ready, budget, clock, queueMs);
  if (solved.kind === 'problem') return solved;
  const { facts } = solved;
  try {
    return { kind: 'written', pieces: write(solved.envelope), facts };
  } catch (error) {
    return failed(error, facts);
  }
}

/** What `validateOnly` answers: that the request would be accepted, and at what estimated work. */
export function validated(ready: Ready): Outcome {
  const json = JSON.stringify({ valid: true, work: ready.work, timeLimitMs: ready.timeLimitMs });
  return { kind: 'answer', json, facts: { work: ready.work } };
}

function envelope(answer: Answer<unknown, unknown>, solveMs: number, queueMs: number): object {
  const { status, summary, objective, solution, beside, conflict, warnings = [], statistics } = answer;
  const rounded = { version, solveMs: Math.round(solveMs * 1000) / 1000, queueMs: Math.round(queueMs * 1000) / 1000 };
  const extra = typeof beside === 'object' && beside !== null ? beside : {};
  return {
    status,
    summary,
    objective,
    solution,
    ...extra,
    conflict,
    warnings,
    statistics: { ...statistics, ...rounded },
  };
}

/** @throws Abandoned where the error is that: the run goes on elsewhere */
function failed(error: unknown, facts: RunFacts): Refusal {
  if (error instanceof Abandoned) throw error;
  if (error instanceof ConditionNotMet) return refused(conditionNotMet(error.path, error.code, error.message), facts);
  if (isStackOverflow(error))
    return refused(conditionNotMet([], 'too-deep', 'nests arrays or objects too deep'), facts);
  const detail = 'the server failed on this request; it has been logged under the request id';
  const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'problem', problem: problem('internal', detail), facts, failure };
}

/** Solvers do not recurse without a bound: only a value that is nested thousands deep overflows the stack. */
const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && error.message.startsWith('Maximum call stack');
