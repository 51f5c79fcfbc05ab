/**
 * Phase-type laws as the queue needs them: checked, freed of phases that are never reached, and recognised as
 * exponential in whatever matrices they are written.
 *
 * Symbols: β[n] initial law · S[n×n] sub-generator · S0 = −S·e exit rates · mean β(−S)⁻¹e.
 * When a law is exponential: distributions/exponential-form.ts.
 */
import { ConditionNotMet } from '../../condition.ts';
import { exponentialRateOf } from '../../distributions/exponential-form.ts';
import { solveByStateReduction } from '../../numerics/linear/small-matrices.ts';
import type { PhaseType, PhaseTypeLaw } from './queue.ts';
import { checkRate } from './ranges.ts';

const tolerance = 1e-9;
const recognition = 1e-12;

/**
 * Checks a law and assembles it.
 *
 * @param law initial law and generator as written
 * @param path where the law stands in the request
 * @throws ConditionNotMet for an initial vector that is no distribution, or a matrix that is no non-singular sub-generator
 */
export function assemblePhaseType(law: PhaseTypeLaw, path: readonly (string | number)[]): PhaseType {
  const n = law.initial.length;
  if (n === 0) throw new ConditionNotMet([...path, 'initial'], 'no-phases', 'has no phases; give at least one');
  checkInitial(law.initial, [...path, 'initial']);
  const exit = checkGenerator(law.generator, n, [...path, 'generator']);
  const reached = reachablePhases(law);
  checkLeadsOut(law, exit, reached, [...path, 'generator']);
  const order = inOrder(law, reached);
  const total = law.initial.reduce((sum, value) => sum + value, 0);
  return {
    phases: order.length,
    initial: Float64Array.from(order, (phase) => law.initial[phase] / total),
    generator: Float64Array.from(order.flatMap((row) => order.map((column) => law.generator[row][column]))),
    exit: Float64Array.from(order, (phase) => exit[phase]),
  };
}

/** Where each phase of the assembled law stands in the law as it was written: phases that are never reached are left out. */
export function writtenPhases(law: PhaseTypeLaw): number[] {
  return inOrder(law, reachablePhases(law));
}

/** The first phase is one that a law can begin in: state reduction normalises on the first state of a block. */
function inOrder(law: PhaseTypeLaw, reached: readonly number[]): number[] {
  const first = reached.findIndex((phase) => law.initial[phase] > 0);
  return [reached[first], ...reached.filter((_, position) => position !== first)];
}

/** The law with one phase where it is exponential, else the law itself. */
export function recogniseExponential(law: PhaseType): PhaseType {
  const rate = exponentialRateOf(law);
  if (rate === null) return law;
  return {
    phases: 1,
    initial: new Float64Array([1]),
    generator: new Float64Array([-rate]),
    exit: new Float64Array([rate]),
  };
}

/** Mean of the law: β(−S)⁻¹e, by elimination without subtraction (small-matrices.ts). O(n³). */
export function meanOfPhaseType({ phases, initial, generator, exit }: PhaseType): number {
  const time = new Float64Array(phases).fill(1);
  solveByStateReduction(generator.slice(), exit.slice(), time, phases, 1);
  return initial.reduce((sum, share, phase) => sum + share * time[phase], 0);
}

function checkInitial(initial: readonly number[], path: readonly (string | number)[]): void {
  for (const [phase, share] of initial.entries()) {
    if (!(share >= 0)) {
      throw new ConditionNotMet(
        [...path, phase],
        'not-a-distribution',
        `is ${share}; a probability cannot be negative`,
      );
    }
  }
  const total = initial.reduce((sum, value) => sum + value, 0);
  if (!(Math.abs(total - 1) <= tolerance)) {
    throw new ConditionNotMet(path, 'not-a-distribution', `sums to ${total}; the initial probabilities must sum to 1`);
  }
}

/** Exit rates of a sub-generator, after checking that it is one. */
function checkGenerator(
  generator: readonly (readonly number[])[],
  n: number,
  path: readonly (string | number)[],
): Float64Array {
  if (generator.length !== n) {
    throw new ConditionNotMet(path, 'wrong-size', `has ${generator.length} rows; the initial vector has ${n} entries`);
  }
  const exit = new Float64Array(n);
  for (const [i, row] of generator.entries()) {
    if (row.length !== n) {
      throw new ConditionNotMet(
        [...path, i],
        'wrong-size',
        `has ${row.length} entries; expected ${n} (a square matrix)`,
      );
    }
    let sum = 0;
    for (const [j, rate] of row.entries()) {
      checkRate(rate, [...path, i, j]);
      sum += rate;
      if (i !== j && !(rate >= 0)) {
        throw new ConditionNotMet(
          [...path, i, j],
          'not-a-sub-generator',
          `is ${rate}; rates off the diagonal of a sub-generator cannot be negative`,
        );
      }
      if (i === j && !(rate < 0)) {
        throw new ConditionNotMet(
          [...path, i, j],
          'not-a-sub-generator',
          `is ${rate}; the diagonal of a sub-generator must be negative`,
        );
      }
    }
    if (!(sum <= tolerance * Math.abs(row[i]))) {
      throw new ConditionNotMet(
        [...path, i],
        'not-a-sub-generator',
        `sums to ${sum}; a row of a sub-generator sums to 0 or less (what is missing is the rate of the end)`,
      );
    }
    exit[i] = -sum > recognition * Math.abs(row[i]) ? -sum : 0;
  }
  return exit;
}

function reachablePhases(law: PhaseTypeLaw): number[] {
  const reached = new Set<number>();
  const open = law.initial.flatMap((share, phase) => (share > 0 ? [phase] : []));
  for (let phase = open.pop(); phase !== undefined; phase = open.pop()) {
    if (reached.has(phase)) continue;
    reached.add(phase);
    for (const [next, rate] of law.generator[phase].entries()) if (next !== phase && rate > 0) open.push(next);
  }
  return [...reached].sort((a, b) => a - b);
}

function checkLeadsOut(
  law: PhaseTypeLaw,
  exit: Float64Array,
  reached: readonly number[],
  path: readonly (string | number)[],
): void {
  const ending = new Set<number>(reached.filter((phase) => exit[phase] > 0));
  for (let grown = true; grown; ) {
    grown = false;
    for (const phase of reached) {
      if (ending.has(phase) || !law.generator[phase].some((rate, next) => rate > 0 && ending.has(next))) continue;
      ending.add(phase);
      grown = true;
    }
  }
  const stuck = reached.find((phase) => !ending.has(phase));
  if (stuck !== undefined) {
    throw new ConditionNotMet(
      [...path, stuck],
      'singular',
      `never ends: from phase ${stuck} no phase with an exit can be reached (the generator is singular); give some row of it a sum below 0`,
    );
  }
}
