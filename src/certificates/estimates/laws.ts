/** Checks of fitted distributions: service times by moments or a sample, gaps between updates by their likelihood. */
import { createLaw, type Distribution } from '../../solvers/laws/index.ts';
import type { Findings } from '../findings.ts';
import { distributionOf } from '../laws.ts';
import { listIn, numberIn, numbersIn, objectAt, type WireObject, warningCodes } from '../wire.ts';

/** Relative tolerance of moments and likelihoods. */
const tolerance = 1e-8;

/** Checks the observed and fitted moments against the fitted distribution. */
export function checkServiceTime(request: WireObject, answer: WireObject, findings: Findings): void {
  const scale = numberIn(request, 'scale', 1);
  const sample = request.sample === undefined ? null : numbersIn(request, 'sample').map((x) => x / scale);
  const moments =
    sample === null
      ? Array.from(numbersIn(request, 'moments'), (moment, k) => moment / scale ** (k + 1))
      : [1, 2, 3].map((power) => sample.reduce((sum, x) => sum + x ** power / sample.length, 0));
  const solution = objectAt(answer, 'solution');
  const law = createLaw(distributionOf(solution, 'distribution'));
  const [, fitted] = ['observed', 'fitted'].map((name) => {
    const part = objectAt(solution, name);
    const raw = numbersIn(part, 'moments');
    const own = name === 'observed' ? moments : [law.mean, law.secondMoment];
    for (const [k, moment] of own.entries())
      findings.compare(`solution.${name}.moments`, raw[k], moment, { of: `moment ${k + 1}`, tolerance });
    const spread = own[1] - own[0] ** 2;
    findings.compare(`solution.${name}.mean`, part.mean, own[0], { tolerance });
    findings.compare(`solution.${name}.variance`, part.variance, spread, { tolerance, size: own[1] });
    findings.compare(`solution.${name}.scv`, part.scv, spread / own[0] ** 2, { tolerance, size: own[1] / own[0] ** 2 });
    return raw;
  });
  const exact = solution.logLikelihood === undefined && !warningCodes(answer).includes('two-moments');
  const reproduced = exact ? moments.slice(0, fitted.length) : moments.slice(0, 1);
  for (const [k, moment] of reproduced.entries())
    findings.compare('solution.fitted.moments', fitted[k], moment, { of: `moment ${k + 1}`, tolerance });
  if (sample !== null && solution.logLikelihood !== undefined) {
    const own = logLikelihoodOf(distributionOf(solution, 'distribution'), sample, 0);
    findings.compare('solution.logLikelihood', solution.logLikelihood, own, { tolerance, size: sample.length });
  }
}

/** Checks the likelihood of every candidate, and that they are sorted by AIC. */
export function checkUpdateProcess(request: WireObject, answer: WireObject, findings: Findings): void {
  const gaps = numbersIn(request, 'gaps');
  const open = numberIn(request, 'openGap', 0);
  let before = Number.NEGATIVE_INFINITY;
  for (const item of listIn(objectAt(answer, 'solution'), 'candidates')) {
    const candidate = objectAt(item);
    const distribution = distributionOf(candidate, 'distribution');
    const of = distribution.type;
    const field = 'solution.candidates';
    const own = logLikelihoodOf(distribution, gaps, open);
    findings.compare(`${field}.logLikelihood`, candidate.logLikelihood, own, {
      of,
      tolerance: 1e-6,
      size: gaps.length,
    });
    const aic = numberIn(candidate, 'aic');
    findings.expect(`${field}.aic`, aic >= before, `${of}: its AIC ${aic} is below the one before it`);
    before = aic;
  }
}

/** Σ log f(x) + log P(X > open); −∞ if the density at a value is 0. */
function logLikelihoodOf(distribution: Distribution, values: Float64Array, open: number): number {
  const { density, survival } = createLaw(distribution);
  if (density === null) return Number.NEGATIVE_INFINITY;
  return values.reduce((sum, value) => sum + Math.log(density(value)), Math.log(survival(open)));
}
