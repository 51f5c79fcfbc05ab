/** Roots, quadrature, transforms and chains, each against a plainer way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absorbingChain } from '../../../src/solvers/numerics/linear/absorbing-chain.ts';
import { solveByStateReduction } from '../../../src/solvers/numerics/linear/state-reduction.ts';
import { gaussLegendre, integrateBy } from '../../../src/solvers/numerics/quadrature/gauss-legendre.ts';
import { integrateLogConcave } from '../../../src/solvers/numerics/quadrature/log-concave.ts';
import { findRoot } from '../../../src/solvers/numerics/search/root.ts';
import { exactProduct } from '../../../src/solvers/numerics/special/exact-product.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('findRoot', () => {
  it('closes a bracket to the last bits, for steep, flat and kinked functions', () => {
    fc.assert(
      fc.property(number(-50, 50), fc.constantFrom(1, 3, 9), number(1e-3, 1e3), (root, power, slope) => {
        const f = (x: number) => slope * Math.sign(x - root) * Math.abs(x - root) ** power;
        expect(Math.abs(findRoot(f, -100, 101) - root)).toBeLessThanOrEqual(1e-13 * Math.max(1, Math.abs(root)));
      }),
    );
    expect(findRoot((x) => x, 0, 5)).toBe(0);
  });
});

describe('Gauss–Legendre', () => {
  it('with n points integrates every power below 2n', () => {
    for (const n of [1, 2, 5, 16, 20, 40]) {
      const rule = gaussLegendre(n);
      for (let k = 0; k < 2 * n; k++) expect(integrateBy(rule, (x) => x ** k, 0, 1)).toBeCloseTo(1 / (k + 1), 13);
    }
  });
});

describe('integrateLogConcave', () => {
  it('gives the normal and Gumbel integrals whatever their width and place, and from beside the maximum', () => {
    for (const width of [1e-6, 1, 1e5]) {
      for (const shift of [0, 0.4]) {
        const normal = integrateLogConcave((z) => -((z / width) ** 2) / 2, shift * width);
        expect((normal.relative * Math.exp(normal.logPeak)) / (width * Math.sqrt(2 * Math.PI))).toBeCloseTo(1, 13);
        const gumbel = integrateLogConcave((z) => z / width - Math.exp(z / width), shift * width);
        expect((gumbel.relative * Math.exp(gumbel.logPeak)) / width).toBeCloseTo(1, 13);
      }
    }
  });
});

describe('exactProduct', () => {
  it('splits a product into its rounding and the exact rest, as integers show', () => {
    const integer = fc
      .integer({ min: 1, max: 2 ** 31 - 1 })
      .chain((a) => fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((b) => a * 4194304 + (b % 4194304)));
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const { product, error } = exactProduct(a, b);
        expect(BigInt(product) + BigInt(error)).toBe(BigInt(a) * BigInt(b));
      }),
    );
  });
});

describe('solving by state reduction', () => {
  it('keeps full relative accuracy in every entry, though nearly singular', () => {
    // two nearly closed sets of states that leak at 1e−15: the plain elimination loses every digit
    const leak = 1e-15;
    const [h0, h1, h2] = solved(Float64Array.of(0, 1, 0, 3, 0, 1e-8, 0, 2e-8, 0), Float64Array.of(0, 0, leak));
    // mean times to absorption of 0 → 1 ⇄ …, by hand: h0 = 1 + h1, h1(3 + 1e−8) = 1 + 3h0 + 1e−8·h2, h2(2e−8 + leak) =
    // 1 + 2e−8·h1
    const exactH1 = (4 + 1e-8 / (2e-8 + leak)) / (1e-8 * (leak / (2e-8 + leak)));
    expect(h1 / exactH1).toBeCloseTo(1, 12);
    expect(h0 / (1 + exactH1)).toBeCloseTo(1, 12);
    expect(h2 / ((1 + 2e-8 * exactH1) / (2e-8 + leak))).toBeCloseTo(1, 12);
  });
});

/** Mean times to absorption. */
function solved(rates: Float64Array, exit: Float64Array): Float64Array {
  const times = new Float64Array(exit.length).fill(1);
  solveByStateReduction(rates, exit, times, exit.length, 1);
  return times;
}

describe('an absorbing chain', () => {
  it('keeps a slow absorption through 1e18 fast moves', () => {
    // two phases exchanged at 1e9; absorbed from either at 1e−9: exactly exponential of rate 1e−9
    const chain = absorbingChain(Float64Array.of(0, 1e9, 1e9, 0), Float64Array.of(1e-9, 1e-9));
    for (const t of [1e-12, 1, 1e6, 1e9, 2e10, 5e11]) {
      const { mass, area, moment } = chain.run(Float64Array.of(0.25, 0.75), t);
      const x = t * 1e-9;
      expect((mass[0] + mass[1]) / Math.exp(-x)).toBeCloseTo(1, 10);
      expect(area / (-Math.expm1(-x) * 1e9)).toBeCloseTo(1, 11);
      if (x > 0.1) expect(moment / ((1 - Math.exp(-x) * (1 + x)) * 1e18)).toBeCloseTo(1, 10);
    }
    expect(chain.run(Float64Array.of(1, 0), 1e15).mass).toEqual(new Float64Array(2));
  });
});
