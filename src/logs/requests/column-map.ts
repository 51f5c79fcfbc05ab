/** Parses column mappings such as `time=scraped_at`. */
import { type LogRole, logRoles } from '../log-record.ts';

export type ColumnMap = Partial<Record<LogRole, string>>;

/** The form of a pair, for refusals. */
export const columnPairForm = `<field>=<column>, of ${logRoles.map(([role]) => role).join(', ')}`;

/** The mapping from texts of comma-separated pairs; `refuse` throws. */
export function columnMap(texts: readonly string[], refuse: (pair: string) => never): ColumnMap {
  const map: ColumnMap = {};
  for (const pair of texts.flatMap((each) => each.split(','))) {
    const [name, ...column] = pair.split('=');
    const role = logRoles.find(([field]) => field === name)?.[0];
    if (role === undefined || column.length === 0) return refuse(pair);
    map[role] = column.join('=');
  }
  return map;
}
