/**
 * What keeps an initial vector and a matrix from being a phase-type law. Schemas ask this one check before a request is
 * solved, and the queue's model before it assembles a law.
 *
 * A law has initial probabilities that sum to 1 within 1e−9. Its generator is a square matrix of their number, negative
 * on its diagonal, not negative off it. Its rows sum to at most 0 (within 1e−12 of their diagonal). Absorption is
 * reached from every phase. O(n³).
 */
import { type PhaseType, phasesWithoutExit } from './phase-type.ts';

/** The first fault of a phase-type law: its place in the law, its code, a message, and the bad value. */
interface PhaseTypeFault {
  readonly path: readonly (string | number)[];
  readonly code: 'no-phases' | 'unequal-lengths' | 'out-of-range' | 'row-sum' | 'singular' | 'sum-not-one';
  readonly message: string;
  readonly value: unknown;
}

type Law = Pick<PhaseType, 'initial' | 'generator'>;

const sumTolerance = 1e-9;

export function phaseTypeFault(law: Law): PhaseTypeFault | null {
  if (law.initial.length === 0) {
    return { path: ['initial'], code: 'no-phases', message: 'has no phases; give at least one', value: law.initial };
  }
  return generatorFault(law) ?? initialFault(law);
}

function generatorFault({ initial, generator }: Law): PhaseTypeFault | null {
  const n = initial.length;
  const fault = (
    place: readonly number[],
    code: PhaseTypeFault['code'],
    message: string,
    value: unknown,
  ): PhaseTypeFault => ({ path: ['generator', ...place], code, message, value });
  if (generator.length !== n) {
    const message = `must have one row for each of the ${n} probabilities of initial; got ${generator.length}`;
    return fault([], 'unequal-lengths', message, generator);
  }
  for (const [i, row] of generator.entries()) {
    if (row.length !== n) {
      return fault([i], 'unequal-lengths', `must have ${n} entries, as many as there are rows; got ${row.length}`, row);
    }
    if (!(row[i] < 0)) return fault([i, i], 'out-of-range', `a diagonal entry must be negative; got ${row[i]}`, row[i]);
    const j = row.findIndex((rate, column) => column !== i && !(rate >= 0));
    if (j >= 0) return fault([i, j], 'out-of-range', `a rate between phases must be at least 0; got ${row[j]}`, row[j]);
    const sum = row.reduce((a, b) => a + b, 0);
    if (sum > -row[i] * 1e-12) {
      return fault([i], 'row-sum', `a row must sum to at most 0; this one sums to ${sum}: lower its diagonal`, row);
    }
  }
  const stuck = phasesWithoutExit({ initial, generator });
  if (stuck.length === 0) return null;
  const message = `from phase ${stuck[0]} (counted from 0) absorption is never reached; give it, or a phase it leads to, a row sum below 0`;
  return fault([stuck[0]], 'singular', message, generator[stuck[0]]);
}

function initialFault({ initial }: Law): PhaseTypeFault | null {
  const negative = initial.findIndex((share) => !(share >= 0));
  if (negative >= 0) {
    const message = `a probability must be at least 0; got ${initial[negative]}`;
    return { path: ['initial', negative], code: 'out-of-range', message, value: initial[negative] };
  }
  const sum = initial.reduce((a, b) => a + b, 0);
  if (Math.abs(sum - 1) <= sumTolerance) return null;
  const message = `must sum to 1 (within ${sumTolerance}); they sum to ${sum}`;
  return { path: ['initial'], code: 'sum-not-one', message, value: initial };
}
