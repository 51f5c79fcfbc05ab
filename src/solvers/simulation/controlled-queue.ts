/**
 * Discrete-event simulation of the threshold-policy queue, under any policy that is a mode for each queue length, or for
 * each queue length, arrival phase and service phase.
 *
 * Events: changes of the arrival process (with a batch or without), ends of service, expiries. Times of service and of
 * obsolescence are drawn whole from their phase-type laws as the caller wrote them (service phase by phase where the
 * policy looks at its phase), pages are followed one by one: nothing
 * is shared with the analytic solvers but the arrival matrices of the modes. The exponential time to the next change of
 * the arrival process is drawn anew when the mode changes, which its memorylessness allows.
 * Cost: O(log K) an event; about 0.3 µs to 1 µs each.
 */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { Admission, Discipline, Mode, ModeByLevel, PhaseTypeLaw } from '../threshold-policy/index.ts';
import { WaitingPages } from './waiting-pages.ts';

/** A mode for each state. */
export interface StateModes {
  /** table[(level·W + arrival phase)·M + service phase], M phases of the law as it is written. */
  readonly table: Uint8Array;
  readonly arrivalPhases: number;
}

export interface SimulatedQueue {
  readonly capacity: number;
  /** The longest the queue can be. */
  readonly topLevel: number;
  readonly admission: Admission;
  readonly discipline: Discipline;
  readonly modes: readonly Mode[];
  /** One of the two: the mode at each level, or at each level and phases. */
  readonly byLevel?: ModeByLevel;
  readonly byState?: StateModes;
  readonly service: PhaseTypeLaw;
  readonly obsolescence: PhaseTypeLaw | null;
}

/** What was counted in one run, after its warm-up. */
export interface QueueCounts {
  readonly time: number;
  readonly arrived: number;
  readonly lost: number;
  readonly expired: number;
  readonly served: number;
  /** Integrals over time. */
  readonly emptyTime: number;
  readonly crawlerTime: number;
  readonly pageTime: number;
  /** Sums over the pages that left. */
  readonly servedSojourn: number;
  readonly expiredSojourn: number;
  readonly events: number;
}

/** What may follow in one phase of one mode: total rate, and cumulated shares of (batch, next phase). */
interface Choices {
  readonly rate: number;
  readonly cumulated: Float64Array;
  readonly batches: Int32Array;
  readonly phases: Int32Array;
}

const pollEvery = 8192;

/**
 * One run: starts empty, in the first arrival phase; `warmUp` is simulated but not counted, then `horizon`.
 *
 * @param stop polled every few thousand events and changes of phase; a run that is stopped returns null
 */
export function simulateQueue(
  queue: SimulatedQueue,
  horizon: number,
  warmUp: number,
  random: Random,
  stop: () => boolean,
): QueueCounts | null {
  const choicesAt = choicesOf(queue.modes);
  const drawExpiry = queue.obsolescence === null ? null : phaseTypeSampler(queue.obsolescence, random, stop);
  const waiting = new WaitingPages(Math.max(1, queue.topLevel), random);
  const { capacity, modes } = queue;
  const { server, modeAt } = controllerOf(queue, random, stop);
  const end = warmUp + horizon;
  const counts = { arrived: 0, lost: 0, expired: 0, served: 0, servedSojourn: 0, expiredSojourn: 0 };
  let [emptyTime, crawlerTime, pageTime] = [0, 0, 0];
  let now = 0;
  let level = 0;
  let phase = 0;
  let mode = modeAt(0, phase, 0);
  let inService = 0;
  let serviceEnd = Number.POSITIVE_INFINITY;
  let nextChange = standardExponential(random) / choicesAt(mode, phase).rate;
  let events = 0;
  let counting = warmUp === 0;
  for (;;) {
    if (++events % pollEvery === 0 && stop()) return null;
    const expiry = waiting.nextExpiry;
    const next = Math.min(nextChange, serviceEnd, expiry);
    if (Number.isNaN(next)) return null;
    if (!counting && next >= warmUp) {
      counting = true;
      now = warmUp;
      for (const name of countNames) counts[name] = 0;
    }
    const span = Math.min(next, end) - now;
    if (counting) {
      if (level === 0) emptyTime += span;
      crawlerTime += span * modes[mode].crawlers;
      pageTime += span * level;
    }
    if (next >= end) break;
    now = next;
    if (next === serviceEnd && !server.ends()) serviceEnd = now + server.stay();
    else if (next === serviceEnd) {
      counts.served++;
      counts.servedSojourn += now - inService;
      level--;
      if (level > 0) {
        inService = queue.discipline === 'fifo' ? waiting.takeOldest() : waiting.takeRandom();
        serviceEnd = now + server.begin();
      } else serviceEnd = Number.POSITIVE_INFINITY;
    } else if (next === expiry) {
      counts.expired++;
      counts.expiredSojourn += now - waiting.takeExpired();
      level--;
    } else {
      const here = choicesAt(mode, phase);
      const chosen = choose(here.cumulated, random());
      const size = here.batches[chosen];
      phase = here.phases[chosen];
      if (size > 0) {
        counts.arrived += size;
        let entering = size;
        if (queue.admission === 'partial') entering = Math.min(size, capacity - level);
        else if (queue.admission === 'complete-rejection') entering = level + size <= capacity ? size : 0;
        else if (level >= capacity) entering = 0;
        counts.lost += size - entering;
        for (let page = 0; page < entering; page++) {
          if (level === 0) {
            inService = now;
            serviceEnd = now + server.begin();
          } else waiting.add(now, drawExpiry === null ? Number.POSITIVE_INFINITY : now + drawExpiry());
          level++;
        }
      }
      nextChange = Number.NaN;
    }
    const previous = mode;
    mode = modeAt(level, phase, server.phase);
    if (Number.isNaN(nextChange) || mode !== previous) {
      nextChange = now + standardExponential(random) / choicesAt(mode, phase).rate;
    }
  }
  return { time: horizon, ...counts, emptyTime, crawlerTime, pageTime, events };
}

