/** The gains of many quasi-deterministic pages, one page after the other. */
import { type Budget, NothingToReturn } from '../../budget.ts';
import type { GainTable } from './pages.ts';
import { quasiGains, quasiGreedy, quasiWorkspace } from './quasi-deterministic.ts';

/** Possible updates of page k: those from offsets[k] − offsets[0] to before offsets[k + 1] − offsets[0]. */
interface QuasiPages {
  readonly offsets: Int32Array;
  readonly times: Float64Array;
  readonly probabilities: Float64Array;
  /** P(stale at time 0) of each page. */
  readonly starts: Float64Array;
  readonly interval: number;
  /** Whether crawls are taken by the greedy rule. */
  readonly greedy: boolean;
}

/** Possible updates between two looks at the budget. */
const pollEvery = 4096;

/** All their gains. @throws NothingToReturn when the budget ends */
export function quasiTable(pages: QuasiPages, budget: Budget): GainTable {
  const { offsets: updates, times, probabilities, starts, interval, greedy } = pages;
  const { length } = starts;
  const gains = new Float64Array(updates[length] - updates[0] + length);
  const offsets = new Int32Array(length + 1);
  const work = quasiWorkspace();
  let end = 0;
  let points = 0;
  for (let k = 0; k < length; k++) {
    const [from, to] = [updates[k] - updates[0], updates[k + 1] - updates[0]];
    const page = { times, probabilities, from, to, staleAtStart: starts[k], interval };
    points += to - from;
    if (points > pollEvery) {
      points = 0;
      if (budget.stopRequested()) throw new NothingToReturn('the quasi-deterministic pages were still being tabulated');
    }
    end += greedy ? quasiGreedy(work, page, gains, end, null) : quasiGains(work, page, gains, end);
    offsets[k + 1] = end;
  }
  return { offsets, gains };
}
