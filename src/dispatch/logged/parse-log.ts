/** A body that is a crawl log → a request that may be solved; the readers of logs are the command line's. */
import { type Beside, readingMeant, refusalSaid, requestOfLog } from '../../logs/asked/asked-log.ts';
import { LogRefusal } from '../../logs/log-record.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Problem, problem } from '../../schemas/contract/problem.ts';
import { timeLimitOf } from '../ahead/asked-time-limit.ts';
import { type Parsed, prepareParsed, type Ready, type Refusal, type RunLimits } from '../pipeline.ts';

/** What stands beside a log: the query, and when a plan starts that names no time (epoch seconds). */
export interface BesideLog {
  readonly query: Beside;
  readonly now: number;
  /** The time limit that the query asks for. */
  readonly timeLimitMs?: number;
}

interface LogLimits {
  readonly limits: RunLimits;
  /** Is told how long the request may take, before it is checked. */
  readonly timeLimit: (milliseconds: number) => void;
}

/** A request read off a log; its answer says in its warnings how the log was read. */
export function readyOfLog(
  operation: Operation,
  takeBody: () => Uint8Array,
  { query, now }: BesideLog,
  { limits, timeLimit }: LogLimits,
): Ready | Refusal {
  const read = parseLog(operation, takeBody(), { query, now }, limits.maxParsedBytes ?? Number.POSITIVE_INFINITY);
  if (read.kind === 'problem') return read;
  timeLimit(Math.min(timeLimitOf(read.value) ?? limits.defaultTimeLimitMs, limits.maxTimeLimitMs));
  const ready = prepareParsed(operation, read.value, limits);
  if (ready.kind === 'problem') return { ...ready, problem: withParameters(ready.problem) };
  const { request } = ready;
  const said = read.notes.map((detail) => ({ code: 'log', detail }));
  const solve: typeof request.solve = (budget) => {
    const answer = request.solve(budget);
    return { ...answer, warnings: [...said, ...(answer.warnings ?? [])] };
  };
  return { ...ready, request: { ...request, solve } };
}

/** A misspelt parameter may have been meant for the reading of the log, which the schema does not know. */
function withParameters(what: Problem): Problem {
  const errors = what.errors?.map((error) => {
    const near = error.code === 'unrecognized_key' ? readingMeant(error.pointer.slice(1)) : undefined;
    return near === undefined ? error : { ...error, detail: `${error.detail}; did you mean ${near}?` };
  });
  const first = errors?.[0];
  if (first === undefined || first.detail === what.errors?.[0]?.detail) return what;
  return { ...what, errors, detail: `${first.pointer}: ${first.detail}` };
}

const refused = (what: Problem): Refusal => ({ kind: 'problem', problem: what, facts: {} });

function parseLog(
  operation: Operation,
  body: Uint8Array,
  { query, now }: BesideLog,
  maxBytes: number,
): (Parsed & { readonly notes: readonly string[] }) | Refusal {
  if (body[0] === 0x1f && body[1] === 0x8b) {
    return refused(problem('unreadable-log', 'the body is gzip data: say so with Content-Encoding: gzip'));
  }
  const needed = heldBytes(body);
  if (needed > maxBytes) {
    const [wanted, most] = [needed, maxBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
    const detail = `read, the log would take about ${wanted} MiB, more than the ${most} MiB that this server gives a request; send fewer days of it`;
    return refused(problem('too-large', detail));
  }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.toString(bytes.subarray(0, 5).toString('latin1') === 'WARC/' ? 'latin1' : 'utf8');
  try {
    const { request, notes } = requestOfLog(operation.name, text, query, now);
    return { kind: 'parsed', value: request, notes };
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    return refused(problem('unreadable-log', refusalSaid(error)));
  }
}

/** Heap that a line's record and its observation take, and a value, list or object within a line, in bytes. */
const bytesALine = 700;
const bytesAnItem = 64;
/** A line this short is read and forgotten, whatever is in it. */
const shortLine = 2 ** 20;

/** About how much memory reading a log takes: its text, its lines, and the items of its longest lines. */
function heldBytes(body: Uint8Array): number {
  let lines = 0;
  let items = 0;
  for (let from = 0; from < body.length; lines++) {
    const found = body.indexOf(0x0a, from);
    const end = found < 0 ? body.length : found;
    if (end - from > shortLine) for (let i = from; i < end; i++) items += Number(isMark(body[i]));
    from = end + 1;
  }
  return 2 * body.length + bytesALine * lines + bytesAnItem * items;
}

/** A comma or the beginning of an array or an object. */
const isMark = (byte: number): boolean => byte === 0x2c || byte === 0x5b || byte === 0x7b;
