/** Reads the text of a log, and makes a request for a plan from it. */

import { type LogOptions, LogRefusal, type UserAgent } from '../../logs/log-record.ts';
import { logSummary } from '../../logs/log-summary.ts';
import { planRequest, raiseTimeLimit } from '../../logs/plan-request.ts';
import { type CrawlLog, readLog } from '../../logs/read-log.ts';
import { day } from '../../schemas/words/durations.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';

/** The result of reading a log with some options. */
type LogRead =
  | {
      readonly kind: 'read';
      readonly log: CrawlLog;
      readonly summary: string;
      readonly fetchesADay: number;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly agents: readonly UserAgent[] };

/** Replaces names of command line options in a note of the log reader by the labels of the preview's fields. */
export const rewordNote = (note: string): string => note.replace('say --zone with theirs', 'give their zone below');

/** Reads a log. */
export function readLogText(text: string, options: LogOptions): LogRead {
  try {
    const log = readLog([text], options);
    const days = Math.max(1, (log.to - log.from) / day);
    return {
      kind: 'read',
      log,
      summary: logSummary(log),
      fetchesADay: Math.max(1, Math.round(log.fetches / days)),
    };
  } catch (error) {
    if (error instanceof LogRefusal) return { kind: 'refused', reason: error.reason, agents: error.agents };
    throw error;
  }
}

/** Start of the plan: now, as on the command line, or right after the last fetch of the log. */
export type PlanStart = 'this moment' | 'the end of the log';

/** The request for a plan of the day after its start. */
export function dayPlan(log: CrawlLog, start: PlanStart, crawls: number): JsonObject | undefined {
  const now = start === 'this moment' ? Math.max(Math.ceil(Date.now() / 1000), log.to) : log.to;
  const request = raiseTimeLimit(planRequest(log, { now: Math.ceil(now) + 1, interval: day, crawls }), log);
  // the fetches of a log are columns in memory; the form and the editor show them as JSON
  const json: unknown = JSON.parse(JSON.stringify(request));
  return isJsonObject(json) ? json : undefined;
}
