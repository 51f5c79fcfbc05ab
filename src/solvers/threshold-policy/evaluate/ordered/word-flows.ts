/**
 * Flows of probability between levels of ordered phases, on the layout of ordered-phases.ts: a word leads, the b states
 * of (ν, m) follow it. So a page that comes or goes moves contiguous runs.
 */

/** Adds x·block to `carried`, where block leads from arrival phase to arrival phase and the service stays as it is. */
export function addArrivals(
  carried: Float64Array,
  x: Float64Array,
  block: Float64Array,
  w: number,
  phases: number,
): void {
  const b = w * phases;
  for (let phase = 0; phase < w; phase++) {
    for (let to = 0; to < w; to++) {
      const rate = block[phase * w + to];
      if (rate === 0) continue;
      for (let source = phase * phases, target = to * phases; source < x.length; source += b, target += b)
        for (let m = 0; m < phases; m++) carried[target + m] += rate * x[source + m];
    }
  }
}

/** Gives each word of `carried` one more waiting page, the youngest, in each phase s with chance initial[s]. */
export function grow(
  grown: Float64Array,
  carried: Float64Array,
  length: number,
  b: number,
  initial: Float64Array,
): void {
  const r = initial.length;
  for (let at = 0; at < length; at += b) {
    for (let s = 0; s < r; s++) {
      const target = at * r + s * b;
      for (let state = 0; state < b; state++) grown[target + state] = carried[at + state] * initial[s];
    }
  }
}

/** Expiries at one place of the words of `above`: behind it lie `run` states of the words without it. */
export function addExpiries(inflow: Float64Array, above: Float64Array, run: number, exit: Float64Array): void {
  const r = exit.length;
  for (let high = 0; high < inflow.length; high += run) {
    for (let s = 0; s < r; s++) {
      const rate = exit[s];
      const source = high * r + s * run;
      for (let low = 0; low < run; low++) inflow[high + low] += rate * above[source + low];
    }
  }
}

/**
 * As {@link addExpiries} at a place and the next, behind which lie `run` states, for two or more phases. A word in
 * which the two places have phases (s, x) or (x, s) leaves x at rate exit[s]; (x, x) does so twice.
 */
export function addBothExpiries(inflow: Float64Array, above: Float64Array, run: number, exit: Float64Array): void {
  const r = exit.length;
  for (let high = 0; high < inflow.length; high += run * r) {
    for (let x = 0; x < r; x++) {
      const target = high + x * run;
      const alike = high * r + x * (r + 1) * run;
      let both = 2 * exit[x];
      for (let s = 0; s < r; s++) {
        if (s === x) continue;
        const rate = exit[s];
        const one = (high + s * run) * r + x * run;
        const other = (high + x * run) * r + s * run;
        for (let low = 0; low < run; low++)
          inflow[target + low] += both * above[alike + low] + rate * (above[one + low] + above[other + low]);
        both = 0;
      }
    }
  }
}
