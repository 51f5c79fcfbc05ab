/** crawler-count as a caller meets it: through the pipeline, JSON in and out. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { type Outcome, prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';

const table = { crawlerRate: 0.01, indexing: { type: 'exponential', rate: 1 }, capacity: 40, starvationWeight: 1.2 };
const lognormal = { type: 'lognormal', mu: -0.5, sigma: 1 };

function outcomeOf(body: unknown, budget: Budget = unlimitedBudget()): Outcome {
  const ready = prepareParsed(crawlerCount, body, readConfig({}));
  return ready.kind === 'ready' ? run(ready, budget, now) : ready;
}

function answer(body: unknown, budget?: Budget) {
  const outcome = outcomeOf(body, budget);
  if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.json);
}

/** The places and codes that are refused. */
function refused(body: unknown): string[] {
  const outcome = outcomeOf(body);
  if (outcome.kind !== 'problem') throw new Error('accepted');
  expect(outcome.problem.status).toBe(422);
  return (outcome.problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('crawler-count', () => {
  it('answers with the count, its measures, the proof and, for exponential indexing, the closed forms', () => {
    const { status, objective, solution, evaluation, curve, warnings, statistics } = answer(table);
    expect(status).toBe('optimal');
    expect(objective).toEqual({ value: objective.value, bound: objective.value, gap: 0 });
    expect(Object.keys(solution)).toEqual([
      'crawlers',
      'offeredLoad',
      'starvationProbability',
      'lossRate',
      'lossProbability',
      'throughput',
      'meanQueueLength',
      'continuous',
      'criticalStarvationWeight',
      'largeCapacityApproximation',
    ]);
    expect(solution.crawlers).toBe(100);
    expect(solution.criticalStarvationWeight).toBeCloseTo(42 / 40, 14);
    expect(solution.continuous.crawlers).toBeCloseTo(100 * solution.continuous.offeredLoad, 10);
    expect(solution.largeCapacityApproximation).toEqual({ crawlers: 100, cost: objective.value });
    expect([evaluation, curve, warnings]).toEqual([undefined, undefined, []]);
    expect(statistics.solver).toBe('closed-form');
  });

  it('gives null for the closed forms where indexing is not exponential', () => {
    const { solution, statistics } = answer({ ...table, indexing: lognormal });
    const { continuous, criticalStarvationWeight, largeCapacityApproximation } = solution;
    expect([continuous, criticalStarvationWeight, largeCapacityApproximation]).toEqual([null, null, null]);
    expect(statistics.solver).toBe('convex-search');
  });

  it('accepts every distribution of the contract', () => {
    const laws = [
      { type: 'deterministic', value: 1 },
      { type: 'exponential', rate: 1 },
      { type: 'erlang', shape: 3, rate: 3 },
      { type: 'gamma', shape: 0.4, rate: 0.4 },
      { type: 'hyperexponential', probabilities: [0.5, 0.5], rates: [0.6, 3] },
      { type: 'uniform', min: 0, max: 2 },
      lognormal,
      { type: 'weibull', shape: 0.5, scale: 0.5 },
      { type: 'pareto', shape: 1.5, scale: 1 / 3 },
      { type: 'lomax', shape: 3, scale: 2 },
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-2, 2],
          [0, -2],
        ],
      },
      { type: 'empirical', values: [0.2, 1, 1.8], weights: [1, 1, 1] },
    ];
    for (const indexing of laws) {
      const { status, solution } = answer({ ...table, indexing });
      expect(status, indexing.type).toBe('optimal');
      expect(solution.offeredLoad, indexing.type).toBeCloseTo(solution.crawlers * 0.01, 2);
    }
  });

  it('evaluates the count asked for and a curve, whose least point is the optimum', () => {
    const body = { ...table, crawlers: 80, curve: { from: 95, to: 105 }, crawlerCost: 0.001 };
    const { solution, objective, evaluation, curve } = answer(body);
    expect(evaluation.crawlers).toBe(80);
    expect(evaluation.cost).toBeCloseTo(1.2 * evaluation.starvationProbability + evaluation.lossRate + 0.08, 14);
    expect(curve.map((point: { crawlers: number }) => point.crawlers)).toEqual(
      Array.from({ length: 11 }, (_, i) => 95 + i),
    );
    const least = curve.reduce((a: { cost: number }, b: { cost: number }) => (b.cost < a.cost ? b : a));
    expect([least.crawlers, least.cost]).toEqual([solution.crawlers, objective.value]);
    expect(Object.keys(curve[0])).toEqual(['crawlers', 'cost', 'starvationProbability', 'lossRate']);
  });

  it('says when the cap binds, and by how much', () => {
    const { solution, warnings } = answer({ ...table, maxCrawlers: 60 });
    expect(solution.crawlers).toBe(60);
    expect(warnings.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer])).toEqual([
      ['max-crawlers-binding', '/maxCrawlers'],
    ]);
    expect(answer({ ...table, maxCrawlers: 100 }).warnings).toEqual([]);
  });

  it('ends early with the best count so far, its bound, and what the curve had reached', () => {
    let polls = 0;
    const stopping = { ...unlimitedBudget(), stopRequested: () => polls++ > 4 };
    const { status, objective, curve, warnings } = answer(
      { ...table, crawlerRate: 1e-5, indexing: { type: 'lomax', shape: 1.3, scale: 0.3 }, curve: { from: 1, to: 50 } },
      stopping,
    );
    expect(['optimal', 'feasible']).toContain(status);
    expect(objective.bound).toBeLessThanOrEqual(objective.value);
    expect(curve.length).toBeLessThan(50);
    expect(warnings.map(({ code }: { code: string }) => code)).toContain('curve-incomplete');
  });

  it.each([
    [{ ...table, crawlerRate: 0 }, ['/crawlerRate too_small']],
    [{ ...table, capacity: 0 }, ['/capacity too_small']],
    [{ ...table, capacity: 2.5 }, ['/capacity invalid_type']],
    [{ ...table, starvationWeight: -1 }, ['/starvationWeight too_small']],
    [{ ...table, crawlerCost: -1 }, ['/crawlerCost too_small']],
    [{ ...table, maxCrawlers: 0 }, ['/maxCrawlers too_small']],
    [{ ...table, crawlers: 0 }, ['/crawlers too_small']],
    [{ ...table, curve: { from: 3, to: 2 } }, ['/curve/to out-of-range']],
    [{ ...table, curve: { from: 1, to: 20_000 } }, ['/curve/to curve-too-long']],
    [{ ...table, starvationWieght: 1 }, ['/starvationWieght unrecognized_key']],
    [{ ...table, capacity: 1e9, indexing: lognormal }, ['/capacity capacity-too-large']],
    [{ ...table, indexing: { type: 'pareto', shape: 1, scale: 1 } }, ['/indexing/shape too_small']],
    [{ ...table, indexing: { type: 'exponential', rate: 1e300 } }, ['/crawlerRate out-of-range']],
    [{ crawlerRate: 1, capacity: 3, starvationWeight: 1 }, ['/indexing invalid_type']],
  ])('refuses %j at %j', (body, expected) => {
    expect(refused(body)).toEqual(expected);
  });
});
