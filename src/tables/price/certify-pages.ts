/** What the pages spend and cost at prices, by host, exactly. */
import { certificateStatement, type PlanStatement } from '../../statements/index.ts';
import { type Engine, numberOf } from '../engine.ts';

/** Pages of a host with a price of its own; null: all others. */
export interface CertifiedGroup {
  readonly host: string | null;
  readonly spent: number;
  /** Σ of the least of cost and price. */
  readonly least: number;
  readonly withoutCrawl: number;
}

/** One scan. */
export async function certifyPages(engine: Engine, statement: PlanStatement): Promise<readonly CertifiedGroup[]> {
  const rows = await engine.rows(certificateStatement(engine.dialect, statement));
  return rows.map((row) => ({
    host: typeof row.host === 'string' ? row.host : null,
    spent: numberOf(row.spent),
    least: numberOf(row.least),
    withoutCrawl: numberOf(row.withoutCrawl),
  }));
}
