/**
 * a·b exactly, as the rounded product and its error (T. J. Dekker, A floating-point technique for extending the
 * available precision, Numer. Math. 18, 1971). Exact unless a factor exceeds 1e300 or the error underflows.
 */
export function exactProduct(a: number, b: number): { readonly product: number; readonly error: number } {
  const product = a * b;
  const [a1, a2] = splitHalves(a);
  const [b1, b2] = splitHalves(b);
  const error = a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2);
  return { product, error: Number.isFinite(error) ? error : 0 };
}

/** x as the sum of two numbers of 26 bits each (Veltkamp). */
function splitHalves(x: number): [high: number, low: number] {
  const splitProduct = 134217729 * x;
  const high = splitProduct - (splitProduct - x);
  return [high, x - high];
}
