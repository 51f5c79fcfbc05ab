import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ObjectiveName } from '../../../src/solvers/pages/objectives/index.ts';
import {
  afterCheck,
  believedRate,
  dueAge,
  newBelief,
  nextPrice,
  type PageBelief,
  type PageCheck,
  type PriceFeedback,
  worthOfFetch,
} from '../../../src/solvers/price-policy/index.ts';

interface Due {
  readonly objective: ObjectiveName;
  readonly weight: number;
  readonly price: number;
  readonly age: number | null;
}
interface Vectors {
  readonly known: readonly (Due & { readonly rate: number })[];
  readonly beliefs: readonly {
    readonly prior: { readonly meanRate: number; readonly memoryUnit: number };
    readonly checks: readonly PageCheck[];
    readonly belief: PageBelief;
    readonly meanRate: number;
    readonly due: readonly Due[];
  }[];
  readonly prices: readonly (PriceFeedback & { readonly next: number })[];
}
/** From scripts/reference/price.py, in 60 digits; the clients and the SQL are held to the same file. */
const vectors: Vectors = JSON.parse(readFileSync('test/fixtures/price.json', 'utf8'));

/** How far apart two numbers are beside their size; 0 for two infinities. */
const apart = (found: number, given: number | null): number => {
  if (given === null || !Number.isFinite(found)) return found === (given ?? Infinity) ? 0 : Infinity;
  return Math.abs(found - given) / Math.max(Math.abs(given), Number.MIN_VALUE);
};
const worst = (distances: readonly number[]): number => distances.reduce((most, each) => Math.max(most, each), 0);

describe('crawling by a price', () => {
  it('fetches a page of known rate at the age of 60-digit arithmetic, from 1e−12 to 1e12', () => {
    expect(vectors.known.length).toBeGreaterThan(200);
    for (const { rate, weight, price, objective, age } of vectors.known) {
      const distance = apart(dueAge(rate, weight, price, objective), age);
      expect(distance, `${objective} ${rate} ${weight} ${price}`).toBeLessThan(1e-11);
    }
  });

  it('has the belief of the definitions after a history of checks', () => {
    for (const { prior, checks, belief, meanRate } of vectors.beliefs) {
      let found = newBelief(prior);
      for (const check of checks) found = afterCheck(found, check, prior);
      for (const name of ['shape', 'scale'] as const) {
        expect(worst(found[name].map((value, k) => apart(value, belief[name][k])))).toBeLessThan(1e-9);
      }
      for (const [k, value] of found.foretold.entries()) {
        expect(Math.abs(value - belief.foretold[k])).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
      }
      expect(apart(believedRate(found), meanRate)).toBeLessThan(1e-8);
    }
  });

  it('fetches a page of believed rate at the age of 60-digit arithmetic, by every objective', () => {
    let count = 0;
    for (const { belief, due } of vectors.beliefs) {
      for (const { objective, weight, price, age } of due) {
        const distance = apart(dueAge(belief, weight, price, objective), age);
        expect(distance, `${objective} ${weight} ${price} ${JSON.stringify(belief)}`).toBeLessThan(1e-8);
        if (age !== null) expect(apart(worthOfFetch(belief, weight, age, objective), price)).toBeLessThan(1e-8);
        count++;
      }
    }
    expect(count).toBeGreaterThan(300);
  });

  it('moves the price as the formula says', () => {
    for (const { next, ...feedback } of vectors.prices) expect(apart(nextPrice(feedback), next)).toBeLessThan(1e-13);
  });
});
