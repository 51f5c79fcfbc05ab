import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { sortByTime } from '../../../src/solvers/slot-assignment/instance/time-sort.ts';

const shapes: [string, (random: Random, i: number) => number][] = [
  ['evenly spread', (random) => random()],
  ['all equal', () => 0.3],
  ['a third equal', (random, i) => (i % 3 === 0 ? 0.5 : random())],
  ['outside the interval', (random) => 4 * random() - 2],
  ['with far outliers', (random, i) => (i % 1000 === 0 ? 1e14 * random() : random())],
  ['crowded into a sliver', (random) => 0.5 + 1e-12 * random()],
  ['over three hundred orders of magnitude', (random) => 10 ** (-300 * random())],
  ['subnormal', (random) => 5e-324 * Math.floor(100 * random())],
  ['falling', (_, i) => -i],
];

describe('sorting by time', () => {
  it.each(shapes)('orders times that are %s, each class apart', (_, shape) => {
    for (const n of [0, 1, 2, 25, 1000, 30_000]) {
      const random = seededRandom(n);
      const key = Float64Array.from({ length: n }, (_, i) => shape(random, i));
      const second = Uint8Array.from(key, () => (random() < 0.3 ? 1 : 0));
      const { order, first } = sortByTime(key, second, 1);
      expect([...order.id].sort((a, b) => a - b)).toEqual([...key.keys()]);
      const wrong = [...order.id.keys()].filter(
        (i) =>
          order.time[i] !== key[order.id[i]] ||
          second[order.id[i]] !== (i < first ? 0 : 1) ||
          (i > 0 && i !== first && order.time[i - 1] > order.time[i]),
      );
      expect(wrong).toEqual([]);
    }
  });
});
