/**
 * The logarithm of a transform from g = 1 − E e^(−sX) and A = s·E X − g = E[e^(−sX) − 1 + sX] ≥ 0: L = −ln(1 − g), and
 * its excess s·E X − L = A − (−ln(1 − g) − g). A has a positive form for every law, given with the law.
 */
import { logExcess } from '../numerics/special/incomplete-gamma.ts';
import { staleChanges } from '../numerics/special/stale-changes.ts';
import type { Law, LogTransform } from './law.ts';

/** A load at which the transform is zero for every purpose. */
const beyondDoubles = 668;

/**
 * @param secondOrder A(s)
 * @param heavyLoad L(s) where E e^(−sX) underflows, for laws that get there
 */
export function transformLoad(
  law: Pick<Law, 'mean' | 'laplace' | 'laplaceComplement'>,
  secondOrder: (s: number) => number,
  heavyLoad: (s: number) => number = () => beyondDoubles,
): LogTransform {
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

/** ln(e^(−y) − 1 + y) at y = e^logY: concave in logY, of slope 2 for small y and 1 for large. */
export function logStaleLoad(logY: number): number {
  // e^logY − 1 is e^logY to the last bit, and may overflow
  if (logY > 40) return logY;
  return logY < -20 ? 2 * logY - Math.LN2 - Math.exp(logY) / 3 : Math.log(staleChanges(Math.exp(logY)));
}

/** Slope of {@link logStaleLoad}. */
export function logStaleSlope(logY: number): number {
  if (logY < -20) return 2;
  const y = Math.exp(logY);
  return y > 700 ? 1 + 1 / y : (-y * Math.expm1(-y)) / staleChanges(y);
}
