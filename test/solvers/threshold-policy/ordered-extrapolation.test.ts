/** Extrapolated sweeps: where a linear map leads, what they leave alone, and how few sweeps an evaluation takes. */
import { expect, test } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { assembleQueue } from '../../../src/solvers/queue/assemble.ts';
import { fixedMode } from '../../../src/solvers/queue/queue.ts';
import { CountIndex } from '../../../src/solvers/threshold-policy/evaluate/counted/phase-counts.ts';
import { Extrapolation } from '../../../src/solvers/threshold-policy/evaluate/ordered/extrapolation.ts';
import { OrderedDistribution } from '../../../src/solvers/threshold-policy/evaluate/ordered/ordered-phases.ts';
import { wordIndex } from '../../../src/solvers/threshold-policy/evaluate/ordered/word-index.ts';
import { example } from './cases.ts';

const limits = [0.4, 0.3, 0.2, 0.1];

/** Moves that shrink by these factors towards {@link limits}, from 1 in one share. */
function sequence(factors: readonly number[]) {
  const levels = [new Float64Array(2), new Float64Array(2)];
  const at = (k: number): number => levels[k >> 1][k & 1];
  const put = (k: number, value: number): void => {
    levels[k >> 1][k & 1] = value;
  };
  for (let k = 0; k < 4; k++) put(k, k === 0 ? 1 : 0);
  const step = (): number => {
    let moved = 0;
    for (let k = 0; k < 4; k++) {
      const next = limits[k] + factors[k] * (at(k) - limits[k]);
      moved += Math.abs(next - at(k));
      put(k, next);
    }
    return moved;
  };
  return { levels, step, far: () => Math.max(...limits.map((limit, k) => Math.abs(at(k) - limit))) };
}

function after(sweeps: number, factors: readonly number[]): number {
  const { levels, step, far } = sequence(factors);
  const extrapolation = new Extrapolation(levels);
  for (let k = 0; k < sweeps; k++) {
    extrapolation.keep(levels);
    extrapolation.advance(levels, step());
  }
  return far();
}

test('four moves of a linear map with three factors lead to its limit', () => {
  // products of moves keep half of the digits
  expect(after(4, [0.95, 0.8, 0.8, 0.3])).toBeLessThan(1e-8);
  // without it the slowest factor alone leaves this
  expect(0.6 * 0.95 ** 4).toBeGreaterThan(0.4);
});

test('a sequence that has ended stays, and three moves change nothing', () => {
  expect(after(40, [0, 0, 0, 0])).toBe(0);
  expect(after(3, [0.9, 0.9, 0.9, 0.9])).toBeCloseTo(0.6 * 0.9 ** 3, 14);
});

test('ordered phases settle in a third of the sweeps', () => {
  const law = {
    initial: [0.9, 0.1],
    generator: [
      [-3, 0],
      [0, -0.3 / 14.1],
    ],
  };
  const { queue } = assembleQueue(example({ capacity: 10, obsolescence: law }));
  if (queue.obsolescence === null) throw new Error('no law');
  const index = wordIndex(new CountIndex(2, queue.topLevel, () => {}), 2, queue.topLevel - 1);
  const byLevel = fixedMode(queue, queue.modes.length - 1);
  const ordered = new OrderedDistribution(queue, queue.obsolescence, index, byLevel, unlimitedBudget());
  ordered.solve();
  // sweeps alone take 85
  expect(ordered.sweeps).toBeLessThan(40);
  const mass = ordered.levels.reduce((sum, x) => x.reduce((all, share) => all + share, sum), 0);
  expect(mass).toBeCloseTo(1, 13);
});
