/** SQL for the expected changes between two crawls of a page, and for their cost. */
import { type Dialect, doubleLiteral } from './dialects.ts';
import type { IntervalBounds } from './priced-pages.ts';

/** Share of time stale for a page crawled every `gap` expected changes. */
export const stalenessSql = [
  'CASE WHEN gap IS NULL THEN 1',
  '  WHEN gap < 0.02 THEN gap * (0.5 - gap * (0.16666666666666666 - gap * (0.041666666666666664',
  '    - gap * (0.008333333333333333 - gap * 0.001388888888888889))))',
  // PostgreSQL refuses an exponential that underflows
  '  WHEN gap > 40 THEN 1 - 1 / gap',
  '  ELSE 1 - (1 - EXP(-gap)) / gap END',
].join('\n  ');

/**
 * Expected changes between two crawls, with the interval clamped to its bounds. A page's cost is convex in its rate, so
 * the bounded optimum is the unbounded one clamped.
 */
export function boundedGap(dialect: Dialect, bounds: IntervalBounds | undefined): string {
  const gap = 'y / scale';
  if (bounds?.min === undefined && bounds?.max === undefined) return gap;
  const bound = (time: number): string => `lam * ${doubleLiteral(dialect, time)}`;
  const { min, max } = bounds;
  const maxClause =
    max === undefined ? '' : ` WHEN y IS NULL THEN ${bound(max)} WHEN ${gap} > ${bound(max)} THEN ${bound(max)}`;
  const minClause = min === undefined ? '' : ` WHEN ${gap} < ${bound(min)} THEN ${bound(min)}`;
  return `CASE${maxClause}${minClause} ELSE ${gap} END`;
}
