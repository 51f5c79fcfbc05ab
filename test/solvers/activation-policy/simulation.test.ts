import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type ActivationTask, findActivation } from './asked.ts';

interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * The controller as a user would run it: a lookup in `targets` after every arrival and departure. Averages over batches
 * of simulated time after a warm-up, each with the standard deviation of its mean.
 */
function simulate(
  problem: ActivationTask,
  targets: ArrayLike<number>,
  random: Random,
  batches: number,
  events: number,
): { starvation: Estimate; loss: Estimate; active: Estimate; queue: Estimate } {
  const { crawlerRate, indexingRate, capacity } = problem;
  let queue = 0;
  let active = targets[0];
  const sums: number[][] = [[], [], [], []];
  for (let batch = -1; batch < batches; batch++) {
    let time = 0;
    let empty = 0;
    let lost = 0;
    let crawlerTime = 0;
    let queueTime = 0;
    for (let event = 0; event < events; event++) {
      const arrivals = crawlerRate * active;
      const total = arrivals + (queue > 0 ? indexingRate : 0);
      const elapsed = -Math.log1p(-random()) / total;
      time += elapsed;
      if (queue === 0) empty += elapsed;
      crawlerTime += elapsed * active;
      queueTime += elapsed * queue;
      if (random() * total < arrivals) {
        if (queue === capacity) lost++;
        else queue++;
        active--;
      } else queue--;
      if (active < targets[queue]) active++;
    }
    if (batch < 0) continue;
    for (const [i, value] of [empty, lost, crawlerTime, queueTime].entries()) sums[i].push(value / time);
  }
  const [starvation, loss, meanActive, meanQueue] = sums.map((values): Estimate => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1);
    return { mean, deviation: Math.sqrt(variance / values.length) };
  });
  return { starvation, loss, active: meanActive, queue: meanQueue };
}

describe('a simulated controller that looks the targets up', () => {
  const cases: [name: string, problem: ActivationTask][] = [
    [
      'Figure 1.6',
      {
        crawlerRate: 0.1,
        indexingRate: 1,
        capacity: 5,
        crawlers: 16,
        starvationWeight: 1.4,
        crawlerCost: 0,
      },
    ],
    [
      'a running cost, no limit on the crawlers',
      {
        crawlerRate: 0.4,
        indexingRate: 2,
        capacity: 3,
        starvationWeight: 3,
        crawlerCost: 0.05,
      },
    ],
    [
      'targets that rise',
      {
        crawlerRate: 0.2,
        indexingRate: 1,
        capacity: 4,
        crawlers: 8,
        starvationWeight: 1,
        crawlerCost: 0,
        targets: Int32Array.of(3, 6, 5, 8, 2),
      },
    ],
  ];
  for (const [index, [name, problem]] of cases.entries()) {
    it(`has the averages of the answer: ${name}`, () => {
      const answer = findActivation(problem, unlimitedBudget());
      expect(answer.classes).toHaveLength(1);
      const [exact] = answer.classes;
      const found = simulate(problem, answer.targets, seededRandom(100 + index), 60, 20_000);
      const pairs: [Estimate, number][] = [
        [found.starvation, exact.starvationProbability],
        [found.loss, exact.lossRate],
        [found.active, exact.meanActive],
        [found.queue, exact.meanQueueLength],
      ];
      for (const [estimate, value] of pairs) {
        // Four and a half standard deviations; and the simulation must be precise enough to mean something.
        expect(Math.abs(estimate.mean - value)).toBeLessThan(4.5 * estimate.deviation);
        expect(estimate.deviation).toBeLessThan(0.02 * value);
      }
    });
  }
});
