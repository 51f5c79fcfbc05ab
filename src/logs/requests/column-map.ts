/** Which column has which part of a fetch, as people say it: `time=scraped_at`. */
import { type LogRecord, logRoles } from '../log-record.ts';

export type ColumnMap = Partial<Record<keyof LogRecord, string>>;

/** What such a pair must be, for refusals. */
export const columnPairForm = `<field>=<column>, of ${logRoles.map(([role]) => role).join(', ')}`;

/** The columns of pairs, several of which may stand in one text, parted by commas; `refuse` throws. */
export function columnMap(texts: readonly string[], refuse: (pair: string) => never): ColumnMap {
  const map: ColumnMap = {};
  for (const pair of texts.flatMap((each) => each.split(','))) {
    const [name, ...column] = pair.split('=');
    const role = logRoles.find(([known]) => known === name)?.[0];
    if (role === undefined || column.length === 0) return refuse(pair);
    map[role] = column.join('=');
  }
  return map;
}
