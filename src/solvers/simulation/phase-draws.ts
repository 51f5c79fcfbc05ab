/** What the simulated queue draws: changes of the arrival process, and times from phase-type laws. */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { Mode, PhaseTypeLaw } from '../queue/index.ts';

/** What may follow in one phase of one mode: total rate, and cumulated shares of (batch, next phase). */
export interface Choices {
  readonly rate: number;
  readonly cumulated: Float64Array;
  readonly batches: Int32Array;
  readonly phases: Int32Array;
}

/** Draws between two questions whether to stop. */
export const pollEvery = 8192;

/** What may follow in a phase of a mode, put together when it is first asked for. */
export function choicesOf(modes: readonly Mode[]): (mode: number, phase: number) => Choices {
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

export function choose(cumulated: Float64Array, u: number): number {
  let i = 0;
  while (i < cumulated.length - 1 && cumulated[i] <= u) i++;
  return i;
}

/**
 * Draws times to absorption. A law may change its phase billions of times before it ends; it is given up when `stop`
 * says so. What is drawn then is not a number, and so is every time that depends on it.
 */
export function phaseTypeSampler(law: PhaseTypeLaw, random: Random, stop: () => boolean): () => number {
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
export function nextPhases({ generator }: PhaseTypeLaw): Float64Array[] {
  return generator.map((row, phase) =>
    Float64Array.from(row, (_, to) => {
      let sum = 0;
      for (let k = 0; k <= to; k++) if (k !== phase) sum += row[k];
      return sum / -row[phase];
    }),
  );
}

export function cumulate(shares: readonly number[]): Float64Array {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return Float64Array.from(shares, (share) => {
    sum += share;
    return sum / total;
  });
}
