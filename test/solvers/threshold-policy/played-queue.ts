/**
 * The queue played event by event from the matrices as they are written. It goes a page at a time, each waiting page
 * with a phase of its own. Shares no code with the solver, nor with the simulator of src/solvers/simulation. For tests
 * of laws and tables.
 */
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import type { PhaseTypeLaw, QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { matricesByCount } from './naive-queue.ts';

/** What can be seen: pages in the system, arrival phase, phase of the service (null when nothing is being indexed). */
export interface PlayedState {
  readonly length: number;
  readonly v: number;
  readonly m: number | null;
}

/** Told what happens; a state is the one before the event. */
export interface Witness {
  stayed?(state: PlayedState, time: number, crawlers: number): void;
  batch?(state: PlayedState, size: number, lost: number): void;
  left?(fate: 'served' | 'expired', sojourn: number, state: PlayedState): void;
}

interface Played {
  readonly description: QueueDescription;
  /** Asked whenever the state changes. */
  readonly crawlers: (state: PlayedState, random: () => number) => number;
  readonly events: number;
  readonly seed: number;
}

interface Waiting {
  readonly since: number;
  readonly phase: number;
}

/** Rates out of one state of a chain, and where they lead. */
interface Ways<To> {
  readonly total: number;
  readonly ways: readonly { readonly rate: number; readonly to: To }[];
}

function waysOf<To>(ways: readonly { readonly rate: number; readonly to: To }[]): Ways<To> {
  const possible = ways.filter(({ rate }) => rate > 0);
  return { ways: possible, total: possible.reduce((sum, { rate }) => sum + rate, 0) };
}

function picked<To>({ ways, total }: Ways<To>, u: number): To {
  let rest = u * total;
  for (const { rate, to } of ways) {
    rest -= rate;
    if (rest < 0) return to;
  }
  return ways[ways.length - 1].to;
}

/** Where a law goes from each of its phases: to another, or to its end (null). */
const phasesOf = ({ generator }: PhaseTypeLaw): Ways<number | null>[] =>
  generator.map((row, phase) =>
    waysOf<number | null>([
      ...row.map((rate, to) => ({ rate: to === phase ? 0 : rate, to })),
      { rate: -row.reduce((sum, rate) => sum + rate, 0), to: null },
    ]),
  );

export function playQueue({ description, crawlers, events, seed }: Played, witness: Witness): void {
  const { capacity, admission, service, obsolescence } = description;
  const random = seededRandom(seed);
  const arrivals = new Map(
    [...matricesByCount(description.arrivals)].map(([count, matrices]) => [
      count,
      matrices[0].map((_, v) =>
        waysOf(
          matrices.flatMap((matrix, size) =>
            matrix[v].map((rate, to) => ({ rate: size === 0 && to === v ? 0 : rate, to: { size, v: to } })),
          ),
        ),
      ),
    ]),
  );
  const serving = phasesOf(service);
  const expiring = obsolescence === null ? [] : phasesOf(obsolescence);
  const drawn = ({ initial }: PhaseTypeLaw): number =>
    picked(waysOf(initial.map((rate, to) => ({ rate, to }))), random());
  let state: PlayedState = { length: 0, v: 0, m: null };
  let count = crawlers(state, random);
  let now = 0;
  let inService = 0;
  const waiting: Waiting[] = [];
  const enter = (size: number, v: number): void => {
    const room = capacity - state.length;
    const partial = admission === undefined || admission === 'partial';
    const taken = partial ? Math.min(size, Math.max(0, room)) : size;
    const turnedAway =
      admission === 'complete-rejection' ? size > room : admission === 'complete-admission' && room <= 0;
    const entering = turnedAway ? 0 : taken;
    witness.batch?.(state, size, size - entering);
    for (let page = 0; page < entering; page++) {
      if (state.m === null) {
        inService = now;
        state = { length: 1, v, m: drawn(service) };
      } else {
        waiting.push({ since: now, phase: obsolescence === null ? 0 : drawn(obsolescence) });
        state = { ...state, length: state.length + 1 };
      }
    }
    state = { ...state, v };
  };
  const served = (): void => {
    const since = inService;
    const next = waiting.shift();
    if (next !== undefined) inService = next.since;
    witness.left?.('served', now - since, state);
    state = { ...state, length: state.length - 1, m: next === undefined ? null : drawn(service) };
  };
  const waited = (place: number): void => {
    const { since, phase } = waiting[place];
    const to = picked(expiring[phase], random());
    if (to !== null) {
      waiting[place] = { since, phase: to };
      return;
    }
    witness.left?.('expired', now - since, state);
    waiting.splice(place, 1);
    state = { ...state, length: state.length - 1 };
  };
  for (let event = 0; event < events; event++) {
    const coming = arrivals.get(count)?.[state.v] ?? { total: 0, ways: [] };
    const ending = state.m === null ? { total: 0, ways: [] } : serving[state.m];
    let total = coming.total + ending.total;
    for (const { phase } of waiting) total += expiring[phase]?.total ?? 0;
    const time = standardExponential(random) / total;
    witness.stayed?.(state, time, count);
    now += time;
    const before = state;
    let u = random() * total;
    if (u < coming.total) {
      const { size, v } = picked(coming, u / coming.total);
      if (size > 0) enter(size, v);
      else state = { ...state, v };
    } else if (u < coming.total + ending.total) {
      const to = picked(ending, (u - coming.total) / ending.total);
      if (to === null) served();
      else state = { ...state, m: to };
    } else {
      u -= coming.total + ending.total;
      let place = 0;
      while (place < waiting.length - 1 && u >= (expiring[waiting[place].phase]?.total ?? 0)) {
        u -= expiring[waiting[place].phase]?.total ?? 0;
        place++;
      }
      waited(place);
    }
    if (before.length !== state.length || before.v !== state.v || before.m !== state.m) count = crawlers(state, random);
  }
}
