/** The cost of a cycle straight from the papers' formula, with nothing shared with the solver. */

/** A page, its change rate μ, its weight c and h = E e^(−μX). */
export interface NaivePage {
  readonly rate: number;
  readonly weight: number;
  readonly transform: number;
}

/**
 * C = Σ c_i[1 − Σ_m(1 − h_i^{d_m})/(K·E X·μ_i)]; an absent page costs c_i (Coffman, Liu & Weber 1997, (3) and Lemma
 * 3.1).
 */
export function naiveCost(pages: readonly NaivePage[], sequence: ArrayLike<number>, mean: number): number {
  const cycle = sequence.length;
  let cost = 0;
  pages.forEach(({ rate, weight, transform }, page) => {
    const times: number[] = [];
    for (let t = 0; t < cycle; t++) if (sequence[t] === page) times.push(t);
    let fresh = 0;
    times.forEach((time, m) => {
      const next = m + 1 < times.length ? times[m + 1] : times[0] + cycle;
      fresh += 1 - transform ** (next - time);
    });
    cost += weight * (1 - fresh / (cycle * mean * rate));
  });
  return cost;
}
