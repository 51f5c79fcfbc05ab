/** crawler-count as a caller meets it: through the pipeline, JSON in and out. */
import { describe, expect, it } from 'vitest';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Budget } from '../../src/solvers/budget.ts';
import { answerOf, refusalPlaces } from './outcomes.ts';

const table = { capacity: 40, crawlerRate: 0.01, service: 1, costs: { starvation: 1.2 } };
const lognormal = { type: 'lognormal', mu: -0.5, sigma: 1 };

const answer = (body: unknown, budget?: Budget) => answerOf(crawlerCount, body, budget);
const refusalsAt = (body: unknown): string[] => refusalPlaces(crawlerCount, body);

describe('crawler-count', () => {
  it('gives null for the closed forms where service is not exponential', () => {
    const { solution, statistics } = answer({ ...table, service: lognormal });
    const { continuous, criticalStarvationCost, largeCapacityApproximation } = solution;
    expect([continuous, criticalStarvationCost, largeCapacityApproximation]).toEqual([null, null, null]);
    expect(statistics.solver).toBe('bisection');
  });

  it('evaluates the counts asked for, the least of which is the optimum', () => {
    const costs = { starvation: 1.2, crawler: 0.001 };
    const [alone] = answer({ ...table, costs, evaluate: 80 }).evaluation;
    expect(alone.crawlers).toBe(80);
    expect(alone.cost).toBeCloseTo(1.2 * alone.starvationProbability + alone.lossRate + 0.08, 14);
    const { solution, objective, evaluation } = answer({ ...table, costs, evaluate: { from: 95, to: 105 } });
    expect(evaluation.map((point: { crawlers: number }) => point.crawlers)).toEqual(
      Array.from({ length: 11 }, (_, i) => 95 + i),
    );
    const cheapest = evaluation.reduce((a: { cost: number }, b: { cost: number }) => (b.cost < a.cost ? b : a));
    expect([cheapest.crawlers, cheapest.cost]).toEqual([solution.crawlers, objective.value]);
  });

  it('takes a bare number for the rate of exponential service, and prices lost pages as it is told', () => {
    const exponential = answer({ ...table, service: { type: 'exponential', rate: 1 } });
    expect(answer(table).solution).toEqual(exponential.solution);
    const doubled = answer({ ...table, costs: { loss: 2, starvation: 2.4 } });
    expect(doubled.solution.crawlers).toBe(exponential.solution.crawlers);
    expect(doubled.objective.value).toBeCloseTo(2 * exponential.objective.value, 14);
  });

  it('warns where starvation costs nothing, so that one crawler is best', () => {
    const { solution, warnings } = answer({ ...table, costs: {} });
    expect(solution.crawlers).toBe(1);
    expect(warnings).toMatchObject([{ code: 'starvation-free', pointer: '/costs/starvation' }]);
  });

  it('says when the cap binds, and by how much', () => {
    const { solution, warnings } = answer({ ...table, crawlers: 60 });
    expect(solution.crawlers).toBe(60);
    expect(warnings.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer])).toEqual([
      ['crawlers-binding', '/crawlers'],
    ]);
    expect(answer({ ...table, crawlers: 100 }).warnings).toEqual([]);
  });

  it.each([
    [{ ...table, costs: { loss: 0, starvation: 1 } }, ['/costs out-of-range']],
    [{ ...table, evaluate: { from: 3, to: 2 } }, ['/evaluate/to out-of-range']],
    [{ ...table, evaluate: { from: 1, to: 20_000 } }, ['/evaluate/to too-many-counts']],
    [{ ...table, capacity: 1e9, service: lognormal }, ['/capacity capacity-too-large']],
    [{ ...table, service: { type: 'pareto', shape: 1, scale: 1 } }, ['/service/shape too_small']],
    [{ ...table, service: { type: 'exponential', rate: 1e300 } }, ['/crawlerRate out-of-range']],
    [
      { ...table, indexing: lognormal, starvationWeight: 1 },
      ['/indexing unrecognized_key', '/starvationWeight unrecognized_key'],
    ],
  ])('refuses %j at %j', (body, expected) => {
    expect(refusalsAt(body)).toEqual(expected);
  });
});
