/** A body that is a crawl log → a request that may be solved; the readers of logs are the command line's. */

import { LogRefusal } from '../logs/log-record.ts';
import { type QueryPairs, refusalText, requestOfLog, suggestReadingName } from '../logs/requests/log-request.ts';
import { textPieces } from '../logs/text-pieces.ts';
import type { Operation } from '../operations/operation.ts';
import { type Problem, problem } from '../schemas/contract/problem.ts';
import { type Parsed, prepareParsed, type Ready, type Refusal, type RunLimits, refused } from './pipeline.ts';

/** The query of a log's request, and when a plan starts that names no time (epoch seconds). */
export interface LogQuery {
  readonly query: QueryPairs;
  readonly now: number;
}

/** A log that was read, and in whole sentences how. */
type ReadLog = Parsed & { readonly notes: readonly string[] };

/** The request that a log makes, with the notes on its reading. */
export function parseLog(operation: Operation, body: Uint8Array, { query, now }: LogQuery): ReadLog | Refusal {
  if (body[0] === 0x1f && body[1] === 0x8b) {
    return refused(problem('unreadable-log', 'the body is gzip data: say so with Content-Encoding: gzip'));
  }
  try {
    const { request, notes } = requestOfLog(operation.name, textPieces(body), query, now);
    return { kind: 'parsed', value: request, notes };
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    return refused(problem('unreadable-log', refusalText(error)));
  }
}

/** The checked request of a log; its answer says in its warnings how the log was read. */
export function prepareLog(operation: Operation, { value, notes }: ReadLog, limits: RunLimits): Ready | Refusal {
  const ready = prepareParsed(operation, value, limits);
  if (ready.kind === 'problem') return { ...ready, problem: withParameters(ready.problem) };
  const { request } = ready;
  const warnings = notes.map((detail) => ({ code: 'log', detail }));
  const solve: typeof request.solve = (budget) => {
    const answer = request.solve(budget);
    const others = (answer.warnings ?? []).filter(({ detail }) => !notes.includes(detail));
    return { ...answer, warnings: [...warnings, ...others] };
  };
  return { ...ready, request: { ...request, solve } };
}

/** A misspelt parameter may have been meant for the reading of the log, which the schema does not know. */
function withParameters(what: Problem): Problem {
  const errors = what.errors?.map((error) => {
    const near = error.code === 'unrecognized_key' ? suggestReadingName(error.pointer.slice(1)) : undefined;
    return near === undefined ? error : { ...error, detail: `${error.detail}; did you mean ${near}?` };
  });
  const first = errors?.[0];
  if (first === undefined || first.detail === what.errors?.[0]?.detail) return what;
  return { ...what, errors, detail: `${first.pointer}: ${first.detail}` };
}
