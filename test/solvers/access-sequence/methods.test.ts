/** Each method by itself: that it realises the counts, and what is known of it. */
import { describe, expect, it } from 'vitest';
import { accessPages, evenStaleness, optimalFrequencies } from '../../../src/solvers/access-frequencies/index.ts';
import { cycleCost } from '../../../src/solvers/access-sequence/index.ts';
import { fibonacci, goldenRatio } from '../../../src/solvers/access-sequence/methods/golden-ratio.ts';
import { mostOverdue } from '../../../src/solvers/access-sequence/methods/most-overdue.ts';
import { randomOrder } from '../../../src/solvers/access-sequence/methods/random-order.ts';
import { splittingTree } from '../../../src/solvers/access-sequence/methods/splitting-tree.ts';
import { NothingToReturn, type Poll } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

type Method = (counts: Uint32Array, cycle: number, poll: Poll) => Uint32Array;
const unstopped: Poll = () => {};
const exact: [string, Method][] = [
  ['most overdue', (counts, cycle, poll) => [...mostOverdue(counts, cycle, poll)].at(-1) ?? new Uint32Array(0)],
  ['tree', splittingTree],
  ['golden ratio', goldenRatio],
];

function randomCounts(seed: number): { counts: Uint32Array; cycle: number } {
  const random = seededRandom(seed);
  const counts = Uint32Array.from({ length: 1 + Math.floor(25 * random()) }, () => Math.floor(30 * random() ** 3));
  counts[0]++;
  return { counts, cycle: counts.reduce((a, b) => a + b, 0) };
}

function countsOf(sequence: Uint32Array, pages: number): number[] {
  const found = new Array<number>(pages).fill(0);
  for (const page of sequence) found[page]++;
  return found;
}

describe.each(exact)('%s', (_, method) => {
  it('realises any counts exactly', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const { counts, cycle } = randomCounts(seed);
      const sequence = method(counts, cycle, unstopped);
      expect(countsOf(sequence, counts.length), `seed ${seed}`).toEqual(Array.from(counts));
    }
  });
});

describe('frequencies 2^(−k)', () => {
  const counts = Uint32Array.of(16, 8, 4, 2, 1, 1);
  const rates = Float64Array.from(counts);
  const pages = accessPages({ type: 'deterministic', value: 0.02 }, rates, rates);
  const even = evenStaleness(pages, optimalFrequencies(pages, 'deterministic', 0).frequency);

  it.each([
    ['tree', splittingTree],
    ['most overdue', exact[0][1]],
  ] as [string, Method][])('are spaced perfectly by %s, so the bound is attained', (_, method) => {
    const { staleness } = cycleCost(pages, method(counts, 32, unstopped));
    for (let i = 0; i < 6; i++) expect(staleness[i]).toBeCloseTo(even[i], 14);
  });
});

describe('golden ratio', () => {
  it('counts Fibonacci numbers from F_1 = F_2 = 1', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(fibonacci)).toEqual([1, 1, 2, 3, 5, 8, 13, 21]);
  });

  it('orders the points frac(j/φ) as sorting them does', () => {
    const inverse = (Math.sqrt(5) - 1) / 2;
    for (const cycle of [...Array(60).keys()].map((k) => k + 1).concat(987, 1597, 5000)) {
      const points = Array.from({ length: cycle }, (_, t) => ((t + 1) * inverse) % 1);
      const order = Array.from(points.keys()).sort((a, b) => points[a] - points[b]);
      const found = goldenRatio(new Uint32Array(cycle).fill(1), cycle, unstopped);
      expect(Array.from(found), `K = ${cycle}`).toEqual(order);
    }
  });
});

describe('randomized', () => {
  it('draws each page with its frequency, and never one of frequency 0', () => {
    const frequency = Float64Array.of(0.5, 0, 0.2, 0.25, 0.05);
    const sequence = randomOrder(frequency, 200_000, seededRandom(4), unstopped);
    const drawn = countsOf(sequence, 5);
    for (let i = 0; i < 5; i++) expect(Math.abs(drawn[i] / 200_000 - frequency[i])).toBeLessThan(0.005);
    expect(drawn[1]).toBe(0);
  });
});

it('a method ends when the budget does', () => {
  const stopped: Poll = () => {
    throw new NothingToReturn('stopped');
  };
  for (const [name, method] of exact) {
    expect(() => method(Uint32Array.of(3, 2), 5, stopped), name).toThrow(NothingToReturn);
  }
  expect(() => randomOrder(Float64Array.of(0.5, 0.5), 5, seededRandom(1), stopped)).toThrow(NothingToReturn);
});
