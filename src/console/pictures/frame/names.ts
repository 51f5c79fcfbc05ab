/** Names of rows and crawlers. */
import { listAt, textAt, valueAt } from '../../api/read.ts';

/** The name of a row: its id, else its position. */
export const rowName = (table: unknown, position: number): string => {
  const id = Array.isArray(table) ? valueAt(table, position, 'id') : valueAt(table, 'id', position);
  return typeof id === 'string' ? id : `#${position}`;
};

/** Names of the crawlers, at least `minCount` of them: their ids, else numbers. */
export const crawlerNames = (request: unknown, minCount: number): string[] => {
  const crawlerRows = listAt(request, 'crawlers');
  return Array.from(
    { length: Math.max(crawlerRows.length, minCount) },
    (_, i) => textAt(crawlerRows[i], 'id') || `crawler ${i + 1}`,
  );
};
