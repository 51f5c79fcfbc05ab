/** Reads a page-change history: one JSON object a line with `id`, `firstFetch` and `changes` (Unix seconds). */
import { readFileSync } from 'node:fs';

export interface PageHistory {
  readonly id: string;
  /** When the page changed, inside the window replayed, rising. */
  readonly changes: Float64Array;
}

interface Line {
  readonly id: string;
  readonly firstFetch: number;
  readonly changes: readonly number[];
}

function isLine(value: unknown): value is Line {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'firstFetch' in value &&
    typeof value.firstFetch === 'number' &&
    'changes' in value &&
    Array.isArray(value.changes)
  );
}

/** The pages known before `start`, with their changes in (start, end). */
export function readPageHistories(path: string, start: number, end: number): PageHistory[] {
  const pages: PageHistory[] = [];
  for (const [number, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (text.trim() === '') continue;
    const line: unknown = JSON.parse(text);
    if (!isLine(line)) throw new Error(`${path}, line ${number + 1}: no page with id, firstFetch and changes`);
    if (line.firstFetch >= start) continue;
    const inside = line.changes.filter((time) => time > start && time < end).sort((a, b) => a - b);
    pages.push({ id: line.id, changes: Float64Array.from(inside) });
  }
  return pages;
}
