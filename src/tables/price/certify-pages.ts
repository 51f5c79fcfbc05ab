/** What the pages spend and cost at prices, by host, exactly; and where they have checks, in cells of like pages. */
import { certificateStatement, type PlanStatement } from '../../statements/index.ts';
import { type Engine, numberOf } from '../engine.ts';

/** Pages of a host, or class, with a price of its own; null: all others. */
export interface CertifiedGroup {
  readonly host: string | null;
  readonly spent: number;
  /** Σ of the least of cost and price. */
  readonly least: number;
  readonly withoutCrawl: number;
}

/** Pages of like rates, weights and checks: in the mean, rates geometrically. */
export interface EvidenceCell {
  readonly host: string | null;
  readonly pages: number;
  readonly rate: number;
  readonly weight: number;
  readonly checks: number;
  readonly changes: number;
  readonly watched: number;
  readonly unchanged: number;
}

/** One scan. */
export async function certifyPages(
  engine: Engine,
  statement: PlanStatement,
): Promise<{ readonly groups: readonly CertifiedGroup[]; readonly cells: readonly EvidenceCell[] }> {
  const rows = await engine.rows(certificateStatement(engine.dialect, statement));
  const groups = new Map<string | null, CertifiedGroup>();
  const cells: EvidenceCell[] = [];
  for (const row of rows) {
    const host = typeof row.host === 'string' ? row.host : null;
    const before = groups.get(host) ?? { host, spent: 0, least: 0, withoutCrawl: 0 };
    groups.set(host, {
      host,
      spent: before.spent + numberOf(row.spent),
      least: before.least + numberOf(row.least),
      withoutCrawl: before.withoutCrawl + numberOf(row.withoutCrawl),
    });
    const [pages, weight] = [numberOf(row.pages), numberOf(row.weight)];
    if (!(statement.hasChecks && weight > 0)) continue;
    const rate = Math.exp(numberOf(row.logRate) / pages);
    const mean = (sum: unknown): number => numberOf(sum) / pages;
    const [checks, changes] = [mean(row.checks), mean(row.changes)];
    // in changes, so that pages of a cell differ by their checks alone
    const [watched, unchanged] = [mean(row.watched) / rate, mean(row.unchanged) / rate];
    // what cannot be says nothing
    const canBe = changes >= 0 && changes <= checks && unchanged >= 0 && watched > (changes > 0 ? unchanged : 0);
    const told = canBe ? { checks, changes, watched, unchanged } : { checks: 0, changes: 0, watched: 0, unchanged: 0 };
    cells.push({ host, pages, rate, weight: weight / pages, ...told });
  }
  return { groups: [...groups.values()], cells };
}
