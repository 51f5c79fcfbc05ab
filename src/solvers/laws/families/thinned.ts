/**
 * The law of the time from one update that matters to the next, when each update matters with chance p: a geometric sum
 * of gaps.
 *
 * Exact where the gaps have phases (with chance q = 1 − p the chain begins again: T + t·qα), or one value (the sum is a
 * whole number of them). Otherwise by its renewal equation (thinned-table.ts). What they need, `prepare` makes, or the
 * first question: the table, or the chain of the phases.
 */
import type { Poll } from '../../budget.ts';
import type { Random } from '../../numerics/random/random.ts';
import type { Law, PhaseTypeForm } from '../law.ts';
import { type PhaseTypeLaw, phaseTypeLaw } from './phase-type.ts';
import { type SumMoments, thinnedMoments } from './thinned-table.ts';

/** A law with what it has to make before it can answer, which may take a second. */
interface PreparedLaw extends Law {
  /**
   * Makes it within a budget; once only.
   *
   * @param until the latest time that is asked about; left out: what times need is made when they are asked about
   * @throws NothingToReturn when `poll` says so
   */
  prepare(poll: Poll, until?: number): void;
}

/** @param p chance that an update matters, in (0, 1) */
export function thinnedLaw(gap: Law, p: number): PreparedLaw {
  const phases = gap.phaseType();
  const { mean, secondMoment } = gap;
  const q = 1 - p;
  const fixed = secondMoment <= mean * mean * (1 + 1e-15);
  const moments = phases === null ? (fixed ? wholeSteps(mean, p) : tabulated(gap, p)) : withPhases(phases, q);
  return {
    ...moments,
    mean: mean / p,
    secondMoment: secondMoment / p + (2 * q * mean * mean) / (p * p),
    laplace: (s) => (p * gap.laplace(s)) / (p + q * gap.laplaceComplement(s)),
    laplaceComplement: (s) => gap.laplaceComplement(s) / (p + q * gap.laplaceComplement(s)),
    density: null,
    sample(random: Random) {
      let sum = gap.sample(random);
      while (random() >= p) sum += gap.sample(random);
      return sum;
    },
    phaseType: () => (phases === null ? null : begunAgain(phases, q)),
  };
}

type Moments = Pick<PreparedLaw, 'survival' | 'truncatedMean' | 'truncatedSecondMoment' | 'prepare'>;

/** For what answers at once. */
const nothingToPrepare = (): void => {};

function withPhases(phases: PhaseTypeForm, q: number): Moments {
  let law: PhaseTypeLaw | null = null;
  const made = (poll?: Poll): PhaseTypeLaw => {
    if (law !== null) return law;
    const { initial, generator } = begunAgain(phases, q);
    law = phaseTypeLaw(
      { type: 'phase-type', initial: [...initial], generator: generator.map((row) => [...row]) },
      poll,
    );
    return law;
  };
  return {
    prepare: (poll, until = 0) => made(poll).prepare(poll, until),
    survival: (t) => made().survival(t),
    truncatedMean: (t) => made().truncatedMean(t),
    truncatedSecondMoment: (t) => made().truncatedSecondMoment(t),
  };
}

/** The chain that, where it would end, begins again with chance q. */
function begunAgain({ initial, generator }: PhaseTypeForm, q: number): PhaseTypeForm {
  const mass = initial.reduce((sum, each) => sum + each, 0);
  const again = generator.map((row) => {
    const exit = -row.reduce((sum, each) => sum + each, 0);
    return row.map((rate, j) => rate + Math.max(0, exit) * q * (initial[j] / mass));
  });
  return { initial, generator: again };
}

/** Multiples n of a fixed gap v: S(t) = q^⌊t/v⌋. */
function wholeSteps(v: number, p: number): Moments {
  const q = 1 - p;
  const left = (n: number): number => Math.exp(n * Math.log1p(-p));
  const steps = (t: number): number => Math.floor((t / v) * (1 + 1e-15));
  return {
    prepare: nothingToPrepare,
    survival: (t) => left(steps(t)),
    truncatedMean(t) {
      if (t === Number.POSITIVE_INFINITY) return v / p;
      const n = steps(t);
      return (-v * Math.expm1(n * Math.log1p(-p))) / p + Math.max(0, t - n * v) * left(n);
    },
    truncatedSecondMoment(t) {
      if (t === Number.POSITIVE_INFINITY) return (v * v * (1 + q)) / (p * p);
      const n = steps(t);
      const whole = -Math.expm1(n * Math.log1p(-p)) / p;
      // Σ k·q^k below n; where it all but cancels, by its series
      const risen = n * p < 1e-4 ? 0.5 * n * (n - 1) * (1 - (2 * p * (n - 2)) / 3 - p) : (q * whole - n * left(n)) / p;
      return v * v * (2 * risen + whole) + Math.max(0, t * t - n * n * v * v) * left(n);
    },
  };
}

function tabulated(gap: Law, p: number): Moments {
  let table: SumMoments | null = null;
  const made = (poll?: Poll): SumMoments => {
    table = table ?? thinnedMoments(gap, p, poll);
    return table;
  };
  return {
    prepare: (poll) => {
      made(poll);
    },
    survival: (t) => made().survival(t),
    truncatedMean: (t) => made().truncatedMean(t),
    truncatedSecondMoment: (t) => made().truncatedSecondMoment(t),
  };
}
