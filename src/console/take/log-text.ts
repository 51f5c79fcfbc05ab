/** A log as text: the names of its columns, and the request for a plan that its fetches make. */
import { type LogOptions, LogRefusal } from '../../logs/log-record.ts';
import { logSummary } from '../../logs/log-summary.ts';
import { planRequest } from '../../logs/plan-request.ts';
import { readLog } from '../../logs/read-log.ts';
import { isJsonObject, isRecord, type JsonObject } from '../api/json.ts';

const secondsPerDay = 86_400;
/** A plan of more pages may take longer than the service's own time limit, on a machine with other work. */
const manyPages = 20_000;
const longLimitMs = 60_000;

/** The columns of a log that has them: the properties of its first line, or its heading. */
export function columnsOf(text: string): string[] {
  const line = text.slice(0, text.indexOf('\n') + 1 || text.length).trim();
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? Object.keys(value) : [];
  } catch {
    const separator = [',', '\t', ';'].find((each) => line.includes(each));
    return separator === undefined ? [] : line.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  }
}

/** The log as it is read with these options. */
export type LogRead =
  | {
      readonly kind: 'read';
      readonly request: JsonObject;
      readonly pages: number;
      readonly format: string;
      readonly summary: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/** Reads a log; the plan is for the day after its last fetch, with as many crawls a day as the log has had. */
export function logRead(text: string, options: LogOptions): LogRead {
  try {
    const log = readLog([text], options);
    const days = Math.max(1, (log.to - log.from) / secondsPerDay);
    const crawls = Math.max(1, Math.round(log.fetches / days));
    const plan = planRequest(log, { now: Math.ceil(log.to) + 1, interval: secondsPerDay, crawls });
    const request: object = log.pages.length > manyPages ? { ...plan, options: { timeLimitMs: longLimitMs } } : plan;
    if (!isJsonObject(request)) return { kind: 'refused', why: 'The log makes no request.' };
    const { pages, format, notes } = log;
    return { kind: 'read', request, pages: pages.length, format: format.title, summary: logSummary(log), notes };
  } catch (error) {
    if (error instanceof LogRefusal) return { kind: 'refused', why: error.reason };
    throw error;
  }
}
