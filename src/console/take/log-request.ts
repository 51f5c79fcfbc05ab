/** The rows of a log, with what each column means → a request for crawl-plan. */
import type { Json, JsonObject } from '../api/json.ts';
import { hostOf } from '../plan/result-table.ts';
import type { LogRows, Row } from './log-lines.ts';

export const roles = ['page', 'time', 'status', 'signature', 'lastModified', 'changed'] as const;
export type Role = (typeof roles)[number];
export type Mapping = Readonly<Partial<Record<Role, string>>>;

export const timeUnits = { seconds: 1, milliseconds: 1e3, microseconds: 1e6 } as const;
export type TimeUnit = keyof typeof timeUnits;

/** How a log is to be read. */
export interface LogReading {
  readonly mapping: Mapping;
  readonly unit: TimeUnit;
  /** Added to times that name no zone: `Z`, `+02:00`. */
  readonly zone: string;
}

const names: Readonly<Record<Role, RegExp>> = {
  page: /^(url|page|uri|id|address|link)$/i,
  time: /^(time|timestamp|date|fetched_?at|fetch_?time|when|crawled_?at|ts|datetime)$/i,
  status: /^(status|status_?code|http_?status|code)$/i,
  signature: /^(signature|digest|hash|checksum|etag|md5|sha1|content_?hash)$/i,
  lastModified: /^(last_?modified|modified|modified_?time)$/i,
  changed: /^(changed|is_?changed|has_?changed|modified_?flag)$/i,
};

const isNumeric = (cell: Row[string] | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && /^\d+(\.\d+)?$/.test(cell.trim()));

/** What the columns mean, by their names, and the unit of times, by their size. */
export function guessed({ columns, rows }: LogRows): LogReading {
  const mapping = Object.fromEntries(
    roles.flatMap((role) => {
      const found = columns.find((name) => names[role].test(name));
      return found === undefined ? [] : [[role, found]];
    }),
  );
  const first = Number(mapping.time === undefined ? Number.NaN : rows[0][mapping.time]);
  const unit: TimeUnit = first > 1e14 ? 'microseconds' : first > 1e11 ? 'milliseconds' : 'seconds';
  return { mapping, unit, zone: 'Z' };
}

/** Epoch seconds; NaN for what is no time. */
function secondsOf(cell: Row[string] | undefined, { unit, zone }: LogReading): number {
  if (isNumeric(cell)) return Number(cell) / timeUnits[unit];
  if (typeof cell !== 'string') return Number.NaN;
  const text = cell.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  const zoned = /(Z|[+-]\d\d:?\d\d|GMT|UTC)$/i.test(text) || !/^\d{4}-\d\d-\d\d/.test(text);
  const full = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text;
  return Date.parse(zoned ? text : full + zone) / 1000;
}

const truth: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false, yes: true, no: false };

function observationOf(row: Row, time: number, reading: LogReading): JsonObject {
  const { mapping } = reading;
  const cell = (role: Role): Row[string] | undefined => {
    const name = mapping[role];
    const value = name === undefined ? undefined : row[name];
    return value === '' || value === null ? undefined : value;
  };
  const status = Number(cell('status') ?? Number.NaN);
  const signature = cell('signature');
  const modified = cell('lastModified') === undefined ? Number.NaN : secondsOf(cell('lastModified'), reading);
  const changed = truth[String(cell('changed')).toLowerCase()];
  return {
    time,
    ...(Number.isInteger(status) && { status }),
    ...(signature !== undefined && { signature: String(signature).slice(0, 512) }),
    ...(Number.isFinite(modified) && { lastModified: modified }),
    ...(changed !== undefined && { changed }),
  };
}

export interface LogSummary {
  readonly request: JsonObject | undefined;
  readonly pages: number;
  readonly fetches: number;
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
  /** Rows without a page or a time that can be read. */
  readonly unread: number;
  /** Why there is no request; empty where there is one. */
  readonly missing: string;
}

const secondsPerDay = 86_400;

/** The request: what was seen, the next day from the end of the log, as many crawls a day as the log had. */
export function requestOfLog(log: LogRows, reading: LogReading): LogSummary {
  const { page: pageColumn, time: timeColumn } = reading.mapping;
  const none = { request: undefined, pages: 0, fetches: 0, from: Number.NaN, to: Number.NaN, unread: log.rows.length };
  if (pageColumn === undefined) return { ...none, missing: 'Say which column names the page.' };
  if (timeColumn === undefined) return { ...none, missing: 'Say which column is the time of the fetch.' };
  const pages = new Map<string, { time: number; observation: JsonObject }[]>();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let fetches = 0;
  for (const row of log.rows) {
    const id = String(row[pageColumn] ?? '');
    const time = secondsOf(row[timeColumn], reading);
    if (id === '' || !Number.isFinite(time)) continue;
    fetches++;
    from = Math.min(from, time);
    to = Math.max(to, time);
    const seen = { time, observation: observationOf(row, time, reading) };
    const known = pages.get(id);
    if (known === undefined) pages.set(id, [seen]);
    else known.push(seen);
  }
  const unread = log.rows.length - fetches;
  if (fetches === 0) return { ...none, missing: `No time in “${timeColumn}” can be read.` };
  const list: Json[] = Array.from(pages, ([id, seen]) => {
    const host = hostOf(id);
    const observations = seen.sort((a, b) => a.time - b.time).map(({ observation }) => observation);
    return { id, ...(host !== '' && { host }), observations };
  });
  const days = Math.max(1, (to - from) / secondsPerDay);
  const request = {
    now: Math.ceil(to + 1),
    interval: secondsPerDay,
    crawls: Math.max(1, Math.round(fetches / days)),
    pages: list,
  };
  return { request, pages: pages.size, fetches, from, to, unread, missing: '' };
}
