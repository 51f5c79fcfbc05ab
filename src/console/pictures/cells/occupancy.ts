/**
 * Where a switching curve makes the system spend its time. It is the stationary law of (queue length, active crawlers)
 * of the reduced chain of activation-policy, state after the decision. The chain is the certificates', and so is the
 * elimination of its recurrent states.
 */
import { BandedChain } from '../../../certificates/queue/banded-chain.ts';
import { movesOf, recurrentSets } from '../../../certificates/queue/naive-chain.ts';

export interface Occupancy {
  /** Active crawlers of the first row. */
  readonly from: number;
  /** Probability of queue length q and `from + i` active crawlers at [i][q]. */
  readonly rows: readonly Float64Array[];
}

interface SwitchedQueue {
  /** Pages per time unit and active crawler. */
  readonly crawlerRate: number;
  readonly indexingRate: number;
  /** R[0..K]: activate one more while fewer than R[new queue length] are active. */
  readonly targets: readonly number[];
  readonly crawlers: number;
  /** Fewest and most active in the long run. */
  readonly fewest: number;
  readonly most: number;
}

const maxStates = 200_000;
/** The most numbers of the band, and the most multiplications: what a page draws without a pause. */
const maxNumbers = 1e7;
const maxSteps = 5e8;

/** The stationary law of the recurrent states from `fewest` to `most`; null where they are too many. O(n·band²). */
export function occupancyOf({ targets, crawlers, fewest, most, ...rates }: SwitchedQueue): Occupancy | null {
  const lengths = targets.length;
  if (!(most >= fewest) || lengths * (crawlers + 1) > maxStates) return null;
  const moves = movesOf({ ...rates, capacity: lengths - 1 }, crawlers, targets);
  const activeOf = (state: number): number => Math.floor(state / lengths);
  const members = recurrentSets(moves, [0]).find((states) => {
    const active = states.map(activeOf);
    return active.reduce((a, b) => Math.min(a, b)) === fewest && active.reduce((a, b) => Math.max(a, b)) === most;
  });
  if (members === undefined) return null;
  // In an order in which steps between neighbours are short.
  const band = Math.min(lengths, crawlers + 1) + 1;
  const place = (state: number): number =>
    lengths <= crawlers + 1 ? state : (state % lengths) * (crawlers + 1) + activeOf(state);
  const closed = members.sort((a, b) => place(a) - place(b));
  if (closed.length * 2 * band > maxNumbers || closed.length * band * band > maxSteps) return null;
  const at = new Map(closed.map((state, k) => [state, k]));
  const chain = new BandedChain(closed.length, band, band);
  for (const [k, state] of closed.entries()) {
    for (const { to, rate } of moves[state]) chain.move(k, at.get(to) ?? k, rate);
  }
  const law = chain.eliminate(1).stationary();
  const rows = Array.from({ length: most - fewest + 1 }, () => new Float64Array(lengths));
  for (const [k, state] of closed.entries()) rows[activeOf(state) - fewest][state % lengths] = law[k];
  return { from: fewest, rows };
}
