/** Certificates of problems as solvers take them: Lomax gaps, a kernel of the solver's own, are a law among others. */

import { type CrawlAllocationProblem, lomaxProcess } from '../../src/solvers/crawl-allocation/index.ts';
import type { CrawlScheduleProblem } from '../../src/solvers/crawl-schedule/index.ts';
import { createLaw } from '../../src/solvers/laws/index.ts';
import { certifyCrawlAllocation } from '../oracles/crawl-allocation.ts';
import { certifyCrawlSchedule } from '../oracles/crawl-schedule.ts';
import { renewal, type Updates } from '../oracles/pages/updates.ts';

function withLaws<P extends Pick<CrawlAllocationProblem, 'updates'>>(problem: P) {
  const { meanGap, alpha, laws: shared, quasi, process: kinds, entry: entries } = problem.updates;
  const [process, entry, laws]: [Uint8Array, Int32Array, Updates['laws'][number][]] = [
    kinds.slice(),
    // where no page needs one there is no list
    Int32Array.from(kinds, (_, i) => entries[i] ?? 0),
    [...shared],
  ];
  for (const [i, kind] of kinds.entries()) {
    if (kind !== lomaxProcess) continue;
    const law = createLaw({ type: 'lomax', shape: alpha[i], scale: meanGap[i] * (alpha[i] - 1) });
    process[i] = renewal;
    entry[i] = laws.push({ law, mean: law.mean }) - 1;
  }
  return { ...problem, updates: { process, meanGap, entry, laws, quasi } };
}

type AllocationAnswer = Parameters<typeof certifyCrawlAllocation>[1];
type ScheduleAnswer = Parameters<typeof certifyCrawlSchedule>[1];

export const certifyAllocation = (problem: CrawlAllocationProblem, answer: AllocationAnswer): string[] =>
  certifyCrawlAllocation(withLaws(problem), answer);

export const certifySchedule = (problem: CrawlScheduleProblem, answer: ScheduleAnswer, compared = 200): string[] =>
  certifyCrawlSchedule({ ...problem, allocation: withLaws(problem.allocation) }, answer, compared);
