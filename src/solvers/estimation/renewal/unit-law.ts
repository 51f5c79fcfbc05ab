/**
 * A law of mean 1 as tables: ln P(X > t) and ln P(E > t), linear in t between points. Here E is the time left of a gap
 * in equilibrium.
 *
 * There are 32 points an octave from 2⁻¹⁰ to 2⁸ means. The cell of a time is read off the bits of its floating-point
 * number: its exponent and the first five digits of its mantissa. Below, the chance of an update grows in proportion to
 * t. Beyond, the logarithm falls in proportion to ln t as at the end, which is exact for a power law. Logarithms below
 * −60 count as −60: such a survival is none.
 */
import { createLaw, type Distribution } from '../../laws/index.ts';

const octaves = 18;
const cellsPerOctave = 32;
const cells = octaves * cellsPerOctave;
const shortest = 2 ** -10;
const longest = shortest * 2 ** octaves;
/** Of the upper half of a double: what stands above the first five digits of the mantissa. */
const shift = 15;
const leastLog = -60;

export interface UnitLaw {
  /** P(X > t). */
  survival(t: number): number;
  /** P(E > t) = ∫ₜ P(X > u) du. */
  equilibrium(t: number): number;
}

/** The tables of a law whose mean is 1. */
export function unitLaw(distribution: Distribution): UnitLaw {
  const law = createLaw(distribution);
  return {
    survival: tabulated((t) => law.survival(t)),
    equilibrium: tabulated((t) => 1 - law.truncatedMean(t) / law.mean),
  };
}

function tabulated(survival: (t: number) => number): (t: number) => number {
  const constant = new Float64Array(cells);
  const slope = new Float64Array(cells);
  const logAt = (t: number): number => Math.max(leastLog, Math.log(Math.max(0, survival(t))));
  const timeAt = (k: number): number =>
    shortest * 2 ** Math.floor(k / cellsPerOctave) * (1 + (k % cellsPerOctave) / cellsPerOctave);
  let here = logAt(shortest);
  const first = here / shortest;
  for (let k = 0; k < cells; k++) {
    const after = logAt(timeAt(k + 1));
    slope[k] = (after - here) / (timeAt(k + 1) - timeAt(k));
    constant[k] = here - slope[k] * timeAt(k);
    here = after;
  }
  const last = here;
  const power = slope[cells - 1] * longest;
  const number = new Float64Array([shortest]);
  const words = new Uint32Array(number.buffer);
  const offset = words[1] >>> shift;
  return (t) => {
    if (t < shortest) return t > 0 ? Math.exp(first * t) : 1;
    if (t >= longest) return Math.exp(Math.max(leastLog, last + power * Math.log(t / longest)));
    number[0] = t;
    const k = (words[1] >>> shift) - offset;
    return Math.exp(constant[k] + slope[k] * t);
  };
}
