/**
 * Checks a fitted law against what was observed through the law itself: moments as integrals of its survival,
 * likelihoods as sums over its density. Nothing of the finder is shared.
 */

import type { ServiceTimeFit } from '../../solvers/estimation/laws/solve-service-time.ts';
import type { ServiceTimeProblem } from '../../solvers/estimation/problem.ts';
import { createLaw } from '../../solvers/laws/index.ts';
import { lawIn } from '../laws.ts';
import { numberIn, numbersIn, objectAt, type WireObject, warningCodes } from '../wire.ts';
import { logLikelihoodOf } from './likelihood.ts';

/** Likelihoods are compared to this, a value. */
const likelihoodTolerance = 1e-8;
const momentTolerance = 1e-8;

const differs = (a: number, b: number, tolerance: number): boolean => !(Math.abs(a - b) <= tolerance * Math.abs(b));

type Observed = Pick<ServiceTimeFit['observed'], 'mean' | 'moments'>;

/** What is checked of a fit. */
type Fitted = Pick<ServiceTimeFit, 'kind' | 'distribution' | 'logLikelihood'> & {
  readonly observed: Observed;
  readonly fitted: Observed;
  readonly warnings: readonly { readonly code: string }[];
};

/**
 * What is wrong with a law of service times; empty where nothing is. From moments: the law must reproduce the moments
 * it claims. A refusal must break a necessary condition: m2 ≥ m1², or the Stieltjes condition m1·m3 ≥ 1.5·m2² of
 * mixtures of exponential laws. From a sample: the likelihood is the sample's, and no exponential law has a larger one.
 */
export function certifyServiceTime(
  problem: ServiceTimeProblem,
  answer: Fitted | { readonly kind: 'impossible'; readonly observed: Observed },
): string[] {
  if (answer.kind === 'impossible') return refusedWrongly(answer.observed.moments);
  const violations: string[] = [];
  const { distribution, observed, fitted, logLikelihood } = answer;
  const law = createLaw(distribution);
  const own = [law.mean, law.secondMoment];
  for (const [k, moment] of own.entries()) {
    if (differs(fitted.moments[k], moment, momentTolerance)) {
      violations.push(`moment ${k + 1} of the law is ${moment}; said to be ${fitted.moments[k]}`);
    }
  }
  if (differs(law.mean, observed.mean, momentTolerance)) {
    violations.push(`the mean of the law is ${law.mean}; observed was ${observed.mean}`);
  }
  if (logLikelihood === undefined) {
    const exact = !answer.warnings.some(({ code }) => code === 'two-moments');
    if (exact && differs(law.secondMoment, observed.moments[1], momentTolerance)) {
      violations.push(`the second moment of the law is ${law.secondMoment}; observed was ${observed.moments[1]}`);
    }
    if (exact && differs(fitted.moments[2], observed.moments[2], momentTolerance)) {
      violations.push(`the third moment is said to be ${fitted.moments[2]}; observed was ${observed.moments[2]}`);
    }
    return violations;
  }
  if (!('sample' in problem)) return [...violations, 'a likelihood is said, and there is no sample'];
  const sample = problem.sample.map((x) => x / problem.scale);
  const likelihood = logLikelihoodOf(distribution, sample, 0);
  if (Math.abs(likelihood - logLikelihood) > likelihoodTolerance * sample.length * Math.max(1, Math.abs(likelihood))) {
    violations.push(`the log-likelihood of the sample is ${likelihood}; said to be ${logLikelihood}`);
  }
  const plain = logLikelihoodOf({ type: 'exponential', rate: 1 / observed.mean }, sample, 0);
  if (plain > likelihood + likelihoodTolerance * sample.length) {
    violations.push(
      `the exponential law of the same mean has the larger log-likelihood ${plain}, against ${likelihood}`,
    );
  }
  return violations;
}

/** The same of a request and an answer of the contract. */
export function verifyServiceTime(request: WireObject, answer: WireObject): string[] {
  const scale = numberIn(request, 'scale', 1);
  const sample = request.sample === undefined ? null : numbersIn(request, 'sample');
  const given = sample === null ? Array.from(numbersIn(request, 'moments')) : momentsOf(sample);
  const moments = given.map((moment, k) => moment / scale ** (k + 1));
  const problem = sample === null ? { moments: given, scale } : { sample, scale };
  const observed = { mean: moments[0], moments: threeOf(moments) };
  if (answer.status === 'infeasible') return certifyServiceTime(problem, { kind: 'impossible', observed });
  const solution = objectAt(answer, 'solution');
  const told = (name: string): Observed => {
    const part = objectAt(solution, name);
    return { mean: numberIn(part, 'mean'), moments: threeOf(numbersIn(part, 'moments')) };
  };
  const wrong = told('observed').moments.flatMap((moment, k) =>
    differs(moment, moments[k], momentTolerance) ? [`moment ${k + 1} is ${moments[k]}; said to be ${moment}`] : [],
  );
  for (const name of ['observed', 'fitted']) {
    const { mean, moments: raw } = told(name);
    const [variance, scv] = ['variance', 'scv'].map((each) => numberIn(objectAt(solution, name), each));
    const spread = raw[1] - raw[0] ** 2;
    const off = Math.abs(variance - spread) > momentTolerance * raw[1] || differs(mean, raw[0], momentTolerance);
    if (off || Math.abs(scv * raw[0] ** 2 - variance) > momentTolerance * raw[1])
      wrong.push(`${name}: mean, variance and scv are not those of the moments`);
  }
  const likelihood = solution.logLikelihood;
  const fit = {
    kind: 'fitted',
    distribution: lawIn(solution, 'distribution'),
    observed,
    fitted: told('fitted'),
    warnings: warningCodes(answer).map((code) => ({ code })),
    ...(typeof likelihood === 'number' && { logLikelihood: likelihood }),
  } as const;
  return [...wrong, ...certifyServiceTime(problem, fit)];
}

function momentsOf(sample: Float64Array): number[] {
  return [1, 2, 3].map((power) => sample.reduce((sum, x) => sum + x ** power / sample.length, 0));
}

function threeOf([first, second, third]: ArrayLike<number> & Iterable<number>): [number, number, number] {
  return [first, second, third];
}

function refusedWrongly([m1, m2, m3]: readonly [number, number, number]): string[] {
  const n2 = m2 / m1 / m1;
  const n3 = m3 / m1 / m1 / m1;
  const feasible = n2 >= 1 && (n2 <= 2 || n3 > 1.5 * n2 * n2 * (1 + momentTolerance));
  return feasible ? [`refused, although a law has the moments ${m1}, ${m2}, ${m3}`] : [];
}