const countNames = ['arrived', 'lost', 'expired', 'served', 'servedSojourn', 'expiredSojourn'] as const;

/** The service as the loop follows it: whole, or phase by phase. */
interface Server {
  /** The phase of the service; 0 where it is followed whole. */
  readonly phase: number;
  /** Begins a service: the time until its end, or until its first change of phase. */
  begin(): number;
  /** Draws whether the service ends now, or goes on in another phase. */
  ends(): boolean;
  /** The time in the phase. */
  stay(): number;
}

/** What the policy looks at, and the server that shows it. */
function controllerOf({ byLevel, byState, service }: SimulatedQueue, random: Random, stop: () => boolean) {
  if (byState === undefined) {
    const draw = phaseTypeSampler(service, random, stop);
    const server: Server = { phase: 0, begin: draw, ends: () => true, stay: draw };
    const modes = byLevel ?? new Uint8Array(0);
    return { server, modeAt: (level: number, _phase: number, _m: number): number => modes[level] };
  }
  const { table, arrivalPhases } = byState;
  const phases = service.initial.length;
  return {
    server: new PhasedServer(service, random),
    modeAt: (level: number, phase: number, m: number): number => table[(level * arrivalPhases + phase) * phases + m],
  };
}

class PhasedServer implements Server {
  phase = 0;
  readonly #start: Float64Array;
  readonly #out: readonly number[];
  readonly #next: readonly Float64Array[];
  readonly #random: Random;

  constructor(law: PhaseTypeLaw, random: Random) {
    this.#start = cumulate(law.initial);
    this.#out = law.generator.map((row, phase) => -row[phase]);
    this.#next = nextPhases(law);
    this.#random = random;
  }

  begin(): number {
    this.phase = choose(this.#start, this.#random());
    return this.stay();
  }

  ends(): boolean {
    const u = this.#random();
    const next = this.#next[this.phase];
    if (next.length === 1 || u >= next[next.length - 1]) return true;
    this.phase = choose(next, u);
    return false;
  }

  stay(): number {
    return standardExponential(this.#random) / this.#out[this.phase];
  }
}

/** What may follow in a phase of a mode, put together when it is first asked for. */
function choicesOf(modes: readonly Mode[]): (mode: number, phase: number) => Choices {
  const known = modes.map((): Choices[] => []);
  return (mode, phase) => {
    const phases = known[mode];
    phases[phase] ??= choicesFrom(modes[mode], phase);
    return phases[phase];
  };
}

function choicesFrom({ matrices }: Mode, phase: number): Choices {
  const w = Math.round(Math.sqrt(matrices[0].length));
  const rates: number[] = [];
  const batches: number[] = [];
  const phases: number[] = [];
  let rate = 0;
  for (const [batch, matrix] of matrices.entries()) {
    for (let to = 0; to < w; to++) {
      const flow = matrix[phase * w + to];
      if (!(flow > 0) || (batch === 0 && to === phase)) continue;
      rate += flow;
      rates.push(rate);
      batches.push(batch);
      phases.push(to);
    }
  }
  return {
    rate,
    cumulated: Float64Array.from(rates, (cumulated) => cumulated / rate),
    batches: Int32Array.from(batches),
    phases: Int32Array.from(phases),
  };
}

function choose(cumulated: Float64Array, u: number): number {
  let i = 0;
  while (i < cumulated.length - 1 && cumulated[i] <= u) i++;
  return i;
}

/**
 * Draws times to absorption. A law that changes its phase billions of times before it ends is given up when `stop` says so:
 * what is drawn then is not a number, and so is every time that depends on it.
 */
function phaseTypeSampler(law: PhaseTypeLaw, random: Random, stop: () => boolean): () => number {
  const n = law.initial.length;
  const start = cumulate(law.initial);
  const out = law.generator.map((row, phase) => -row[phase]);
  const next = nextPhases(law);
  let changes = 0;
  return () => {
    let time = 0;
    let phase = choose(start, random());
    for (;;) {
      if (++changes % pollEvery === 0 && stop()) return Number.NaN;
      time += standardExponential(random) / out[phase];
      const u = random();
      if (n === 1 || u >= next[phase][n - 1]) return time;
      phase = choose(next[phase], u);
    }
  };
}

/** From each phase: cumulated shares of the next phases; what is missing to 1 is the end. */
function nextPhases({ generator }: PhaseTypeLaw): Float64Array[] {
  return generator.map((row, phase) =>
    Float64Array.from(row, (_, to) => {
      let sum = 0;
      for (let k = 0; k <= to; k++) if (k !== phase) sum += row[k];
      return sum / -row[phase];
    }),
  );
}

function cumulate(shares: readonly number[]): Float64Array {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return Float64Array.from(shares, (share) => {
    sum += share;
    return sum / total;
  });
}
