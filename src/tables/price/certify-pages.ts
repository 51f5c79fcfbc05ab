/** Exact spending and cost of the pages at given prices, by host. */
import { certificateStatement, type PlanStatement } from '../../statements/index.ts';
import { type Engine, numberOf } from '../engine.ts';

/** A host with its own price; null for all other pages. */
export interface CertifiedGroup {
  readonly host: string | null;
  readonly spent: number;
  /** Sum over the pages of the smallest cost plus price × rate. */
  readonly minLagrangian: number;
  readonly withoutCrawl: number;
}

/** One scan. */
export async function certifyPages(engine: Engine, statement: PlanStatement): Promise<readonly CertifiedGroup[]> {
  const rows = await engine.rows(certificateStatement(engine.dialect, statement));
  return rows.map((row) => ({
    host: typeof row.host === 'string' ? row.host : null,
    spent: numberOf(row.spent),
    minLagrangian: numberOf(row.least),
    withoutCrawl: numberOf(row.withoutCrawl),
  }));
}
