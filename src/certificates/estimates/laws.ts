/** Checks of fitted distributions: service times by their moments, gaps between updates by their order. */
import { createLaw } from '../../solvers/laws/index.ts';
import type { Findings } from '../findings.ts';
import { distributionOf } from '../laws.ts';
import { readList, readNumber, readNumbers, readObject, type WireObject, warningCodes } from '../wire.ts';

/** Relative tolerance of moments. */
const tolerance = 1e-8;

/** Checks the observed and fitted moments against the fitted distribution. */
export function checkServiceTime(request: WireObject, answer: WireObject, findings: Findings): void {
  const scale = readNumber(request, 'scale', 1);
  const sample = request.sample === undefined ? null : readNumbers(request, 'sample').map((x) => x / scale);
  const moments =
    sample === null
      ? Array.from(readNumbers(request, 'moments'), (moment, k) => moment / scale ** (k + 1))
      : [1, 2, 3].map((power) => sample.reduce((sum, x) => sum + x ** power / sample.length, 0));
  const solution = readObject(answer, 'solution');
  const law = createLaw(distributionOf(solution, 'distribution'));
  const [, fittedMoments] = ['observed', 'fitted'].map((name) => {
    const part = readObject(solution, name);
    const raw = readNumbers(part, 'moments');
    const own = name === 'observed' ? moments : [law.mean, law.secondMoment];
    for (const [k, moment] of own.entries())
      findings.compare(`solution.${name}.moments`, raw[k], moment, { of: `moment ${k + 1}`, tolerance });
    const spread = own[1] - own[0] ** 2;
    findings.compare(`solution.${name}.mean`, part.mean, own[0], { tolerance });
    findings.compare(`solution.${name}.variance`, part.variance, spread, { tolerance, size: own[1] });
    findings.compare(`solution.${name}.scv`, part.scv, spread / own[0] ** 2, { tolerance, size: own[1] / own[0] ** 2 });
    return raw;
  });
  const codes = warningCodes(answer);
  const reproducedCount = codes.includes('two-moments') ? 1 : codes.includes('third-moment-left') ? 2 : 3;
  for (const [k, moment] of moments.slice(0, reproducedCount).entries())
    findings.compare('solution.fitted.moments', fittedMoments[k], moment, { of: `moment ${k + 1}`, tolerance });
}

/** Checks that the candidates are sorted by AIC, which follows from their likelihoods; these are not computed again. */
export function checkUpdateProcess(_request: WireObject, answer: WireObject, findings: Findings): void {
  let previousAic = Number.NEGATIVE_INFINITY;
  for (const item of readList(readObject(answer, 'solution'), 'candidates')) {
    const candidate = readObject(item);
    const { type: of, ...parameters } = distributionOf(candidate, 'distribution');
    const aic = 2 * Object.keys(parameters).length - 2 * readNumber(candidate, 'logLikelihood');
    findings.compare('solution.candidates.aic', candidate.aic, aic, { of });
    findings.expect('solution.candidates.aic', aic >= previousAic, `${of}: its AIC ${aic} is below the one before it`);
    previousAic = aic;
  }
}
