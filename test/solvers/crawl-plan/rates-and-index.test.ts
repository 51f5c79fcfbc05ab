import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { AgeIndex } from '../../../src/solvers/crawl-plan/beliefs/age-index.ts';
import { knownRates } from '../../../src/solvers/crawl-plan/beliefs/refresh-model.ts';
import { steadyState } from '../../../src/solvers/crawl-plan/beliefs/steady-state.ts';
import { WorthCells } from '../../../src/solvers/crawl-plan/beliefs/worth-cells.ts';
import { DriftingRate } from '../../../src/solvers/estimation/changes/drifting-rate.ts';
import { filterHistories } from '../../../src/solvers/estimation/changes/filter-histories.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { freshnessGain, inverseFreshnessGain } from '../../../src/solvers/objectives/index.ts';

const still = { variance: 0, redraw: 0 };

/** e^{M} by scaling and a Taylor series: dense, sharing nothing with the solver. */
function exponential(m: readonly (readonly number[])[]): number[][] {
  const n = m.length;
  const times = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] =>
    a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
  const norm = Math.max(...m.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));
  const halvings = Math.max(0, Math.ceil(Math.log2(norm)) + 4);
  const small = m.map((row) => row.map((x) => x / 2 ** halvings));
  let term: number[][] = m.map((_, i) => m.map((__, j) => (i === j ? 1 : 0)));
  let sum = term.map((row) => [...row]);
  for (let k = 1; k < 20; k++) {
    term = times(term, small).map((row) => row.map((x) => x / k));
    sum = sum.map((row, i) => row.map((x, j) => x + term[i][j]));
  }
  for (let k = 0; k < halvings; k++) sum = times(sum, sum);
  return sum.slice(0, n);
}

describe('the worth of a fetch of a page of known rate', () => {
  it('inverts to 1e−12 from 1e−14 to the last digit below 1', () => {
    for (const q of [1e-14, 1e-9, 1e-3, 0.2, 0.35, 0.5, 0.6, 0.9, 0.999, 1 - 1e-9]) {
      const s = inverseFreshnessGain(q);
      expect(freshnessGain(s) / q).toBeCloseTo(1, 12);
    }
  });

  it('is ∫₀ˢ v e^{−v} dv', () => {
    for (const s of [0.01, 0.34, 0.36, 2, 20]) {
      let sum = 0;
      const steps = 20_000;
      for (let k = 0; k < steps; k++) {
        const v = (s * (k + 0.5)) / steps;
        sum += (v * Math.exp(-v) * s) / steps;
      }
      expect(freshnessGain(s) / sum).toBeCloseTo(1, 6);
    }
  });
});

