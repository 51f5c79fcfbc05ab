/**
 * Inner loops of the row elimination, over columns of a matrix stored column by column. Small functions, so that the
 * compiler optimises each on its own; where it pays several columns at once, so that each number is loaded once.
 *
 * A column is given by its offset; entries `from`..`to` are treated.
 */

/** target += near·x; store = far·x, or += when `add`. */
export function pushColumn(
  g: Float64Array,
  x: number,
  target: number,
  store: number,
  near: number,
  far: number,
  from: number,
  to: number,
  add: boolean,
): void {
  if (add) {
    for (let i = from; i <= to; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] += far * value;
    }
  } else {
    for (let i = from; i <= to; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] = far * value;
    }
  }
}

/** Two steps of pushColumn at once: x into y and y into z; `storeX` and `storeY` are overwritten. */
export function pushTwoColumns(
  g: Float64Array,
  x: number,
  y: number,
  z: number,
  storeX: number,
  storeY: number,
  near: number,
  far: number,
  from: number,
  to: number,
): void {
  for (let i = from; i <= to; i++) {
    const a = g[x + i];
    const b = g[y + i] + near * a;
    g[z + i] += near * b;
    g[storeX + i] = far * a;
    g[storeY + i] = far * b;
  }
}

/** k += Σ_j factors[factorsAt + j]·(column j), j = first..last, columns `stride` apart; four at a time. */
export function addCombination(
  k: Float64Array,
  at: number,
  g: Float64Array,
  stride: number,
  factors: Float64Array,
  factorsAt: number,
  first: number,
  last: number,
  from: number,
  to: number,
): void {
  let j = first;
  for (; j + 3 <= last; j += 4) {
    const x = j * stride;
    addFour(k, at, g, x, stride, factors, factorsAt + j, from, to);
  }
  for (; j <= last; j++) {
    const x = j * stride;
    const factor = factors[factorsAt + j];
    for (let i = from; i <= to; i++) k[at + i] += factor * g[x + i];
  }
}

function addFour(
  k: Float64Array,
  at: number,
  g: Float64Array,
  x: number,
  stride: number,
  factors: Float64Array,
  f: number,
  from: number,
  to: number,
): void {
  const a = factors[f];
  const b = factors[f + 1];
  const c = factors[f + 2];
  const d = factors[f + 3];
  const y = x + stride;
  const z = y + stride;
  const w = z + stride;
  for (let i = from; i <= to; i++) {
    k[at + i] += a * g[x + i] + b * g[y + i] + (c * g[z + i] + d * g[w + i]);
  }
}

/**
 * One column of u_i = keep·u_{i∓1} + take·(g_{shifted i} + alpha·p), descending: i = top..1 reads entry i − 1, entry 0
 * takes the last value.
 */
export function recurDown(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  top: number,
  start: number,
  p: number,
  keep: number,
  take: number,
): void {
  let u = start;
  for (let i = top; i >= 1; i--) {
    u = keep * u + take * (g[x + i - 1] + alpha[i - 1] * p);
    g[x + i] = u;
  }
  g[x] = u;
}

/** The mirror image: i = from..last ascending reads entry min(i + 1, last). */
export function recurUp(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  from: number,
  last: number,
  start: number,
  p: number,
  keep: number,
  take: number,
): void {
  let u = start;
  for (let i = from; i <= last; i++) {
    const t = i < last ? i + 1 : last;
    u = keep * u + take * (g[x + t] + alpha[t] * p);
    g[x + i] = u;
  }
}
