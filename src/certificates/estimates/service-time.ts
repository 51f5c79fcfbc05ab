/**
 * Checks a fitted law against what was observed through the law itself: moments as integrals of its survival,
 * likelihoods as sums over its density. Nothing of the finder is shared.
 */

import { createLaw } from '../../solvers/laws/index.ts';
import { lawIn } from '../laws.ts';
import { numberIn, numbersIn, objectAt, type WireObject, warningCodes } from '../wire.ts';
import { logLikelihoodOf } from './likelihood.ts';

/** Likelihoods are compared to this, a value. */
const likelihoodTolerance = 1e-8;
const momentTolerance = 1e-8;

const differs = (a: number, b: number, tolerance: number): boolean => !(Math.abs(a - b) <= tolerance * Math.abs(b));

interface Observed {
  readonly mean: number;
  readonly moments: readonly number[];
}

/**
 * What is wrong with a law of service times; empty where nothing is. From moments: the law must reproduce the moments
 * it claims. A refusal must break a necessary condition: m2 ≥ m1², or the Stieltjes condition m1·m3 ≥ 1.5·m2² of
 * mixtures of exponential laws. From a sample: the likelihood is the sample's, and no exponential law has a larger one.
 */
export function verifyServiceTime(request: WireObject, answer: WireObject): string[] {
  const scale = numberIn(request, 'scale', 1);
  const sample = request.sample === undefined ? null : numbersIn(request, 'sample').map((x) => x / scale);
  const moments =
    sample === null
      ? Array.from(numbersIn(request, 'moments'), (moment, k) => moment / scale ** (k + 1))
      : momentsOf(sample);
  if (answer.status === 'infeasible') return refusedWrongly(moments);
  const violations: string[] = [];
  const solution = objectAt(answer, 'solution');
  const [observed, fitted] = ['observed', 'fitted'].map((name): Observed => {
    const part = objectAt(solution, name);
    const raw = Array.from(numbersIn(part, 'moments'));
    const [mean, variance, scv] = ['mean', 'variance', 'scv'].map((each) => numberIn(part, each));
    const spread = raw[1] - raw[0] ** 2;
    const off = Math.abs(variance - spread) > momentTolerance * raw[1] || differs(mean, raw[0], momentTolerance);
    if (off || Math.abs(scv * raw[0] ** 2 - variance) > momentTolerance * raw[1])
      violations.push(`${name}: mean, variance and scv are not those of the moments`);
    return { mean, moments: raw };
  });
  for (const [k, moment] of observed.moments.entries()) {
    if (differs(moment, moments[k], momentTolerance))
      violations.push(`moment ${k + 1} is ${moments[k]}; said to be ${moment}`);
  }
  const distribution = lawIn(solution, 'distribution');
  const law = createLaw(distribution);
  for (const [k, moment] of [law.mean, law.secondMoment].entries()) {
    if (differs(fitted.moments[k], moment, momentTolerance)) {
      violations.push(`moment ${k + 1} of the law is ${moment}; said to be ${fitted.moments[k]}`);
    }
  }
  if (differs(law.mean, moments[0], momentTolerance)) {
    violations.push(`the mean of the law is ${law.mean}; observed was ${moments[0]}`);
  }
  if (solution.logLikelihood === undefined) {
    const exact = !warningCodes(answer).includes('two-moments');
    if (exact && differs(law.secondMoment, moments[1], momentTolerance)) {
      violations.push(`the second moment of the law is ${law.secondMoment}; observed was ${moments[1]}`);
    }
    if (exact && differs(fitted.moments[2], moments[2], momentTolerance)) {
      violations.push(`the third moment is said to be ${fitted.moments[2]}; observed was ${moments[2]}`);
    }
    return violations;
  }
  if (sample === null) return [...violations, 'a likelihood is said, and there is no sample'];
  const said = numberIn(solution, 'logLikelihood');
  const likelihood = logLikelihoodOf(distribution, sample, 0);
  if (Math.abs(likelihood - said) > likelihoodTolerance * sample.length * Math.max(1, Math.abs(likelihood))) {
    violations.push(`the log-likelihood of the sample is ${likelihood}; said to be ${said}`);
  }
  const plain = logLikelihoodOf({ type: 'exponential', rate: 1 / moments[0] }, sample, 0);
  if (plain > likelihood + likelihoodTolerance * sample.length) {
    violations.push(
      `the exponential law of the same mean has the larger log-likelihood ${plain}, against ${likelihood}`,
    );
  }
  return violations;
}

function momentsOf(sample: Float64Array): number[] {
  return [1, 2, 3].map((power) => sample.reduce((sum, x) => sum + x ** power / sample.length, 0));
}

function refusedWrongly([m1, m2, m3]: readonly number[]): string[] {
  const n2 = m2 / m1 / m1;
  const n3 = m3 / m1 / m1 / m1;
  const feasible = n2 >= 1 && (n2 <= 2 || n3 > 1.5 * n2 * n2 * (1 + momentTolerance));
  return feasible ? [`refused, although a law has the moments ${m1}, ${m2}, ${m3}`] : [];
}
