/**
 * Checks sizes and ranges of what is assembled. It refuses, before anything is multiplied out, what would not fit the
 * memory. It also refuses rates that leave the range in which sums and products of rates are doubles.
 */
import { ConditionNotMet } from '../condition.ts';

type Path = readonly (string | number)[];

/** Positive rates lie between these two. */
export const smallestRate = 1e-100;
export const largestRate = 1e100;
/** The most numbers (8 bytes each) that the arrival matrices of all modes may take. */
const maxArrivalCells = 30_000_000;

/** @throws ConditionNotMet for a rate that is not 0 and out of range */
export function checkRate(rate: number, path: Path): void {
  const size = Math.abs(rate);
  if (size === 0 || (size >= smallestRate && size <= largestRate)) return;
  throw new ConditionNotMet(
    path,
    'rate-out-of-range',
    `comes to a rate of ${rate}; rates are 0 or between ${smallestRate} and ${largestRate} a time unit: change the time ` +
      'unit, or leave out what hardly ever happens',
  );
}

/** @throws ConditionNotMet when the matrices of all modes together have more than {@link maxArrivalCells} numbers */
export function checkArrivalSize(modes: number, matrices: number, phases: number): void {
  const cells = modes * matrices * phases ** 2;
  if (cells <= maxArrivalCells) return;
  throw new ConditionNotMet(
    ['arrivals'],
    'too-many-states',
    `have ${modes} modes of ${matrices} matrices with ${phases} phases, ${cells} numbers; at most ${maxArrivalCells} are ` +
      'kept: use fewer modes, smaller batches or fewer phases',
  );
}
