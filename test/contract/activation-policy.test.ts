import { describe, expect, it } from 'vitest';
import { activationPolicy } from '../../src/operations/activation-policy.ts';
import { ask } from './outcomes.ts';

const post = (body: object) => ask(activationPolicy, body);

const figure16 = { capacity: 5, crawlerRate: 0.1, service: 1, costs: { starvation: 1.4 }, crawlers: 16 };

describe('activation-policy', () => {
  it('evaluates given targets, class by class when there are several', () => {
    const one = post({ ...figure16, evaluate: { targets: [16, 16, 12, 8, 4, 0] } });
    expect(one.body.status).toBe('evaluated');
    expect(one.body.solution).toBeUndefined();
    expect(one.body.evaluation.targets).toEqual([16, 16, 12, 8, 4, 0]);
    expect(one.body.evaluation.recurrentClasses).toHaveLength(1);
    expect(one.body.objective.value).toBeGreaterThan(one.body.objective.bound);
    const two = post({
      ...figure16,
      crawlerRate: 0.5,
      capacity: 2,
      crawlers: 2,
      costs: { starvation: 1 },
      evaluate: { targets: [2, 0, 1] },
    });
    expect(two.body.evaluation.recurrentClasses.map((c: { cost: number }) => c.cost)).toEqual([
      expect.closeTo(2 / 3, 12),
      expect.closeTo(0.5, 12),
    ]);
    expect(two.body.warnings).toMatchObject([{ code: 'several-recurrent-classes', pointer: '/evaluate/targets' }]);
  });

  it('counts the crawler cost in the objective and in the baseline', () => {
    const { body } = post({ ...figure16, costs: { starvation: 1.4, crawler: 0.02 } });
    const { starvationProbability, lossRate, activeCrawlers } = body.solution;
    const parts = 1.4 * starvationProbability + lossRate + 0.02 * activeCrawlers.mean;
    expect(body.objective.value).toBeCloseTo(parts, 13);
    expect(body.relativeImprovement).toBeCloseTo(body.baseline.cost / body.objective.value - 1, 12);
  });

  it('refuses what does not fit the model, naming the place and what would be accepted', () => {
    const refusalCases: [changes: object, pointer: string, detail: RegExp][] = [
      [{ crawlerRate: 0 }, '/crawlerRate', /./],
      [{ capacity: 0 }, '/capacity', /./],
      [{ capacity: 2.5 }, '/capacity', /./],
      [{ crawlers: 0 }, '/crawlers', /./],
      [{ costs: { starvation: -1 } }, '/costs/starvation', /./],
      [{ costs: { loss: 0, starvation: 1 } }, '/costs/loss', /weighed against/],
      [{ evaluate: 17 }, '/evaluate', /at most crawlers/],
      [{ evaluate: { targets: [1, 1] } }, '/evaluate/targets', /must have 6 items/],
      [{ evaluate: { targets: [0, 1, 1, 1, 1, 1] } }, '/evaluate/targets/0', /at least 1/],
      [{ evaluate: { targets: [17, 1, 1, 1, 1, 1] } }, '/evaluate/targets/0', /at most crawlers \(16\)/],
      [{ evaluate: { targets: [1, 1, 1, 1, 1, 0.5] } }, '/evaluate/targets/5', /integer/],
      [{ crawlersAvailable: 3 }, '/crawlersAvailable', /allowed here: .*crawlers/],
      [{ capacity: 1000, crawlers: 100_000 }, '/crawlers', /100101001 states.*Reduce crawlers to 4994/],
      [{ crawlerRate: 1e-14 }, '/crawlerRate', /same time unit/],
      [{ crawlerRate: undefined }, '/crawlerRate', /./],
      [{ service: undefined }, '/service', /./],
      [{ service: { type: 'erlang', shape: 2, rate: 2 } }, '/service/type', /./],
      [{ batchSizes: [{ size: 2, probability: 1 }] }, '/batchSizes', /unknown property/],
    ];
    for (const [changes, pointer, detail] of refusalCases) {
      const { status, body } = post({ ...figure16, ...changes });
      expect([changes, status]).toEqual([changes, 422]);
      expect(body.errors[0].pointer).toBe(pointer);
      expect(body.errors[0].detail).toMatch(detail);
    }
  });
});
