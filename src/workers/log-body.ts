/** A body that is a crawl log → a request that may be solved; the command line reads logs by the same code. */
import { type ByteChunks, decodeChunks, encodingOf } from '../logs/decode-chunks.ts';
import { usualColumns } from '../logs/formats/columns.ts';
import { detectFormat } from '../logs/formats/log-formats.ts';
import { LogRefusal } from '../logs/log-record.ts';
import { logSummary } from '../logs/log-summary.ts';
import type { LogParser } from '../logs/read-log.ts';
import {
  logOperations,
  logRequest,
  openLog,
  optionsToParameters,
  type QueryPairs,
  refusalText,
  suggestReadingName,
} from '../logs/requests/log-request.ts';
import type { Operation } from '../operations/operation.ts';
import { type Problem, problem } from '../schemas/contract/problem.ts';
import { type BodyEncoding, InflationError, inflatePieces, refuseInflation } from './inflate.ts';
import { type ParsedBody, parse, prepareParsed, type Ready, type Refusal, type RunLimits, refuse } from './pipeline.ts';

/** The rest of a request whose body is a crawl log. */
export interface LogQuery {
  readonly query: QueryPairs;
  /** Start of a plan whose query gives no time, epoch seconds. */
  readonly now: number;
  /** The media type of the body; `text/plain` may be anything. */
  readonly mediaType: string;
}

/** The request read from a log, and notes on how the log was read. */
export type ParsedLog = ParsedBody & { readonly notes: readonly string[] };

/** Bytes of a body that are examined to detect its format. */
const beginningBytes = 64 * 1024;

const typesDetail =
  'send a crawl log as text/csv, text/plain, application/x-ndjson or application/gzip, and a request as application/json';

/** The request that a log makes, with the notes on its reading; the log is read while it arrives. */
export async function parseLog(
  operation: Operation,
  body: ByteChunks,
  { encoding, maxBytes, tooLarge }: BodyEncoding,
  { query, now, mediaType }: LogQuery,
): Promise<ParsedLog | Refusal> {
  let reading: LogParser | undefined;
  let isCut = false;
  const noteCut = (): void => {
    isCut = true;
  };
  try {
    reading = openLog(query);
    let size = 0;
    for await (const piece of decodeChunks(inflatePieces(body, encoding, noteCut), () => isCut)) {
      size += piece.length;
      if (size > maxBytes) return refuse(problem('too-large', tooLarge));
      reading.push(piece);
    }
    if (isCut) reading.noteCut();
    const { request, log } = logRequest(operation.name, reading.end(), query, now);
    const notes = [`The log was read as ${log.format.title}: ${logSummary(log)}.`, ...log.notes];
    return { kind: 'parsed', value: request, notes: notes.map(optionsToParameters) };
  } catch (error) {
    if (error instanceof InflationError) return refuseInflation(error);
    if (!(error instanceof LogRefusal)) throw error;
    // text/plain that is no known log, or is JSON, was probably meant as a request: its type is refused
    const { name = 'json' } = reading?.format ?? {};
    if (mediaType === 'text/plain' && reading !== undefined && name === 'json') {
      return refuse(problem('unsupported-media-type', typesDetail));
    }
    return refuse(problem('unreadable-log', refusalText(error)));
  }
}

/** The checked request of a log; its answer says in its warnings how the log was read. */
export function prepareLog(operation: Operation, { value, notes }: ParsedLog, limits: RunLimits): Ready | Refusal {
  const ready = prepareParsed(operation, value, limits);
  if (ready.kind === 'problem') return { ...ready, problem: withParameters(ready.problem) };
  const { request } = ready;
  const warnings = notes.map((detail) => ({ code: 'log', detail }));
  const solve: typeof request.solve = (budget) => {
    const answer = request.solve(budget);
    const solverWarnings = (answer.warnings ?? []).filter(({ detail }) => !notes.includes(detail));
    return { ...answer, warnings: [...warnings, ...solverWarnings] };
  };
  return { ...ready, request: { ...request, solve } };
}

/** Adds to an unknown property the reading parameter that may have been meant, which the schema does not know. */
function withParameters(what: Problem): Problem {
  const errors = what.errors?.map((error) => {
    const suggestion = error.code === 'unrecognized_key' ? suggestReadingName(error.pointer.slice(1)) : undefined;
    return suggestion === undefined ? error : { ...error, detail: `${error.detail}; did you mean ${suggestion}?` };
  });
  const first = errors?.[0];
  if (first === undefined || first.detail === what.errors?.[0]?.detail) return what;
  return { ...what, errors, detail: `${first.pointer}: ${first.detail}` };
}

const decoder = new TextDecoder();
const beginningOf = (body: Uint8Array): string =>
  new TextDecoder(encodingOf(body)).decode(body.subarray(0, beginningBytes));

/** JSON body → a value; the refusal of a crawl log that was sent as JSON says how to send it. */
export function parseJson({ name }: Operation, body: Uint8Array): ParsedBody | Refusal {
  const parsed = parse(decoder.decode(body));
  if (parsed.kind === 'parsed' || !logOperations.includes(name)) return parsed;
  const beginning = beginningOf(body);
  const format = detectFormat(beginning);
  if (format === undefined || (format.name === 'json' && !isLogRow(beginning))) return parsed;
  const type = { csv: 'text/csv', json: 'application/x-ndjson' }[format.name] ?? 'text/plain';
  const hint = `; this looks like a crawl log (${format.title}): send it with Content-Type: ${type}`;
  return { ...parsed, problem: { ...parsed.problem, detail: `${parsed.problem.detail}${hint}` } };
}

/** Whether the first line is a row of a log, which has a page and a time, and not a request, which has `pages`. */
function isLogRow(beginning: string): boolean {
  const row = parse(beginning.trimStart().split('\n', 1)[0]);
  const names = row.kind === 'parsed' ? Object.keys(Object(row.value)) : [];
  return !names.includes('pages') && usualColumns('page', names).length > 0 && usualColumns('time', names).length > 0;
}
