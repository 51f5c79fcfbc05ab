/** The gains of many quasi-deterministic pages, one page after the other; other threads tabulate some of them. */
import { type Budget, NothingToReturn, type Part } from '../../budget.ts';
import { doneInRuns, evenCuts, sharedNumbers, sharedWholes } from '../../parts.ts';
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
/** Of fewer possible updates, some 10 ms, nothing is given away. */
const leastUpdates = 120_000;

export const quasiPart: Part<QuasiPages, GainTable> = {
  name: 'quasi-gains',
  run({ offsets: updates, times, probabilities, starts, interval, greedy }, budget) {
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
        if (budget.stopRequested())
          throw new NothingToReturn('the quasi-deterministic pages were still being tabulated');
      }
      end += greedy ? quasiGreedy(work, page, gains, end, null) : quasiGains(work, page, gains, end);
      offsets[k + 1] = end;
    }
    return { offsets, gains };
  },
};

/** All their gains, in memory that threads share where that is asked. @throws NothingToReturn when the budget ends */
export function quasiTable(pages: QuasiPages, isShared: boolean, budget: Budget): GainTable {
  const { offsets: updates, times, probabilities, starts } = pages;
  const runs = doneInRuns(
    quasiPart,
    evenCuts(updates, budget.hands, leastUpdates),
    (from, to) => ({
      ...pages,
      offsets: sharedWholes(updates, from, to + 1),
      times: sharedNumbers(times, updates[from], updates[to]),
      probabilities: sharedNumbers(probabilities, updates[from], updates[to]),
      starts: sharedNumbers(starts, from, to),
    }),
    budget,
  );
  if (runs.length === 1 && !isShared) return runs[0];
  const Memory = isShared ? SharedArrayBuffer : ArrayBuffer;
  const gains = new Float64Array(new Memory(8 * runs.reduce((sum, run) => sum + run.gains.length, 0)));
  const offsets = new Int32Array(new Memory(4 * updates.length));
  let [page, end] = [0, 0];
  for (const run of runs) {
    gains.set(run.gains.subarray(0, run.offsets[run.offsets.length - 1]), end);
    for (let k = 1; k < run.offsets.length; k++) offsets[++page] = end + run.offsets[k];
    end = offsets[page];
  }
  return { offsets, gains };
}
