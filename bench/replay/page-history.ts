/**
 * Reads a trace: one JSON object a line with `id`, `firstFetch`, `changes` (Unix seconds) and, if pages may change
 * together, `host`. Without it the host is the id up to its first slash.
 */
import { readFileSync } from 'node:fs';

export interface PageHistory {
  readonly id: string;
  readonly host: string;
  /** Times of changes inside the replayed window, increasing. */
  readonly changes: Float64Array;
}

/** A line of a trace: one page. */
export interface TraceLine {
  readonly id: string;
  readonly host?: string;
  readonly firstFetch: number;
  readonly changes: readonly number[];
}

function isLine(value: unknown): value is TraceLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'firstFetch' in value &&
    typeof value.firstFetch === 'number' &&
    'changes' in value &&
    Array.isArray(value.changes)
  );
}

/** All lines of a trace in a file. */
export function readTrace(path: string): TraceLine[] {
  const lines: TraceLine[] = [];
  for (const [number, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (text.trim() === '') continue;
    const line: unknown = JSON.parse(text);
    if (!isLine(line)) throw new Error(`${path}, line ${number + 1}: no page with id, firstFetch and changes`);
    lines.push(line);
  }
  return lines;
}

/** The pages known before `start`, with their changes in (start, end). */
export function pageHistories(lines: readonly TraceLine[], start: number, end: number): PageHistory[] {
  return lines
    .filter(({ firstFetch }) => firstFetch < start)
    .map(({ id, host, changes }) => ({
      id,
      host: host ?? id.split('/')[0],
      changes: Float64Array.from(changes.filter((time) => time > start && time < end)).sort(),
    }));
}
