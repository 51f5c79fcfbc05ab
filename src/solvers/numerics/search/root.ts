/**
 * The root of a continuous function whose values at `low` and `high` have opposite signs: Brent's method (R. P. Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 4). Stops when the bracket is within 2 ulp +
 * `tolerance`, or at an exact zero; never more than 200 evaluations.
 *
 * @param tolerance absolute, on the argument (default 0: as close as doubles allow)
 */
export function findRoot(f: (x: number) => number, low: number, high: number, tolerance = 0): number {
  let a = low;
  let b = high;
  let fa = f(a);
  let fb = f(b);
  if (fa === 0) return a;
  if (fb === 0) return b;
  let c = a;
  let fc = fa;
  let step = b - a;
  let previous = step;
  for (let i = 0; i < 200; i++) {
    if (Math.abs(fc) < Math.abs(fb)) {
      a = b;
      b = c;
      c = a;
      fa = fb;
      fb = fc;
      fc = fa;
    }
    const close = 2 * Number.EPSILON * Math.abs(b) + tolerance / 2;
    const middle = (c - b) / 2;
    if (Math.abs(middle) <= close || fb === 0) return b;
    if (Math.abs(previous) < close || Math.abs(fa) <= Math.abs(fb)) {
      step = middle;
      previous = middle;
    } else {
      const s = fb / fa;
      let p: number;
      let q: number;
      if (a === c) {
        p = 2 * middle * s;
        q = 1 - s;
      } else {
        const r = fb / fc;
        const t = fa / fc;
        p = s * (2 * middle * t * (t - r) - (b - a) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      else p = -p;
      if (2 * p < Math.min(3 * middle * q - Math.abs(close * q), Math.abs(previous * q))) {
        previous = step;
        step = p / q;
      } else {
        step = middle;
        previous = middle;
      }
    }
    a = b;
    fa = fb;
    b += Math.abs(step) > close ? step : middle > 0 ? close : -close;
    fb = f(b);
    if (fb > 0 === fc > 0) {
      c = a;
      fc = fa;
      step = b - a;
      previous = step;
    }
  }
  return b;
}
