/** What every test asserts of an answer of access-sequence. */
import { expect } from 'vitest';
import type { AccessPages } from '../../../src/solvers/access-frequencies/index.ts';
import type { SequenceResult } from '../../../src/solvers/access-sequence/index.ts';
import { naiveCost } from './naive-cost.ts';

export function certifySequence(pages: AccessPages, rates: ArrayLike<number>, answer: SequenceResult): void {
  const { sequence, counts, staleness, cost, bound, overallBound, methods } = answer;
  const found = new Array<number>(pages.length).fill(0);
  for (const page of sequence) found[page]++;
  expect(Array.from(counts)).toEqual(found);
  let sum = 0;
  for (let i = 0; i < pages.length; i++) {
    expect(staleness[i]).toBeGreaterThanOrEqual(0);
    expect(staleness[i]).toBeLessThanOrEqual(1);
    if (counts[i] === 0) expect(staleness[i]).toBe(1);
    sum += pages.weight[i] * staleness[i];
  }
  const total = pages.weight.reduce((a, b) => a + b, 0);
  expect(Math.abs(sum - cost)).toBeLessThanOrEqual(1e-12 * total);
  expect(cost).toBeGreaterThanOrEqual(bound - 1e-12 * total);
  expect(cost).toBeGreaterThanOrEqual(overallBound - 1e-12 * total);
  expect(Math.min(...methods.map((method) => method.cost))).toBe(cost);
  // the plain formula has no digits left at tiny loads
  if (pages.load.some((load) => load < 1e-5)) return;
  const naive = Array.from({ length: pages.length }, (_, i) => ({
    rate: rates[i],
    weight: pages.weight[i],
    transform: Math.exp(-pages.load[i]),
  }));
  expect(Math.abs(naiveCost(naive, sequence, pages.meanAccessTime) - cost)).toBeLessThan(1e-9 * total);
}
