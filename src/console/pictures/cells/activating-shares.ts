/**
 * The tables of an activation policy that sees phases, as shares: in how many of them one more crawler is activated.
 */
import { list, number } from '../../api/read.ts';

/**
 * At a queue length and a number of active crawlers: the share of the phases (and of the ways the crawlers can be in
 * theirs).
 */
export interface ActivatingShare {
  readonly queue: number;
  readonly active: number;
  readonly share: number;
}

/** The shares of an answer's solution, from either of its tables; none where it has neither. */
export function activatingShares(solution: unknown): ActivatingShare[] {
  const crawlers = number(solution, 'crawlers');
  const targets = list(solution, 'targetsByState', 'table');
  const cells = targets.flatMap((row, queue) => {
    const inRow = Array.isArray(row) ? row.map(Number) : [];
    return Array.from({ length: crawlers }, (_, active) => ({
      queue,
      active,
      share: inRow.filter((target) => active < target).length / inRow.length,
    }));
  });
  return cells.length > 0 ? cells : fromDecisions(solution);
}

function fromDecisions(solution: unknown): ActivatingShare[] {
  const totals = list(solution, 'decisionsByState', 'active').map((counts) =>
    Array.isArray(counts) ? counts.map(Number).reduce((sum, count) => sum + count, 0) : 0,
  );
  return list(solution, 'decisionsByState', 'table').flatMap((row, queue) => {
    const columns = Array.isArray(row) ? row.map(String) : [];
    return [...new Set(totals)].map((active) => {
      const decisions = columns.flatMap((column) => [...column].filter((_, i) => totals[i] === active));
      return { queue, active, share: decisions.filter((one) => one === '1').length / decisions.length };
    });
  });
}
