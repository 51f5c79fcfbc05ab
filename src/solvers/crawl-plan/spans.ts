/** Times and names of pages as texts, for warnings and conflicts. */

import type { CrawlPlanProblem } from './problem.ts';

/** Maximum number of names in one warning. */
const maxNames = 5;

/** Epoch seconds → `2026-06-11 14:05:09 UTC`. */
export const utc = (epochSeconds: number): string =>
  `${new Date(1000 * epochSeconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** ` (first: "a", "b", …)`: the ids of pages; the position of a page without an id. */
export const listPages = ({ pageName }: Pick<CrawlPlanProblem, 'pageName'>, pages: ArrayLike<number>): string =>
  firstOf(pages, (i) => (pageName?.[i] === undefined ? `page ${i}` : JSON.stringify(pageName[i])));

/** ` (a, b)`, or ` (first: a, b, …)` for more than `maxNames` items. */
export function firstOf<T>(items: ArrayLike<T>, nameOf: (each: T) => string): string {
  const names = Array.from({ length: Math.min(maxNames, items.length) }, (_, k) => nameOf(items[k])).join(', ');
  return items.length > maxNames ? ` (first: ${names}, …)` : ` (${names})`;
}
