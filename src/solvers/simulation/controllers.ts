/** What a simulated policy looks at, and the server that shows it. */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { ModeByLevel, PhaseTypeLaw } from '../queue/index.ts';
import { choose, cumulate, nextPhases, phaseTypeSampler } from './phase-draws.ts';

/** A mode for each state. */
export interface StateModes {
  /** table[(level·W + arrival phase)·M + service phase], M phases of the law as it is written. */
  readonly table: Uint8Array;
  readonly arrivalPhases: number;
}

/** A controller that does not see the phases, told what it sees. */
export interface BlindController {
  /** Time between two ticks of its clock. */
  readonly tick: number;
  /** The mode it chooses with so many pages in the system. */
  mode(level: number): number;
  /** A tick has passed, in this mode, with so many pages in the system at its end. */
  passed(mode: number, level: number): void;
  /** A batch has come while the crawlers were in this mode. */
  arrived(mode: number, size: number): void;
  /** A service begins. */
  begun(): void;
}

/** The service as the loop follows it: whole, or phase by phase. */
export interface Server {
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
export interface Controller {
  readonly server: Server;
  readonly blind?: BlindController;
  modeAt(level: number, phase: number, m: number): number;
}

/**
 * What a mode costs a time unit beyond what should be done there. "There" is a queue length and phases of arrivals and
 * indexing (m, as the law is written).
 */
export type Regret = (level: number, phase: number, m: number, mode: number) => number;

/** What decides how the policy is followed. */
export interface Followed {
  /** One of the three: the mode at each level, at each level and phases, or a controller for each run. */
  readonly byLevel?: ModeByLevel;
  readonly byState?: StateModes;
  readonly blind?: () => BlindController;
  /** With `blind`. */
  readonly regret?: Regret;
  readonly service: PhaseTypeLaw;
}

export function controllerOf(queue: Followed, random: Random, stop: () => boolean): Controller {
  const { byLevel, byState, service } = queue;
  if (byState === undefined) {
    const draw = phaseTypeSampler(service, random, stop);
    const server: Server = { phase: 0, begin: draw, ends: () => true, stay: draw };
    const blind = queue.blind?.();
    if (blind !== undefined) {
      // The controller does not see the phase of the service; what it should have done depends on it.
      const followed = queue.regret === undefined ? server : new PhasedServer(service, random);
      return { server: followed, blind, modeAt: (level) => blind.mode(level) };
    }
    const modes = byLevel ?? new Uint8Array(0);
    return { server, modeAt: (level) => modes[level] };
  }
  const { table, arrivalPhases } = byState;
  const phases = service.initial.length;
  return {
    server: new PhasedServer(service, random),
    modeAt: (level, phase, m) => table[(level * arrivalPhases + phase) * phases + m],
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
