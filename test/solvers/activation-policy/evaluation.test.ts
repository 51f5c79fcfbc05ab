import { describe, expect, it } from 'vitest';
import { measureClasses } from '../../../src/solvers/activation-policy/recurrent-classes.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyActivation, findActivation, modelOf } from './activation-tasks.ts';
import { denseClasses, ruleOf } from './dense-activation.ts';
import { randomProblem, randomTargets } from './instances.ts';

const measures = ['cost', 'starvationProbability', 'lossRate', 'meanActive', 'meanQueueLength'] as const;

describe('a given policy', () => {
  for (const nonIncreasing of [true, false]) {
    it(`has the averages that dense elimination finds, targets ${nonIncreasing ? 'non-increasing' : 'at random'}`, () => {
      const random = seededRandom(nonIncreasing ? 11 : 12);
      let severalClasses = 0;
      for (let i = 0; i < 120; i++) {
        const problem = { ...randomProblem(random, 7, 7) };
        const targets = randomTargets(random, problem, nonIncreasing);
        const answer = findActivation({ ...problem, targets }, unlimitedBudget());
        const dense = denseClasses(problem, ruleOf(problem, targets));
        const where = JSON.stringify({ ...problem, targets: [...targets] });
        expect(answer.status).toBe('evaluated');
        expect(answer.classes.length, where).toBe(dense.length);
        expect(certifyActivation(problem, answer), where).toEqual([]);
        if (dense.length > 1) severalClasses++;
        for (const [index, classMeasures] of answer.classes.entries()) {
          for (const name of measures) {
            // Dense elimination keeps absolute digits only.
            const scale = name === 'cost' ? Math.max(1e-3, dense[0].cost) : 1;
            expect(
              Math.abs(classMeasures[name] - dense[index][name]) / scale,
              `${name} of class ${index}: ${where}`,
            ).toBeLessThan(1e-9 * Math.max(1, problem.indexingRate, Math.abs(dense[index][name])));
          }
        }
      }
      // A non-increasing curve has one class; other targets often have several.
      if (nonIncreasing) expect(severalClasses).toBe(0);
      else expect(severalClasses).toBeGreaterThan(8);
    });
  }

  it('with two recurrent classes has the measures of each, and the dearest as the objective', () => {
    // R = [2, 0, 1] keeps one crawler shuttling one page, empty two thirds of the time (2 : 1 in mean times). Or it keeps
    // two pages or crawlers going; which one depends on the start.
    const problem = {
      crawlerRate: 0.5,
      indexingRate: 1,
      capacity: 2,
      crawlers: 2,
      starvationWeight: 1,
      crawlerCost: 0,
      targets: Int32Array.of(2, 0, 1),
    };
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.classes).toHaveLength(2);
    const [shuttle, pair] = answer.classes;
    expect(answer.cost).toBeCloseTo(2 / 3, 14);
    expect(shuttle).toMatchObject({ minActive: 0, maxActive: 1, lossRate: 0 });
    expect(shuttle.meanActive).toBeCloseTo(2 / 3, 14);
    expect(pair).toMatchObject({ minActive: 1, maxActive: 2 });
    expect(pair.cost).toBeCloseTo(0.5, 14);
    expect(pair.lossRate).toBeCloseTo(0.1, 14);
  });

  it('needs no number of crawlers, which its largest target gives', () => {
    const problem = {
      crawlerRate: 0.1,
      indexingRate: 1,
      capacity: 3,
      starvationWeight: 1,
      crawlerCost: 0,
      targets: Int32Array.of(4, 9, 2, 1),
    };
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.crawlers).toBe(9);
    expect(answer.maxActivating).toBe(8);
    expect(answer.curves.monotone).toBe(false);
  });

  it('of rising targets that keep all of 250,000 crawlers active has the cost of that constant number', () => {
    const [crawlers, crawlerRate, indexingRate, starvationWeight] = [250_000, 1, 150_000, 20_000];
    const model = modelOf({ crawlerRate, indexingRate, capacity: 1, crawlers, starvationWeight, crawlerCost: 0 });
    const classes = measureClasses(model, Int32Array.of(crawlers - 1, crawlers), unlimitedBudget());
    // a queue of one page is empty μ/(μ + λN) of the time, and loses λN a unit of time else
    const { cost } = classes[0];
    const arrivals = crawlerRate * crawlers;
    const exact = (starvationWeight * indexingRate + arrivals * arrivals) / (indexingRate + arrivals);
    expect(Math.abs(cost / exact - 1)).toBeLessThan(1e-9);
  });
});
