/** Logarithms of transforms, and transforms of laws whose logarithm is a simple variable. */
import { integrateLogConcave } from '../numerics/quadrature/log-concave.ts';
import { logExcess } from '../numerics/special/incomplete-gamma.ts';
import { staleChanges } from '../numerics/special/stale-changes.ts';
import type { Law, LogLaplace } from './law.ts';

/** Load above which the transform e^(−load) counts as 0. */
const underflowLoad = 668;

/**
 * The logarithm of a transform from g = 1 − E e^(−sX) and A = s·E X − g = E[e^(−sX) − 1 + sX] ≥ 0: L = −ln(1 − g), and
 * its excess s·E X − L = A − (−ln(1 − g) − g). A has a positive form for every law, given with the law.
 *
 * @param secondOrder A(s)
 * @param heavyLoad L(s) where E e^(−sX) underflows, for laws that get there
 */
export function logLaplaceOf(
  law: Pick<Law, 'mean' | 'laplace' | 'laplaceComplement'>,
  secondOrder: (s: number) => number,
  heavyLoad: (s: number) => number = () => underflowLoad,
): LogLaplace {
  const load = (s: number): number => {
    const g = law.laplaceComplement(s);
    if (g < 0.5) return -Math.log1p(-g);
    const h = law.laplace(s);
    return h > 1e-290 ? -Math.log(h) : heavyLoad(s);
  };
  const excess = (s: number): number => {
    const g = law.laplaceComplement(s);
    return g < 0.5 ? Math.max(0, secondOrder(s) - logExcess(-g)) : Math.max(0, s * law.mean - load(s));
  };
  return { load, excess, expensive: true };
}

/** Transforms of X from its mean and the law of W, ln X = location + scale·W. */
interface LogScaleTransforms extends Pick<Law, 'laplace' | 'laplaceComplement'> {
  readonly logLaplace: LogLaplace;
}

/**
 * Transforms of X = e^(location + scale·W). Each is an integral over W of a log-concave function: its density times
 * e^(−y), 1 − e^(−y) or e^(−y) − 1 + y at y = sX, whose logarithms are concave in ln y.
 *
 * @param logDensity of W, concave and finite, largest near 0
 */
export function logScaleTransforms(
  mean: number,
  location: number,
  scale: number,
  logDensity: (w: number) => number,
): LogScaleTransforms {
  /** ln E factor(y), given ln factor as a function of ln y. */
  const logMean = (s: number, logFactor: (logY: number) => number, atOne = false): number => {
    const shift = Math.log(s) + location;
    const { logPeak, relative } = integrateLogConcave(
      (w) => logDensity(w) + logFactor(shift + scale * w),
      atOne ? Math.min(0, -shift / scale) : 0,
    );
    return logPeak + Math.log(relative);
  };
  const logUnchanged = (s: number): number =>
    Math.min(
      0,
      logMean(s, (logY) => -Math.exp(logY), true),
    );
  const laplaceComplement = (s: number): number => {
    if (s === 0 || s === Infinity) return s === 0 ? 0 : 1;
    const logChanged = (logY: number) => (logY < -37 ? logY : Math.log(-Math.expm1(-Math.exp(logY))));
    return Math.min(1, Math.exp(logMean(s, logChanged)));
  };
  // where the transform is near 1 it comes from the complement, whose integrand has its mass in one place
  const laplace = (s: number): number => {
    const complement = laplaceComplement(s);
    if (complement < 0.5) return 1 - complement;
    return s === Infinity ? 0 : Math.exp(logUnchanged(s));
  };
  const logLaplace = logLaplaceOf(
    { mean, laplace, laplaceComplement },
    (s) => Math.exp(logMean(s, logStaleChanges)),
    (s) => -logUnchanged(s),
  );
  return { laplace, laplaceComplement, logLaplace };
}

/** ln(e^(−y) − 1 + y) at y = e^logY: concave in logY, of slope 2 for small y and 1 for large. */
function logStaleChanges(logY: number): number {
  // e^logY − 1 is e^logY to the last bit, and may overflow
  if (logY > 40) return logY;
  return logY < -20 ? 2 * logY - Math.LN2 - Math.exp(logY) / 3 : Math.log(staleChanges(Math.exp(logY)));
}
