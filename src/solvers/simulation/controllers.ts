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
  modeAt(level: number, phase: number, m: number): number;
}

/** What decides how the policy is followed. */
export interface Followed {
  /** One of the two: the mode at each level, or at each level and phases. */
  readonly byLevel?: ModeByLevel;
  readonly byState?: StateModes;
  readonly service: PhaseTypeLaw;
}

export function controllerOf(queue: Followed, random: Random, stop: () => boolean): Controller {
  const { byLevel, byState, service } = queue;
  if (byState === undefined) {
    const draw = phaseTypeSampler(service, random, stop);
    const server: Server = { phase: 0, begin: draw, ends: () => true, stay: draw };
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
