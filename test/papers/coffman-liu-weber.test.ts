/**
 * E. G. Coffman, Z. Liu and R. R. Weber, Optimal robot scheduling for web search engines (INRIA RR-3317, 1997), and Z.
 * Liu and P. Nain, Optimization issues in web search engines (2006), section 1.3: examples, theorems and errata.
 */
import { describe, expect, it } from 'vitest';
import {
  accessPages,
  evenStaleness,
  optimalFrequencies,
  pageStaleness,
  totalCost,
} from '../../src/solvers/access-frequencies/index.ts';
import { cycleCost, findSequence, type SequenceTask } from '../../src/solvers/access-sequence/index.ts';
import { fibonacci, goldenRatio } from '../../src/solvers/access-sequence/methods/golden-ratio.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { createLaw, type Distribution } from '../../src/solvers/laws/index.ts';
import fixture from '../fixtures/coffman-liu-weber.json' with { type: 'json' };

const PHI = (1 + Math.sqrt(5)) / 2;

const task: Omit<SequenceTask, 'pages'> = {
  frequency: null,
  minFrequency: 0,
  method: 'golden-ratio',
  cycleLength: null,
  longestCycle: 1e7,
};

describe('an instance computed with high precision elsewhere (weights proportional to change rates)', () => {
  const { clw } = fixture;
  const pages = accessPages(
    { type: 'deterministic', value: clw.value },
    Float64Array.from(clw.mu),
    Float64Array.from(clw.c),
  );

  it('has the lower bound, frequencies and multiplier of Theorem 3.4', () => {
    const { frequency, multiplier } = optimalFrequencies(pages, 'deterministic', 0);
    frequency.forEach((f, i) => {
      expect(Math.abs(f / clw.f[i] - 1)).toBeLessThan(1e-11);
    });
    expect(multiplier).toBeCloseTo(clw.multiplier, 12);
    const bound = totalCost(pages, evenStaleness(pages, frequency));
    expect(Math.abs(bound / clw.lowerBound - 1)).toBeLessThan(1e-12);
    // in closed form, (6)
    const mu = clw.mu.reduce((a, b) => a + b, 0);
    expect(Math.abs(bound / (clw.c0 * (mu + Math.expm1(-mu * clw.value) / clw.value)) - 1)).toBeLessThan(1e-9);
  });

  it('has the randomized frequencies and cost of Theorem 4.1', () => {
    const { frequency } = optimalFrequencies(pages, 'randomized', 0);
    frequency.forEach((f, i) => {
      expect(Math.abs(f / clw.randomF[i] - 1)).toBeLessThan(1e-11);
    });
    expect(Math.abs(totalCost(pages, pageStaleness(pages, 'randomized', frequency)) / clw.random - 1)).toBeLessThan(
      1e-12,
    );
  });

  it('has the golden ratio cycle of F_8 = 21 and its exact cost', () => {
    const answer = findSequence({ ...task, pages, cycleLength: fibonacci(clw.golden.index) }, unlimitedBudget());
    expect(Array.from(answer.sequence, (page) => page + 1)).toEqual(clw.golden.sequence);
    expect(Array.from(answer.counts)).toEqual(clw.golden.counts);
    expect(Math.abs(answer.cost / clw.golden.cost - 1)).toBeLessThan(1e-12);
  });

  it('has the cost of an arbitrary cycle', () => {
    const { cost } = cycleCost(
      pages,
      Uint32Array.from(clw.cyclic.sequence, (page) => page - 1),
    );
    expect(Math.abs(cost / clw.cyclic.cost - 1)).toBeLessThan(1e-12);
  });

  it('approaches the limit of long golden ratio cycles', () => {
    const answer = findSequence({ ...task, pages, cycleLength: fibonacci(30) }, unlimitedBudget());
    expect(Math.abs(answer.cost / clw.goldenLimit - 1)).toBeLessThan(1e-5);
  });
});

describe("the papers' own examples", () => {
  it('give the golden ratio sequence of section 1.3.4 (its k = 8 is 7 when F_1 = F_2 = 1)', () => {
    const sequence = goldenRatio(Uint32Array.of(2, 3, 3, 5), 13, () => {});
    expect(Array.from(sequence, (page) => page + 1)).toEqual([4, 2, 4, 1, 3, 4, 2, 4, 1, 3, 4, 2, 3]);
  });

  it('attain the bound of Proposition 9: round robin, and frequencies 2^(−k)', () => {
    const rates = Float64Array.of(5, 1, 2, 0.3);
    const pages = accessPages({ type: 'exponential', rate: 20 }, rates, rates);
    for (const [frequency, cycle] of [
      [
        [1 / 4, 1 / 4, 1 / 4, 1 / 4],
        [0, 1, 2, 3],
      ],
      [
        [1 / 2, 1 / 4, 1 / 8, 1 / 8],
        [0, 1, 0, 2, 0, 1, 0, 3],
      ],
    ]) {
      const { staleness } = cycleCost(pages, Uint32Array.from(cycle));
      const even = evenStaleness(pages, Float64Array.from(frequency));
      for (let i = 0; i < 4; i++) expect(staleness[i]).toBeCloseTo(even[i], 14);
    }
  });
});

