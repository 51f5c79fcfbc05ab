import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { PriceTree } from './price-tree.ts';

const interval = 1000;

/** Prices of so many slots, each kind with other ties and other hulls. */
const kinds: Readonly<Record<string, (slot: number, slots: number, random: () => number) => number>> = {
  'all free': () => 0,
  'at random': (_, __, random) => 50 * random(),
  'mostly free': (_, __, random) => (random() < 0.02 ? 100 * random() : 0),
  'falling as fast as costs rise': (slot, slots) => (2 * interval * (slots - slot)) / slots,
  'highest in the middle': (slot, slots) => Math.min(slot, slots - slot) * 0.7,
  'least in the middle': (slot, slots) => (slot - slots / 2) ** 2 / slots,
};

describe('the least cost under slot prices', () => {
  it.each(Object.keys(kinds))('is that of looking at every slot, for prices that are %s', (kind) => {
    const random = seededRandom(11);
    for (const slots of [1, 63, 64, 65, 700, 4096, 9001]) {
      const prices = Float64Array.from({ length: slots }, (_, slot) => kinds[kind](slot, slots, random));
      const tree = new PriceTree(interval, prices);
      for (let trial = 0; trial < 20; trial++) {
        const from = trial % 3 === 0 ? interval * random() : Number.NEGATIVE_INFINITY;
        const to = trial % 4 === 0 ? interval * random() : Number.POSITIVE_INFINITY;
        const weight = trial % 5 === 0 ? 2 : 10 ** (3 * random() - 2);
        const ideal = trial % 7 === 0 ? (interval * Math.floor(slots * random())) / slots : interval * random();
        let least = Number.POSITIVE_INFINITY;
        for (let slot = 0; slot < slots; slot++) {
          const time = (slot * interval) / slots;
          if (time >= from && time <= to) least = Math.min(least, weight * Math.abs(time - ideal) + prices[slot]);
        }
        const found = tree.leastCost({ ideal, weight, from, to }, Number.POSITIVE_INFINITY);
        const what = JSON.stringify({ kind, slots, trial, ideal, weight, from, to });
        if (least === Number.POSITIVE_INFINITY) expect(found, what).toBe(least);
        else expect(Math.abs(found - least), what).toBeLessThanOrEqual(1e-14 * (1 + least));
      }
    }
  });
});
