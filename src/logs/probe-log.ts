/**
 * A log of probes: JSON lines or CSV with `time`, `page` and `current`, and with `host` and `arm` where they are known.
 * Pure: the command line and the console use the same code.
 */
import { delimitedRows } from './formats/delimited.ts';
import { firstLine } from './formats/format.ts';
import { type JsonRow, jsonRows } from './formats/json-rows.ts';
import { LogRefusal, RecordCollector } from './log-record.ts';
import { logClock } from './log-times.ts';
import type { MadeProbe } from './pilot.ts';

/** A row of `probes` of estimates/freshness. */
interface NotedProbe extends MadeProbe {
  readonly arm?: 'plan' | 'incumbent';
}

/** How much of a text is looked at before all of it is read. */
const beginningLength = 4096;

const needed = ['time', 'page', 'current'];

/** The probes of a text in the order in which they stand; null where it is another log, or a row lacks something. */
export function probesIn(text: string): readonly NotedProbe[] | null {
  if (!text.slice(0, beginningLength).includes('current')) return null;
  const rows = rowsOf(text);
  if (rows.length === 0 || !rows.every((row) => needed.every((name) => name in row))) return null;
  const times = rows.map(({ time }) => (typeof time === 'number' ? time : String(time)));
  const clock = logClock(times, undefined);
  const probes = rows.map((row, i) => probeOf(row, clock.read(times[i])));
  return probes.every((probe) => probe !== null) ? probes : null;
}

export const probeOperation = 'estimates/freshness';

/** Moments of the past that a request asks for, so that a picture can be drawn of them. */
const moments = 60;

export function probeRequest(probes: readonly NotedProbe[]) {
  return {
    probes: {
      time: probes.map(({ time }) => time),
      page: probes.map(({ page }) => page),
      current: probes.map(({ current }) => (current ? 1 : 0)),
      ...(probes.every(({ host }) => host !== undefined) && { host: probes.map(({ host }) => host ?? '') }),
      ...(probes.some(({ arm }) => arm !== undefined) && { arm: probes.map(({ arm }) => arm ?? 'none') }),
    },
    history: moments,
  };
}

function rowsOf(text: string): JsonRow[] {
  if (/^[[{]/.test(firstLine(text))) return jsonRowsOf(text);
  if (!needed.every((name) => firstLine(text).includes(name))) return [];
  const [head, ...lines] = delimitedRows(text, ',');
  return lines.map(([, cells]) => Object.fromEntries(head[1].map((name, at) => [name.trim(), cells[at]])));
}

function jsonRowsOf(text: string): JsonRow[] {
  const collected = new RecordCollector();
  try {
    const rows = jsonRows(text, collected).map(([, row]) => row);
    return collected.unreadableCount > 0 ? [] : rows;
  } catch (error) {
    if (error instanceof LogRefusal) return [];
    throw error;
  }
}

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function probeOf({ page, current, host, arm }: JsonRow, time: number): NotedProbe | null {
  const held = truths.get(String(current).toLowerCase());
  if (!Number.isFinite(time) || typeof page !== 'string' || held === undefined) return null;
  return {
    time,
    page,
    current: held,
    ...(typeof host === 'string' && host !== '' && { host }),
    ...((arm === 'plan' || arm === 'incumbent') && { arm }),
  };
}
