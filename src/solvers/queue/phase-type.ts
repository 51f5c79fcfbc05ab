/**
 * Phase-type laws as the queue needs them: without unreachable phases, and with a single phase where the law is
 * exponential, whatever its matrices.
 *
 * Symbols: β[n] initial law · S[n×n] sub-generator · S0 = −S·e exit rates · mean β(−S)⁻¹e.
 * When a law is exponential: laws/exponential-form.ts.
 */
import { exponentialRateOf, reachablePhaseNumbers } from '../laws/exponential-form.ts';
import { phasesOf } from '../laws/families/phase-type.ts';
import { createLaw, type Distribution } from '../laws/index.ts';
import { solveByStateReduction } from '../numerics/linear/state-reduction.ts';
import type { PhaseType, PhaseTypeLaw } from './queue.ts';
import { checkRate } from './ranges.ts';

/**
 * Assembles a law.
 *
 * @param law initial law and generator as written, which the schema has checked
 * @param path where the law stands in the request
 * @throws ConditionNotMet for a rate too large or too small to compute with
 */
export function assemblePhaseType(law: PhaseTypeLaw, path: readonly (string | number)[]): PhaseType {
  for (const [i, row] of law.generator.entries()) {
    for (const [j, rate] of row.entries()) if (rate !== 0) checkRate(rate, [...path, 'generator', i, j]);
  }
  const { exit } = phasesOf(law);
  const order = writtenPhases(law);
  const total = law.initial.reduce((sum, value) => sum + value, 0);
  return {
    phases: order.length,
    initial: Float64Array.from(order, (phase) => law.initial[phase] / total),
    generator: Float64Array.from(order.flatMap((row) => order.map((column) => law.generator[row][column]))),
    exit: Float64Array.from(order, (phase) => exit[phase]),
  };
}

/** Where each phase of the assembled law stands in the law as written; phases that are never reached are left out. */
export function writtenPhases(law: PhaseTypeLaw): number[] {
  const reachablePhases = reachablePhaseNumbers(phasesOf(law));
  // The first phase is one that a law can begin in: state reduction normalises on the first state of a block.
  const first = reachablePhases.findIndex((phase) => law.initial[phase] > 0);
  return [reachablePhases[first], ...reachablePhases.filter((_, position) => position !== first)];
}

/** The law with one phase where it is exponential, else the law itself. */
export function recogniseExponential(law: PhaseType): PhaseType {
  const rate = exponentialRateOf(law);
  if (rate === null) return law;
  return { phases: 1, initial: Float64Array.of(1), generator: Float64Array.of(-rate), exit: Float64Array.of(rate) };
}

/** Mean of the law: β(−S)⁻¹e, by elimination without subtraction (state-reduction.ts). O(n³). */
export function meanOfPhaseType({ phases, initial, generator, exit }: PhaseType): number {
  const time = new Float64Array(phases).fill(1);
  solveByStateReduction(generator.slice(), exit.slice(), time, phases, 1);
  return initial.reduce((sum, share, phase) => sum + share * time[phase], 0);
}

/**
 * The phase-type form of a law that has one.
 *
 * @param property where the law stands in the request
 * @throws ConditionNotMet for a rate too large or too small to compute with, at the place where it was written
 */
export function phaseTypeForm(law: Distribution, property: 'service' | 'obsolescence'): PhaseTypeLaw {
  if ('rate' in law) checkRate(law.rate, [property, 'rate']);
  else if ('rates' in law) {
    for (const [branch, rate] of law.rates.entries()) checkRate(rate, [property, 'rates', branch]);
  }
  const form = createLaw(law).phaseType();
  if (form === null) throw new TypeError(`${law.type} has no phase-type form and should have been refused`);
  return form;
}
