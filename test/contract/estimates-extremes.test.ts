/** Estimates at the edges of double precision: an answer without an infinity, or a refusal that names the property. */
import { describe, expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { ask, operationNamed } from './outcomes.ts';

const outcome = (name: string, body: unknown, budget?: Budget) =>
  ask(operationNamed(`estimates/${name}`), body, budget).body;

const clock = [23.812, 23.542, 48.664, 23.472, 23.94, 23.865, 24.853, 23.839, 23.283, 24.948, 23.444];

describe('update-process', () => {
  it.each<[gaps: number[], openGap: number | undefined, pointer: string]>([
    [[1e100, 2.9698634441010654, 4.383761647921331e-274, 0.1478241845034063], 10.5, '/gaps/2'],
    [[...clock, 5e-324], undefined, '/gaps/11'],
    [[1.2e-235, 1e100, 0.000484, 0.0624, 0.00023, 0.27, 0.149, 2.84], undefined, '/gaps/0'],
    [[0.42, 1.54, 1.34, 8.2e-258, 2.8e-121, 0.41, 1e100], 1e100, '/gaps/3'],
    [[1e-310, 2e-310, 3e-310], undefined, '/gaps'],
    [[1e-90, 2e-90, 3e-90], 1e100, ''],
    [[1e-99, 2e-99, 3e-99, 1e-98, 2e-98, 1e-99, 4e-99, 1e-98, 2e-99, 5e-99], 1, ''],
  ])('%j, open %j', (gaps, openGap, pointer) => {
    const answer = outcome('update-process', { gaps, ...(openGap !== undefined && { openGap }) });
    if (pointer === '')
      expect(answer.solution.candidates[0].distribution.type, JSON.stringify(answer)).toBeTypeOf('string');
    else expect(answer.errors).toMatchObject([{ pointer, code: 'beyond-double-precision' }]);
  });

  it('gives the same law, scaled, in units far from 1', () => {
    const [best] = outcome('update-process', { gaps: clock, openGap: 30 }).solution.candidates;
    const [scaled] = outcome('update-process', { gaps: clock.map((x) => x * 1e-80), openGap: 30e-80 }).solution
      .candidates;
    expect(scaled.distribution.type).toBe(best.distribution.type);
    expect(scaled.ks).toBeCloseTo(best.ks, 7);
  });

  it('has nothing to return when the time limit comes first', () => {
    const stoppedBudget: Budget = { ...unlimitedBudget(), stopRequested: () => true };
    expect(outcome('update-process', { gaps: clock }, stoppedBudget)).toMatchObject({ status: 504 });
  });
});

describe('service-time', () => {
  it('says which inequality fails in units of the mean where its sides would overflow', () => {
    const body = { moments: [2008.7122659414558, 1e100, 202.46249847681236], scale: 1.5132230749857115e-65 };
    const answer = outcome('service-time', body);
    expect(answer.status).toBe('infeasible');
    expect(answer.conflict.left).toBeLessThan(answer.conflict.right);
  });

  it('fits a sample in which one value dwarfs all others', () => {
    const sample = [0.9051310305910593, 1e100, 1.532200388610363, 1535.7577987472446, 0.19013922777958214];
    const { solution } = outcome('service-time', { sample, scale: 1e100 });
    expect(solution.distribution.rates.every(Number.isFinite)).toBe(true);
  });

  it('refuses moments whose shape no product of theirs can carry', () => {
    const { errors } = outcome('service-time', { moments: [1e-90, 1e90, 1e99] });
    expect(errors).toMatchObject([{ pointer: '/moments', code: 'beyond-double-precision' }]);
  });
});

describe('change-signals', () => {
  it('takes pages of one host whose gaps are 300 orders of magnitude apart', () => {
    const fast = { host: 'a', checks: [[1e-300, false, 11]] };
    const slow = { host: 'a', checks: [[5.53, false, 0]] };
    const { solution } = outcome('change-signals', { pages: [fast, slow, fast, slow] });
    const [low, high] = solution.overall.precision.interval;
    expect(low).toBeGreaterThan(0);
    expect(high).toBeLessThan(1);
  });
});

describe('embarrassment-weights', () => {
  it.each<[body: unknown, pointer: string]>([
    [{ clicks: [], pages: [{ impressions: [[1]], errorProbability: 0.25 }] }, '/clicks'],
    [{ clicks: [[]], pages: [{ impressions: [[1]], errorProbability: 0.25 }] }, '/clicks/0'],
    [{ clicks: [[1, 0]], pages: [{ impressions: [], errorProbability: 0.25 }] }, '/pages/0/impressions'],
    [{ clicks: [[1, 0]], pages: [{ impressions: [[1e300, 0]], errorProbability: 0.25 }] }, '/pages/0/impressions/0/0'],
    [
      {
        clicks: [[1, 0], [1]],
        pages: [
          {
            impressions: [
              [1, 1],
              [1, 1],
            ],
            errorProbability: 0.25,
          },
        ],
      },
      '/clicks/1',
    ],
    [{ clicks: [[1, 0]], pages: [{ impressions: [[1, 0, 0]], errorProbability: 0.25 }] }, '/pages/0/impressions'],
  ])('%j', (body, pointer) => {
    expect(outcome('embarrassment-weights', body).errors?.[0]).toMatchObject({ pointer });
  });
});
