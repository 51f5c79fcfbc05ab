/** crawler-count as a caller meets it: through the pipeline, JSON in and out. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { type Outcome, prepareParsed, run } from '../../src/workers/pipeline.ts';

const table = { capacity: 40, crawlerRate: 0.01, service: 1, costs: { starvation: 1.2 } };
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
  it('answers with the count, its measures, the proof and, for exponential service, the closed forms', () => {
    const { status, objective, solution, evaluation, warnings, statistics } = answer(table);
    expect(status).toBe('optimal');
    expect(objective).toMatchObject({ value: objective.value, bound: objective.value, gap: 0 });
    expect(Object.keys(solution)).toEqual([
      'crawlers',
      'offeredLoad',
      'starvationProbability',
      'lossRate',
      'lossProbability',
      'throughput',
      'meanQueueLength',
      'continuous',
      'criticalStarvationCost',
      'largeCapacityApproximation',
    ]);
    expect(solution.crawlers).toBe(100);
    expect(solution.criticalStarvationCost).toBeCloseTo(42 / 40, 14);
    expect(solution.continuous.crawlers).toBeCloseTo(100 * solution.continuous.offeredLoad, 10);
    expect(solution.largeCapacityApproximation).toEqual({ crawlers: 100, cost: objective.value });
    expect([evaluation, warnings]).toEqual([undefined, []]);
    expect(statistics.solver).toBe('closed-form');
  });

  it('gives null for the closed forms where service is not exponential', () => {
    const { solution, statistics } = answer({ ...table, service: lognormal });
    const { continuous, criticalStarvationCost, largeCapacityApproximation } = solution;
    expect([continuous, criticalStarvationCost, largeCapacityApproximation]).toEqual([null, null, null]);
    expect(statistics.solver).toBe('bisection');
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
    for (const service of laws) {
      const { status, solution } = answer({ ...table, service });
      expect(status, service.type).toBe('optimal');
      expect(solution.offeredLoad, service.type).toBeCloseTo(solution.crawlers * 0.01, 2);
    }
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
    const least = evaluation.reduce((a: { cost: number }, b: { cost: number }) => (b.cost < a.cost ? b : a));
    expect([least.crawlers, least.cost]).toEqual([solution.crawlers, objective.value]);
  });

  it('takes a bare number for the rate of exponential service, and prices lost pages as it is told', () => {
    const exponential = answer({ ...table, service: { type: 'exponential', rate: 1 } });
    expect(answer(table).solution).toEqual(exponential.solution);
    const doubled = answer({ ...table, costs: { loss: 2, starvation: 2.4 } });
    expect(doubled.solution.crawlers).toBe(exponential.solution.crawlers);
    expect(doubled.objective.value).toBeCloseTo(2 * exponential.objective.value, 14);
  });

  it('says how many crawlers there may be for at most 1% loss, and how few it takes for at most 5% idle time', () => {
    const most = answer({ ...table, costs: { loss: 0, starvation: 1 }, constraints: { lossProbability: 0.01 } });
    const around = answer({ ...table, evaluate: { from: most.solution.crawlers, to: most.solution.crawlers + 1 } });
    expect(most.status).toBe('optimal');
    expect(around.evaluation[0].lossProbability).toBeLessThanOrEqual(0.01);
    expect(around.evaluation[1].lossProbability).toBeGreaterThan(0.01);
    const costs = { loss: 0, crawler: 1 };
    const fewest = answer({ ...table, costs, constraints: { starvationProbability: 0.05 } });
    const before = answer({ ...table, evaluate: { from: fewest.solution.crawlers - 1, to: fewest.solution.crawlers } });
    expect(fewest.objective.value).toBe(fewest.solution.crawlers);
    expect(before.evaluation[0].starvationProbability).toBeGreaterThan(0.05);
    expect(before.evaluation[1].starvationProbability).toBeLessThanOrEqual(0.05);
  });

  it('says it where nothing speaks for a second crawler', () => {
    const { solution, warnings } = answer({ ...table, costs: {} });
    expect(solution.crawlers).toBe(1);
    expect(warnings).toMatchObject([{ code: 'starvation-free', pointer: '/costs/starvation' }]);
  });

  it('answers in words too', () => {
    expect(answer(table).summary).toMatch(/^Run 100 crawlers: there is nothing to index for 2\.\d% of the time, /);
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
    [{ ...table, crawlerRate: 0 }, ['/crawlerRate too_small']],
    [{ ...table, capacity: 0 }, ['/capacity too_small']],
    [{ ...table, capacity: 2.5 }, ['/capacity invalid_type']],
    [{ ...table, costs: { starvation: -1 } }, ['/costs/starvation too_small']],
    [{ ...table, costs: { starvation: 1, crawler: -1 } }, ['/costs/crawler too_small']],
    [{ ...table, costs: { starvation: 1, response: 1 } }, ['/costs/response unrecognized_key']],
    [{ ...table, costs: { loss: 0, starvation: 1 } }, ['/costs out-of-range']],
    [{ ...table, crawlers: 0 }, ['/crawlers too_small']],
    [{ ...table, evaluate: 0 }, ['/evaluate too_small']],
    [{ ...table, evaluate: { from: 3, to: 2 } }, ['/evaluate/to out-of-range']],
    [{ ...table, evaluate: { from: 1, to: 20_000 } }, ['/evaluate/to too-many-counts']],
    [{ ...table, capacity: 1e9, service: lognormal }, ['/capacity capacity-too-large']],
    [{ ...table, service: 0 }, ['/service too_small']],
    [{ ...table, service: 'fast' }, ['/service invalid_type']],
    [{ ...table, service: { type: 'pareto', shape: 1, scale: 1 } }, ['/service/shape too_small']],
    [{ ...table, service: { type: 'exponential', rate: 1e300 } }, ['/crawlerRate out-of-range']],
    [{ capacity: 3, crawlerRate: 1, costs: { starvation: 1 } }, ['/service invalid_type']],
    [
      { ...table, indexing: lognormal, starvationWeight: 1 },
      ['/indexing unrecognized_key', '/starvationWeight unrecognized_key'],
    ],
  ])('refuses %j at %j', (body, expected) => {
    expect(refused(body)).toEqual(expected);
  });
});
