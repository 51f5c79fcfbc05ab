/**
 * Golden-section search (Kiefer 1953) for the minimum of a unimodal function on [low, high], to an interval of at most
 * `tolerance`. Complexity: one evaluation a step, log(width/tolerance)/log φ steps.
 */
export function goldenSection(
  f: (x: number) => number,
  low: number,
  high: number,
  tolerance: number,
): { at: number; value: number } {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let a = low;
  let b = high;
  let x = b - ratio * (b - a);
  let y = a + ratio * (b - a);
  let fx = f(x);
  let fy = f(y);
  while (b - a > tolerance) {
    if (fx < fy) {
      b = y;
      y = x;
      fy = fx;
      x = b - ratio * (b - a);
      fx = f(x);
    } else {
      a = x;
      x = y;
      fx = fy;
      y = a + ratio * (b - a);
      fy = f(y);
    }
  }
  return fx < fy ? { at: x, value: fx } : { at: y, value: fy };
}
