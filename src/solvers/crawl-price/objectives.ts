/**
 * What staleness costs, in the forms whose price can be had from a histogram: scale-free objectives.
 *
 * Model: a page changes by a Poisson process of rate λ and is fetched every T = y/λ; a copy of age t costs w·c(λt) a unit of
 * time (for `age`: (w/λ)·c, so its ratio is w/λ² where the others have w/λ). With the ratio a, cost and price ν of a crawl come
 * to a·k(y) + ν/y per unit of λ, k(y) = ∫₀^y c/y. The best y solves V(y) = y·c(y) − ∫₀^y c = ν/a: it depends on a/ν alone, which
 * is what makes an objective scale-free. Then the least of a·k(y) + ν/y is a·c(y) (the index rule: fetch when the next moment's
 * cost is what waiting costs), so that nothing is ever subtracted.
 *
 * | | c(y) | V(y) |
 * |---|---|---|
 * | freshness | 1 − e^(−y) | 1 − (1 + y)e^(−y) |
 * | delay | y | y²/2 |
 * | age | y − 1 + e^(−y) | y²/2 − 1 + (1 + y)e^(−y) |
 * | harmonic | ln(1 + y) + y/(1 + y) | y²/(1 + y) |
 *
 * Two facts carry the proofs of spent.ts and cost.ts. (1) The rate 1/y is a concave function of a where it is positive:
 * freshness: 2y²e^(−y) + (y − 3)V ≥ 0, as its derivative is 1 − (1 + y²)e^(−y); delay and harmonic are roots of a; age: V is at
 * most y·V'/(1 + e(y)), e(y) the falling elasticity of V'. (2) With u = ln a and D(a) the least cost, D''' − D'' (derivatives in
 * u) has the sign of the derivative of B(y) = V/(y²V'): B falls for delay, age and harmonic, and for freshness, where it is
 * (e^y − 1 − y)/y³, it falls up to y = 2.1491 and rises from there.
 * Sources: Cho & Garcia-Molina (2003) and Coffman, Liu & Weber (1998) for freshness; Kolobov et al. (2019) for harmonic.
 */

export const priceObjectives = ['freshness', 'delay', 'age', 'harmonic'] as const;

export type PriceObjective = (typeof priceObjectives)[number];

/** One scale-free objective. */
export interface ScaleFree {
  /** A page whose ratio is at most `reach`·ν is never crawled. */
  readonly reach: 0 | 1;
  /** The best y = λT at a ratio and a price, both positive; Infinity for a page that is never crawled. */
  readonly changesBetween: (ratio: number, price: number) => number;
  /** c(y): the least of cost and price, per unit of λ and of the ratio. */
  readonly marginal: (y: number) => number;
  /** At least y·V'(y)/V(y), and falling in y. */
  readonly elasticity: (y: number) => number;
  /** y between which the sign of D''' − D'' changes; null where it never does. */
  readonly turn: readonly [number, number] | null;
}

/**
 * The root y of y − ln(1 + y) = load: two steps of Newton's method from an approximation that is right to 3e−4, and below .01 a
 * series, since Newton would lose half the digits there. Relative error at most 1e−15.
 */
export function freshnessRoot(load: number): number {
  if (load === Infinity) return Infinity;
  const p = Math.sqrt(2 * load);
  if (load < 0.01) {
    const tail = -1 / 270 + p * (1 / 4320 + p * (1 / 17010 + p * (-139 / 5443200 + p / 204120)));
    return p * (1 + p * (1 / 3 + p * (1 / 36 + p * tail)));
  }
  const inner = (0.3361 * Math.sqrt(load / 2)) / (1 - 0.0042 * load * Math.exp(-0.0201 * load));
  let y = load + (2 / 0.3361) * (1 - 1 / (1 + inner));
  for (let step = 0; step < 2; step++) y -= ((y - Math.log1p(y) - load) * (1 + y)) / y;
  return y;
}

/** ∫₀^y u(1 − e^(−u)) du, by its series where terms would cancel. */
function ageIndex(y: number): number {
  if (y > 1) return (y * y) / 2 - 1 + (1 + y) * Math.exp(-y);
  let term = -y * y;
  let sum = 0;
  for (let n = 1; n < 20; n++) {
    term *= -y / n;
    sum += term / (n + 2);
  }
  return sum;
}

/** Newton's method on logarithms: the elasticity of V lies between 2 and 3, so that it converges from anywhere. */
function ageRoot(q: number): number {
  let y = q < 0.3 ? Math.cbrt(3 * q) : Math.sqrt(2 * q + 2);
  for (let step = 0; step < 30; step++) {
    const value = ageIndex(y);
    const move = (Math.log(q / value) * value) / (y * -y * Math.expm1(-y));
    y *= Math.exp(move);
    if (Math.abs(move) < 1e-15) break;
  }
  return y;
}

function ageMarginal(y: number): number {
  if (y > 1) return y + Math.expm1(-y);
  let term = -y;
  let sum = 0;
  for (let n = 2; n < 20; n++) {
    term *= -y / n;
    sum += term;
  }
  return sum;
}

export const scaleFree: Readonly<Record<PriceObjective, ScaleFree>> = {
  freshness: {
    reach: 1,
    changesBetween(ratio, price) {
      if (ratio <= price) return Infinity;
      const q = price / ratio;
      return freshnessRoot(q < 0.5 ? -Math.log1p(-q) : -Math.log((ratio - price) / ratio));
    },
    marginal: (y) => -Math.expm1(-y),
    // y²e^(−y)/V; 2 at y = 0
    elasticity: (y) => (y < 1 ? 2 : (y * y * Math.exp(-y)) / (1 - (1 + y) * Math.exp(-y))),
    turn: [2.148, 2.15],
  },
  delay: {
    reach: 0,
    changesBetween: (ratio, price) => Math.sqrt(2 * (price / ratio)),
    marginal: (y) => y,
    elasticity: () => 2,
    turn: null,
  },
  age: {
    reach: 0,
    changesBetween: (ratio, price) => ageRoot(price / ratio),
    marginal: ageMarginal,
    elasticity: () => 3,
    turn: null,
  },
  harmonic: {
    reach: 0,
    changesBetween(ratio, price) {
      const q = price / ratio;
      return (q + Math.sqrt(q * (q + 4))) / 2;
    },
    marginal: (y) => Math.log1p(y) + y / (1 + y),
    elasticity: () => 2,
    turn: null,
  },
};
