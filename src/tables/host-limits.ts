/** The table of host limits, with the columns `host` and `maxRate`. */
import { crawlPriceLimits } from '../schemas/crawl-price.ts';
import { type Engine, numberOf, TablesError } from './engine.ts';

export interface HostLimit {
  readonly host: string;
  /** Maximum crawls of all its pages together, per time unit. */
  readonly maxRate: number;
}

/**
 * @param unitsPerRate factor from the table's `maxRate` to the time unit of the pages' rates
 * @throws TablesError if a column or a host is missing, a host is repeated, or a limit is not positive
 */
export async function readHostLimits(engine: Engine, table: string, unitsPerRate: number): Promise<HostLimit[]> {
  const { quoteName } = engine.dialect;
  const names = `${quoteName('host')}, ${quoteName('maxRate')}`;
  const maxHosts = crawlPriceLimits.hosts;
  const rows = await engine.rows(`SELECT ${names} FROM ${engine.table(table)} LIMIT ${maxHosts + 1}`);
  if (rows.length === 0) throw new TablesError('the table of hosts is empty');
  if (rows.length > maxHosts) throw new TablesError(`--hosts may have at most ${maxHosts} hosts`);
  const hostNames = new Set<string>();
  return rows.map(({ host, maxRate }) => {
    if (typeof host !== 'string') throw new TablesError('--hosts has a row without a host');
    if (hostNames.has(host)) throw new TablesError(`--hosts names ${JSON.stringify(host)} twice`);
    hostNames.add(host);
    const rate = numberOf(maxRate);
    if (maxRate !== null && rate > 0 && rate <= 1e100) return { host, maxRate: rate * unitsPerRate };
    throw new TablesError(`maxRate of ${JSON.stringify(host)} must be a positive number; got ${String(maxRate)}`);
  });
}
