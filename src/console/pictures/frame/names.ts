/** What rows and crawlers are called. */
import { at, list, text } from '../../api/read.ts';

/** The name a row goes by. */
export const nameOf = (table: unknown, position: number): string => {
  const id = Array.isArray(table) ? at(table, position, 'id') : at(table, 'id', position);
  return typeof id === 'string' ? id : `#${position}`;
};

/** What the crawlers are called: by their ids, else counted; as many as are given, and `most` at least. */
export const crawlersOf = (request: unknown, minCount: number): string[] => {
  const crawlerRows = list(request, 'crawlers');
  return Array.from(
    { length: Math.max(crawlerRows.length, minCount) },
    (_, i) => text(crawlerRows[i], 'id') || `crawler ${i + 1}`,
  );
};
