/** Pages counted at a price by several: the same to the bit, as sums are of fixed blocks whoever makes them. */
import { expect, it } from 'vitest';
import { type Hands, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { lomaxProcess, type Pages, poissonProcess } from '../../../src/solvers/crawl-allocation/gains/pages.ts';
import { TableReader } from '../../../src/solvers/crawl-allocation/gains/table-reader.ts';
import { PriceCounter } from '../../../src/solvers/crawl-allocation/pricing/price-count.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { freshness } from '../../../src/solvers/pages/objectives/index.ts';

/** Five runs of the fewest pages that are given away, and some more. */
const count = 1_000_777;

function pages(): Pages {
  const random = seededRandom(5);
  const numbers = (of: () => number): Float64Array => Float64Array.from({ length: count }, of);
  return {
    count,
    process: Uint8Array.from({ length: count }, () => (random() < 0.7 ? poissonProcess : lomaxProcess)),
    length: numbers(() => 6 * random() ** 2),
    worth: numbers(() => 0.01 + random()),
    alpha: numbers(() => 1.1 + random()),
    slot: new Int32Array(count),
    age: numbers(() => (random() < 0.5 ? -1 : random())),
    minimum: Int32Array.from({ length: count }, () => (random() < 0.1 ? 1 : 0)),
    maximum: Int32Array.from({ length: count }, () => (random() < 0.1 ? 2 : 50)),
    laws: [],
    table: { offsets: new Int32Array(1), gains: new Float64Array(0) },
    cost: freshness,
  };
}

/** They take copies, as another thread does. */
const hands = (others: number, given: string[]): Hands => ({
  others,
  start(part, input, budget) {
    given.push(part.name);
    const copied = structuredClone(input);
    return () => part.run(copied, budget);
  },
});

it('counts, gains and the slope', () => {
  const all = pages();
  const told = (others: number) => {
    const given: string[] = [];
    const counter = new PriceCounter(all, new TableReader(all), { ...unlimitedBudget(), hands: hands(others, given) });
    const rough = counter.rough(null, 0.02);
    const widely = counter.between(0.0199, 0.02, 10 * count);
    const { page, gain } = counter.candidates.kept();
    const counts = counter.counts.join();
    const few = counter.between(0.0199, 0.0201, 1000);
    const kept = counter.candidates.kept();
    expect(given).toEqual(new Array(3 * others).fill('allocation-counts'));
    return { rough, widely, counts, gains: gain.join(), pages: page.join(), few, kept };
  };
  const alone = told(0);
  expect(alone.rough.slope).toBeGreaterThan(1000);
  expect(alone.kept.page.length).toBeGreaterThanOrEqual(1000);
  for (const others of [1, 4]) expect(told(others)).toEqual(alone);
});