describe('the steady state', () => {
  const solve = (rates: readonly number[], weights: readonly number[], crawlRate: number, floorInterval = Infinity) => {
    const rate = Float64Array.from(rates);
    const model = knownRates(rate, Float64Array.from(weights), (i) => [rate[i], rate[i]]);
    const n = rates.length;
    return steadyState(
      {
        model,
        least: new Float64Array(n),
        longest: new Float64Array(n).fill(floorInterval),
        crawlRate,
        host: new Int32Array(n).fill(-1),
        hostDelay: new Float64Array(0),
      },
      unlimitedBudget(),
    );
  };
  /** Σ w(1 − (f/λ)(1 − e^{−λ/f})). */
  const staleness = (rates: readonly number[], weights: readonly number[], frequency: readonly number[]): number =>
    rates.reduce((sum, lambda, i) => {
      const f = frequency[i];
      return sum + weights[i] * (f <= 0 ? 1 : 1 - (f / lambda) * -Math.expm1(-lambda / f));
    }, 0);

  it('spends the budget, and no exchange of frequency between two pages is better', () => {
    const page = fc.tuple(fc.double({ min: 0.01, max: 10, noNaN: true }), fc.double({ min: 0.1, max: 5, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 2, maxLength: 8 }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (list, budget) => {
          const rates = list.map(([rate]) => rate);
          const weights = list.map(([, weight]) => weight);
          const { fetchInterval } = solve(rates, weights, budget);
          const f = Array.from(fetchInterval, (value) => 1 / value);
          const total = f.reduce((a, b) => a + b, 0);
          // the price is found to 1e−9 in the logarithm of what is spent
          expect(Math.abs(Math.log(total / budget))).toBeLessThanOrEqual(2e-9);
          const best = staleness(rates, weights, f);
          for (let i = 0; i < f.length; i++) {
            for (let j = 0; j < f.length; j++) {
              const moved = [...f];
              const step = 0.01 * f[i];
              moved[i] -= step;
              moved[j] += step;
              expect(staleness(rates, weights, moved)).toBeGreaterThanOrEqual(best - 1e-7);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives a page too fast for its price nothing, unless the longest interval says so', () => {
    const { fetchInterval } = solve([0.1, 1000], [1, 1], 0.2);
    expect(fetchInterval[1]).toBe(Number.POSITIVE_INFINITY);
    expect(solve([0.1, 1000], [1, 1], 0.2, 50).fetchInterval[1]).toBe(50);
  });
});

describe('the filter of a drifting rate', () => {
  it('without drift is Bayes over the grid', () => {
    const model = new DriftingRate(0.01, 3, 0.2, still);
    const page = [
      [1, 1],
      [2.5, 0],
      [0.3, 1],
      [7, 0],
    ] as const;
    const belief = Float64Array.from(model.population);
    for (const [gap, seen] of page) model.observe(belief, 0, gap, seen);
    const joint = Array.from(model.rates, (rate, g) =>
      page.reduce(
        (p, [gap, seen]) => p * (seen === 1 ? 1 - Math.exp(-rate * gap) : Math.exp(-rate * gap)),
        model.population[g],
      ),
    );
    const mass = joint.reduce((a, b) => a + b, 0);
    for (const [g, value] of joint.entries()) expect(belief[g]).toBeCloseTo(value / mass, 12);
  });

  it('takes checks in a row as it takes them one by one, those too that a run leaves to it', () => {
    const check = fc.tuple(fc.double({ min: -9, max: 8, noNaN: true }), fc.constantFrom(0, 0, 0, 1, 1, 2));
    fc.assert(
      // a grid of even and one of odd size; long gaps that a run leaves, and such that no rate explains
      fc.property(
        fc.array(check, { maxLength: 60 }),
        fc.constantFrom(16.4, 16.9),
        fc.boolean(),
        (checks, octaves, slow) => {
          const list = checks.map(([exponent, outcome]) => [10 ** exponent, outcome] as const);
          const drift = slow ? { variance: 1e-12, redraw: 1e-12 } : { variance: 0.02, redraw: 0.001 };
          const model = new DriftingRate(1e-4, 1e-4 * 2 ** octaves, 0.1, drift);
          const { beliefs, logLikelihood } = filterHistories(checkHistory([list]), model, unlimitedBudget());
          const belief = Float64Array.from(model.population);
          const chances = list.map(([gap, outcome]) => model.observe(belief, 0, gap, outcome));
          for (const [g, mass] of belief.entries()) expect(Math.abs(beliefs[g] - mass)).toBeLessThan(1e-12);
          const expected = chances.reduce((sum, chance) => sum + Math.log(chance), 0);
          expect(Math.abs(logLikelihood - expected)).toBeLessThan(1e-10 * Math.max(1, Math.abs(expected)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps the mass, stays positive and has the variance σ²a for every gap', () => {
    const model = new DriftingRate(1e-4, 1e4, 1, { variance: 0.2, redraw: 0 });
    const middle = model.size >> 1;
    // at longer gaps the ends of the grid reflect what should pass them
    for (const gap of [1e-6, 0.1, 0.31, 1, 1.5]) {
      const belief = new Float64Array(model.size);
      belief[middle] = 1;
      model.predict(belief, 0, gap, belief, 0);
      const mean = belief.reduce((sum, p, g) => sum + p * Math.log(model.rates[g]), 0);
      const variance = belief.reduce((sum, p, g) => sum + p * (Math.log(model.rates[g]) - mean) ** 2, 0);
      expect(belief.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...belief)).toBeGreaterThanOrEqual(0);
      expect(variance / (0.2 * gap)).toBeCloseTo(1, 6);
    }
  });

  it('forgets towards the population where redraws are certain', () => {
    const model = new DriftingRate(0.01, 10, 0.5, { variance: 0, redraw: 1 });
    const belief = new Float64Array(model.size);
    belief[3] = 1;
    model.predict(belief, 0, 50, belief, 0);
    for (const [g, p] of belief.entries()) expect(p).toBeCloseTo(model.population[g], 12);
  });

  it('after many checks has the mean of the likeliest rate, to half a step of its grid', () => {
    const random = seededRandom(2);
    const page = Array.from({ length: 400 }, () => [0.5, random() < -Math.expm1(-0.8 * 0.5) ? 1 : 0] as const);
    const model = new DriftingRate(0.01, 10, 0.5, still);
    const { beliefs } = filterHistories(checkHistory([page]), model, unlimitedBudget());
    const mean = beliefs.reduce((sum, p, g) => sum + p * model.rates[g], 0);
    const changes = page.filter(([, seen]) => seen === 1).length;
    const likeliest = -Math.log(1 - changes / 400) / 0.5;
    expect(Math.abs(Math.log(mean / likeliest))).toBeLessThan(Math.LN2 / 4);
  });
});

describe('the age index', () => {
  it('of a known rate is (1 − (1+λa)e^{−λa})/λ, its stale time a − (1 − e^{−λa})/λ', () => {
    const model = new DriftingRate(0.001, 4, 0.02, still);
    const index = new AgeIndex(model, 0.02 / 4, 50_000);
    const belief = new Float64Array(model.size);
    belief[10] = 1;
    const lambda = model.rates[10];
    for (const age of [0.01, 0.1, 1, 10, 33, 100]) {
      const worth = freshnessGain(lambda * age) / lambda;
      expect(index.valueAt(belief, 0, age) / worth).toBeCloseTo(1, 3);
      expect(index.staleTime(belief, 0, age) / (age + Math.expm1(-lambda * age) / lambda)).toBeCloseTo(1, 3);
      expect(index.intervalAt(belief, 0, worth) / age).toBeCloseTo(1, 3);
    }
  });

  it('with drift agrees with the matrix exponential of drift and change', () => {
    const drift = { variance: 0.3, redraw: 0.2 };
    const model = new DriftingRate(0.05, 8, 0.5, drift);
    const n = model.size;
    const kappa = drift.variance / (2 * (Math.LN2 / 2) ** 2);
    const generator = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => {
        const degree = i === 0 || i === n - 1 ? 1 : 2;
        const walk = i === j ? -kappa * degree : Math.abs(i - j) === 1 ? kappa : 0;
        return walk + drift.redraw * model.population[j] - (i === j ? drift.redraw + model.rates[i] : 0);
      }),
    );
    const belief = Float64Array.from(model.population);
    const index = new AgeIndex(model, 0.002, 1000);
    const unchanged = (age: number): number => {
      const e = exponential(generator.map((row) => row.map((x) => x * age)));
      return belief.reduce((sum, p, i) => sum + p * e[i].reduce((a, b) => a + b, 0), 0);
    };
    for (const age of [0.1, 1, 4]) {
      let fresh = 0;
      const steps = 40;
      for (let k = 0; k <= steps; k++)
        fresh += (unchanged((age * k) / steps) * (k % steps === 0 ? 1 : k % 2 === 1 ? 4 : 2)) / (3 * steps);
      fresh *= age;
      expect(index.staleTime(belief, 0, age) / (age - fresh)).toBeCloseTo(1, 2);
      expect(index.valueAt(belief, 0, age) / (fresh - age * unchanged(age))).toBeCloseTo(1, 2);
    }
  });

  it('answers as before, to the bit, from the step of its grid where a page was looked at last', () => {
    const model = new DriftingRate(0.01, 50, 0.5, { variance: 0.5, redraw: 0.5 });
    const index = new AgeIndex(model, 0.0004, 3000);
    const pages = 4;
    const random = seededRandom(3);
    const beliefs = Float64Array.from({ length: pages * model.size }, () => random() / model.size);
    const cells = new WorthCells(index, beliefs, pages);
    const copy = new WorthCells(index, new Float64Array(beliefs.length), pages);
    let age = 1;
    for (let k = 0; k < 4000; k++) {
      const i = Math.floor(random() * pages);
      // mostly near where it was, at times anywhere and beyond the grid
      age = random() < 0.1 ? 10 ** (10 * random() - 5) : age * (0.98 + 0.04 * random());
      // where the worth still rises by more than rounding, at times beyond its end
      const target = index.valueAt(beliefs, i * model.size, Math.min(age, 3)) * (random() < 0.05 ? 30 : 1);
      if (random() < 0.5) expect(cells.valueAt(i, age)).toBe(index.valueAt(beliefs, i * model.size, age));
      else expect(cells.intervalAt(i, target)).toBe(index.intervalAt(beliefs, i * model.size, target));
      if (random() < 0.02) {
        model.predict(beliefs, i * model.size, 0.1, beliefs, i * model.size);
        cells.changed(i);
      }
      if (k % 1000 === 0) {
        copy.become(cells);
        expect(copy.intervalAt(i, target)).toBe(cells.intervalAt(i, target));
      }
    }
  });

  it('rises with age for every belief', () => {
    const model = new DriftingRate(0.01, 50, 0.5, { variance: 0.5, redraw: 0.5 });
    const index = new AgeIndex(model, 0.0004, 3000);
    for (let g = 0; g < model.size; g++) {
      const belief = new Float64Array(model.size);
      belief[g] = 1;
      let before = 0;
      for (let age = 0.0005; age < 3000; age *= 1.3) {
        const value = index.valueAt(belief, 0, age);
        expect(value).toBeGreaterThan(before * (1 - 1e-9));
        before = value;
      }
    }
  });
});
