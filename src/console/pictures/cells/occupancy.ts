/**
 * Where a switching curve makes the system spend its time. It is the stationary law of (queue length, active crawlers)
 * of the reduced chain of activation-policy, state after the decision. The certificates' chain eliminates the recurrent
 * states.
 */
import { BandedChain } from '../../../certificates/queue/banded-chain.ts';

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

/** The states, and where the two events lead; states are numbered so that steps between neighbours are short. */
interface Chain {
  readonly states: number;
  /** No step is longer. */
  readonly band: number;
  readonly queueOf: (state: number) => number;
  readonly activeOf: (state: number) => number;
  readonly afterArrival: (state: number) => number;
  readonly afterDeparture: (state: number) => number;
}

const maxStates = 200_000;
/** The most numbers of the band, and the most multiplications: what a page draws without a pause. */
const maxNumbers = 1e7;
const maxSteps = 5e8;

/** The stationary law of the recurrent states from `fewest` to `most`; null where they are too many for a page. */
export function occupancyOf(queue: SwitchedQueue): Occupancy | null {
  const { targets, crawlers, fewest, most } = queue;
  if (!(most >= fewest) || targets.length * (crawlers + 1) > maxStates) return null;
  const chain = chainOf(queue);
  const closed = recurrentStates(chain, fewest, most);
  if (closed === null) return null;
  const { band } = chain;
  if (closed.length * 2 * band > maxNumbers || closed.length * band * band > maxSteps) return null;
  const law = stationaryLaw(chain, closed, queue);
  const rows = Array.from({ length: most - fewest + 1 }, () => new Float64Array(targets.length));
  for (const [k, state] of closed.entries()) rows[chain.activeOf(state) - fewest][chain.queueOf(state)] = law[k];
  return { from: fewest, rows };
}

function chainOf({ targets, crawlers }: SwitchedQueue): Chain {
  const lengths = targets.length;
  const counts = crawlers + 1;
  const byCount = lengths <= counts;
  const inner = byCount ? lengths : counts;
  const stateOf = (q: number, active: number): number => (byCount ? active * lengths + q : q * counts + active);
  const queueOf = (state: number): number => (byCount ? state % lengths : Math.floor(state / counts));
  const activeOf = (state: number): number => (byCount ? Math.floor(state / lengths) : state % counts);
  return {
    states: lengths * counts,
    band: inner + 1,
    queueOf,
    activeOf,
    // The crawler that brought the page has stopped; one starts again where the target asks for it.
    afterArrival: (state) => {
      const active = activeOf(state);
      if (active === 0) return state;
      const q = Math.min(queueOf(state) + 1, lengths - 1);
      return stateOf(q, active - 1 < targets[q] ? active : active - 1);
    },
    afterDeparture: (state) => {
      const q = queueOf(state) - 1;
      if (q < 0) return state;
      const active = activeOf(state);
      return stateOf(q, active < targets[q] && active < crawlers ? active + 1 : active);
    },
  };
}

/** The closed class with these extremes, ascending; null where there is none. */
function recurrentStates(chain: Chain, fewest: number, most: number): number[] | null {
  const seen = new Uint8Array(chain.states);
  for (let start = 0; start < chain.states; start++) {
    if (chain.activeOf(start) !== fewest || seen[start] === 1) continue;
    const closed = closedFrom(chain, start);
    for (const state of closed) seen[state] = 1;
    const active = closed.map(chain.activeOf);
    const least = active.reduce((a, b) => Math.min(a, b));
    const largest = active.reduce((a, b) => Math.max(a, b));
    if (least === fewest && largest === most) return closed.sort((a, b) => a - b);
  }
  return null;
}

/**
 * A closed class that can be reached from `start`: on to states that do not lead back, until all that is reached does.
 */
function closedFrom(chain: Chain, start: number): number[] {
  const next = (state: number): number[] => [chain.afterArrival(state), chain.afterDeparture(state)];
  for (let from = start; ; ) {
    const reached = new Set([from]);
    for (const state of reached) for (const each of next(state)) reached.add(each);
    const leadsBack = new Set([from]);
    const backwards = [...reached].reverse();
    for (let before = 0; before < leadsBack.size; ) {
      before = leadsBack.size;
      for (const state of backwards) if (next(state).some((each) => leadsBack.has(each))) leadsBack.add(state);
    }
    const stray = backwards.find((state) => !leadsBack.has(state));
    if (stray === undefined) return [...reached];
    from = stray;
  }
}

/** Probabilities of the states of a closed class, in its order. O(n·band²). */
function stationaryLaw(
  chain: Chain,
  closed: readonly number[],
  { crawlerRate, indexingRate }: SwitchedQueue,
): Float64Array {
  const at = new Map(closed.map((state, k) => [state, k]));
  const rates = new BandedChain(closed.length, chain.band, chain.band);
  for (const [k, state] of closed.entries()) {
    rates.move(k, at.get(chain.afterArrival(state)) ?? k, crawlerRate * chain.activeOf(state));
    rates.move(k, at.get(chain.afterDeparture(state)) ?? k, indexingRate);
  }
  return rates.eliminate(1).stationary();
}
