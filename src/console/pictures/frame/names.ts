/** What rows and crawlers are called. */
import { listAt, textAt, valueAt } from '../../api/read.ts';

/** The name a row goes by. */
export const rowName = (table: unknown, position: number): string => {
  const id = Array.isArray(table) ? valueAt(table, position, 'id') : valueAt(table, 'id', position);
  return typeof id === 'string' ? id : `#${position}`;
};

/** What the crawlers are called: by their ids, else counted; at least `minCount`. */
export const crawlerNames = (request: unknown, minCount: number): string[] => {
  const crawlerRows = listAt(request, 'crawlers');
  return Array.from(
    { length: Math.max(crawlerRows.length, minCount) },
    (_, i) => textAt(crawlerRows[i], 'id') || `crawler ${i + 1}`,
  );
};