describe('errata', () => {
  /** Cost over bound of the golden ratio policy on N equal pages of total load `load` at cycle F_k. */
  function goldenOverBound(count: number, load: number, k: number): number {
    const rates = new Float64Array(count).fill(1);
    const pages = accessPages({ type: 'deterministic', value: load / count }, rates, rates);
    const answer = findSequence({ ...task, pages, cycleLength: fibonacci(k) }, unlimitedBudget());
    return answer.cost / answer.bound;
  }

  it('Corollary 5.1 ((1.34)): cost over bound of the golden ratio is not below 1.05; its supremum is φ⁵/10 = 1.1090', () => {
    expect((2 * PHI ** 2) / 5).toBeCloseTo(1.047213595499958, 14);
    expect(goldenOverBound(94, 0.01, 24)).toBeGreaterThan(1.1081);
    expect(PHI ** 5 / 10).toBeCloseTo(1.1090169943749477, 14);
    // equal pages come within 0.002 of it, and none above
    let highest = 0;
    for (const count of [10, 21, 33, 36, 55, 58, 76, 89, 94, 152, 246, 398]) {
      highest = Math.max(highest, goldenOverBound(count, 1e-6, 26));
    }
    expect(highest).toBeLessThan(PHI ** 5 / 10 + 1e-4);
    expect(highest).toBeGreaterThan(PHI ** 5 / 10 - 2e-3);
  });

  it('the limit of long cycles holds with j_i = ⌈log_φ(1/f_i)⌉ (printed: ⌈ln_φ f_i⌉)', () => {
    for (const { pages: count, value, ratio } of fixture.goldenLimits) {
      // distances F_j, F_{j+1}, F_{j+2} with the shares of the three-distance theorem
      const f = 1 / count;
      const j = Math.ceil(Math.log(count) / Math.log(PHI));
      const h = Math.exp(-value);
      const fresh =
        1 -
        count *
          ((f - PHI ** -j) * h ** fibonacci(j) +
            (f - PHI ** (-j - 1)) * h ** fibonacci(j + 1) -
            (f - PHI ** (-j + 1)) * h ** fibonacci(j + 2));
      const limit = count - fresh / value;
      const bound = count + Math.expm1(-count * value) / value;
      expect(Math.abs(limit / bound / ratio - 1)).toBeLessThan(1e-7);
      expect(Math.abs(goldenOverBound(count, count * value, 26) / ratio - 1)).toBeLessThan(2e-4);
    }
  });

  it('the gap of randomized accessing is h/((1−h)μE X)·f² near 0 and h(1−h+ln h)/(μE X)·(f − 1) near 1', () => {
    for (const { mu, h, atZero, atOne } of fixture.randomisedGaps) {
      const pages = accessPages(
        { type: 'exponential', rate: 1 / ((1 / h - 1) / mu) },
        Float64Array.of(mu),
        Float64Array.of(1),
      );
      expect(pages.load[0]).toBeCloseTo(-Math.log(h), 12);
      // the fixture has E X = 1, this law E X = (1/h − 1)/μ: the gap scales with 1/E X
      const scale = pages.meanAccessTime;
      const gap = (f: number): number =>
        (pageStaleness(pages, 'randomized', Float64Array.of(f))[0] - evenStaleness(pages, Float64Array.of(f))[0]) *
        scale;
      expect(Math.abs(gap(1e-4) / 1e-8 / atZero - 1)).toBeLessThan(1e-3);
      expect(Math.abs(gap(1 - 1e-6) / -1e-6 / atOne - 1)).toBeLessThan(1e-3);
    }
  });

  it('Theorem 3.1 (Proposition 7) fails where means differ: a stochastically shorter access time, a staler page', () => {
    const { mu, less, more, rLess, rMore } = fixture.proposition7;
    const staleAlways = (values: number[]): number => {
      const law = { type: 'empirical', values } as const;
      const pages = accessPages(law, Float64Array.of(mu), Float64Array.of(1));
      const { laplace, mean } = createLaw(law);
      const r = evenStaleness(pages, Float64Array.of(1))[0];
      expect(r).toBeCloseTo(1 - (1 - laplace(mu)) / (mu * mean), 12);
      return r;
    };
    less.forEach((value, i) => {
      expect(value).toBeLessThanOrEqual(more[i]);
    });
    expect(staleAlways(less)).toBeCloseTo(rLess, 12);
    expect(staleAlways(more)).toBeCloseTo(rMore, 12);
    expect(rLess).toBeGreaterThan(rMore);
  });

  it('Theorem 3.1 (Proposition 7) holds where means are equal: a law smaller in the convex order, a fresher page', () => {
    // each is a mean-preserving spread of the one before
    const laws: readonly Distribution[] = [
      { type: 'deterministic', value: 1 },
      { type: 'erlang', shape: 4, rate: 4 },
      { type: 'erlang', shape: 2, rate: 2 },
      { type: 'exponential', rate: 1 },
      { type: 'hyperexponential', probabilities: [0.5, 0.5], rates: [2, 2 / 3] },
    ];
    const sequence = [0, 1, 0, 2, 0, 1, 1];
    const costs = laws.map((law) => {
      const pages = accessPages(law, Float64Array.of(0.1, 0.7, 2), Float64Array.of(1, 1, 1));
      expect(pages.meanAccessTime).toBeCloseTo(1, 12);
      return Array.from(cycleCost(pages, Uint32Array.from(sequence)).staleness);
    });
    for (let k = 1; k < costs.length; k++) {
      for (const [i, stale] of costs[k].entries()) expect(stale).toBeGreaterThan(costs[k - 1][i]);
    }
  });

  it('Theorem 3.2 (Proposition 8): the cost of a page is Schur convex in the distances of its accesses', () => {
    const pages = accessPages({ type: 'gamma', shape: 2, rate: 3 }, Float64Array.of(0.4, 1), Float64Array.of(1, 0));
    const staleOf = (distances: readonly number[]): number => {
      const sequence = distances.flatMap((d) => [0, ...new Array<number>(d - 1).fill(1)]);
      return cycleCost(pages, Uint32Array.from(sequence)).staleness[0];
    };
    // each majorizes the next; the order of distances does not matter
    const chain = [
      [9, 1, 1, 1],
      [8, 2, 1, 1],
      [6, 4, 1, 1],
      [5, 4, 2, 1],
      [4, 4, 2, 2],
      [4, 3, 3, 2],
      [3, 3, 3, 3],
    ];
    for (let k = 1; k < chain.length; k++) expect(staleOf(chain[k])).toBeLessThan(staleOf(chain[k - 1]));
    expect(staleOf([4, 1, 5, 2])).toBeCloseTo(staleOf([5, 4, 2, 1]), 12);
  });

  it('(1.32): with many rare pages the bound tends to c₀(μ − 1/E X + e^(−μ E X)/E X), and (1.33) is above it', () => {
    for (const mu of [0.05, 0.5, 2]) {
      const limit = mu - 1 + Math.exp(-mu);
      const errors = [100, 1000, 10_000].map((count) => {
        const rates = new Float64Array(count).fill(mu / count);
        const pages = accessPages({ type: 'exponential', rate: 1 }, rates, rates);
        const { frequency } = optimalFrequencies(pages, 'deterministic', 0);
        return Math.abs(totalCost(pages, evenStaleness(pages, frequency)) - limit) / limit;
      });
      expect(errors[2]).toBeLessThan(1e-3);
      expect(errors[1]).toBeLessThan(errors[0]);
      expect(errors[2]).toBeLessThan(errors[1]);
      const goldenLimit =
        mu - 1 + (1 - 1 / PHI) * Math.exp((-mu * PHI) / Math.sqrt(5)) + Math.exp((-mu * PHI ** 2) / Math.sqrt(5)) / PHI;
      expect(goldenLimit).toBeGreaterThan(limit);
      expect(goldenLimit / limit).toBeLessThan((Math.sqrt(5) + 3) / 5);
    }
  });

  it('(1.28) alone starves no page, but the optimum does: its derivative at f → 0 is finite', () => {
    const pages = accessPages({ type: 'deterministic', value: 1 }, Float64Array.of(1, 1, 50), Float64Array.of(1, 1, 1));
    const { frequency, multiplier } = optimalFrequencies(pages, 'deterministic', 0);
    expect(frequency[2]).toBe(0);
    expect(pages.gain[2]).toBeLessThan(multiplier);
    const cost = totalCost(pages, evenStaleness(pages, frequency));
    for (const small of [1e-6, 1e-3, 0.1]) {
      const moved = Float64Array.of(frequency[0] - small / 2, frequency[1] - small / 2, small);
      expect(totalCost(pages, evenStaleness(pages, moved))).toBeGreaterThan(cost);
    }
  });

  it('(15) alone gives negative frequencies; there the page gets 0 and (15) holds among the others', () => {
    const rates = Float64Array.of(1, 2, 3);
    const weights = Float64Array.of(1, 1.5, 0.05);
    const pages = accessPages({ type: 'deterministic', value: 1 }, rates, weights);
    const growth = Array.from(rates, (rate) => Math.expm1(rate));
    const root = Array.from(weights, (weight, i) => Math.sqrt(weight / rates[i]));
    const formula = (among: number[]): number[] => {
      const total = among.reduce((sum, i) => sum + growth[i], 0);
      const t = among.reduce((sum, i) => sum + root[i] * growth[i], 0) / (1 + total);
      return among.map((i) => growth[i] * (root[i] / t - 1));
    };
    const printed = formula([0, 1, 2]);
    expect(printed.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(Math.min(...printed)).toBeLessThan(-1);
    const { frequency } = optimalFrequencies(pages, 'randomized', 0);
    expect(frequency[2]).toBe(0);
    formula([0, 1]).forEach((f, i) => {
      expect(frequency[i]).toBeCloseTo(f, 12);
    });
  });

  it('the bound (1.31) does not hold for other weights under its condition, though (15) does', () => {
    const rates = Float64Array.of(1, 1);
    const weights = Float64Array.of(1.3, 0.7);
    const growth = Math.expm1(1);
    const root = Array.from(weights, Math.sqrt);
    const t = ((root[0] + root[1]) * growth) / (1 + 2 * growth);
    expect(Math.min(...root)).toBeGreaterThan(t);
    const pages = accessPages({ type: 'deterministic', value: 1 }, rates, weights);
    const { frequency } = optimalFrequencies(pages, 'randomized', 0);
    root.forEach((value, i) => {
      expect(frequency[i]).toBeCloseTo(growth * (value / t - 1), 12);
    });
    // c₀ with c₀·Σμ the total weight: the only one for which both sides are the same where c = c₀·μ
    const c0 = 1;
    const claimed = c0 * (2 - (2 * growth) / (1 + 2 * growth));
    expect(totalCost(pages, pageStaleness(pages, 'randomized', frequency))).toBeLessThan(claimed - 0.01);
  });

  it('Theorem 5.1 (Proposition 12) is false: along 94, 246, 644, … equal pages the limit exceeds (18)', () => {
    // (18) over c₀ν, at q = μ/ν
    const claimed = (q: number): number =>
      q - 1 + (1 - 1 / PHI) * Math.exp((-q * PHI) / Math.sqrt(5)) + Math.exp((-q * PHI ** 2) / Math.sqrt(5)) / PHI;
    // cost of N equal pages of change rate q/N with accesses of one time unit, in the limit of long cycles
    const golden = (pages: number, q: number): number => {
      const j = Math.ceil(Math.log(pages) / Math.log(PHI));
      const shares = [1 / pages - PHI ** -j, 1 / pages - PHI ** (-j - 1), PHI ** (-j + 1) - 1 / pages];
      // N·Σ shares = 1: written with expm1, since the costs cancel at small loads
      return q + pages * shares.reduce((sum, share, i) => sum + share * Math.expm1((-q / pages) * fibonacci(j + i)), 0);
    };
    for (const q of [0.01, 0.3, 1, 3]) {
      const ratios = [94, 246, 644, 1686].map((pages) => golden(pages, q) / claimed(q));
      // it does not fade as N grows: a limit, not an effect of small N
      for (const ratio of ratios) expect(ratio).toBeGreaterThan(q < 1 ? 1.04 : 1.005);
      expect(ratios[3]).toBeCloseTo(ratios[2], 3);
    }
    // the formula is the cost of the very cycle, to the length of the cycle
    const rates = new Float64Array(94).fill(1 / 94);
    const pages = accessPages({ type: 'deterministic', value: 1 }, rates, rates);
    const { cost } = findSequence({ ...task, pages, cycleLength: fibonacci(30) }, unlimitedBudget());
    expect(Math.abs(cost / golden(94, 1) - 1)).toBeLessThan(1e-3);
    expect(cost / claimed(1)).toBeGreaterThan(1.01);
  });
});
