import { describe, expect, it } from 'vitest';
import {
  type ActivationProblem,
  certifyActivation,
  estimateActivationWork,
  solveActivationPolicy,
} from '../../../src/solvers/activation-policy/index.ts';
import { relativeGap } from '../../../src/solvers/answer.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { timed } from '../../timed.ts';

const base = { capacity: 10, crawlerCost: 0, algorithm: 'policy-iteration' } as const;

/** A budget that has ended, or ends at its n-th poll. */
const ending = (polls: number) => {
  let asked = 0;
  return { ...unlimitedBudget(), stopRequested: () => asked++ >= polls };
};

/** The largest work that the event loop takes on, by default. */
const inlineWork = 1e6;

describe('requests at the edge', () => {
  it('with a large tolerance do not call optimal what is 12% from its bound', () => {
    const problem: ActivationProblem = {
      ...base,
      crawlerRate: 0.2811448532156646,
      indexingRate: 0.14527600700967014,
      capacity: 9,
      starvationWeight: 1e15,
      crawlers: 17,
      crawlerCost: 1.1577577816788107,
      tolerance: 1,
    };
    const answer = solveActivationPolicy(problem, unlimitedBudget());
    const gap = relativeGap(answer.cost, defined(answer.bound, 'bound'));
    expect(gap).toBeLessThanOrEqual(1);
    expect(answer.status).toBe(gap <= 0.01 ? 'optimal' : 'feasible');
    expect(solveActivationPolicy({ ...problem, tolerance: 1e-9 }, unlimitedBudget()).status).toBe('optimal');
  });

  it('state no infinite bound where relative value iteration has no time for an update', () => {
    const problem: ActivationProblem = {
      ...base,
      crawlerRate: 1.875047925626859,
      indexingRate: 0.3995298526715487,
      capacity: 14,
      starvationWeight: 0.00011323460322281948,
      crawlerCost: 2.042511271778494,
      algorithm: 'relative-value-iteration',
      relaxation: 0.6299480986781418,
    };
    const answer = solveActivationPolicy(problem, ending(0));
    expect(answer.status).toBe('feasible');
    expect(answer.valueIteration?.upperBound).toBeNull();
    expect(answer.bound).toBeNull();
    const whole = solveActivationPolicy(problem, unlimitedBudget());
    expect(whole.valueIteration?.upperBound).toBeGreaterThanOrEqual(whole.bound ?? Number.POSITIVE_INFINITY);
  });

  it('where hardly anything is lost are proved against 0, without looking for ever more crawlers', () => {
    const problem: ActivationProblem = { ...base, crawlerRate: 3053, indexingRate: 1, starvationWeight: 1e15 };
    let polls = 0;
    const answer = solveActivationPolicy(problem, {
      ...unlimitedBudget(),
      stopRequested: () => {
        polls++;
        return false;
      },
    });
    expect(answer.status).toBe('optimal');
    expect(answer.cost).toBeGreaterThanOrEqual(0);
    expect(answer.cost).toBeLessThan(1e-21);
    expect(answer.bound).toBe(0);
    expect(certifyActivation(problem, answer)).toEqual([]);
    // Before, seconds and a refusal for the number of crawlers.
    expect(polls).toBeLessThan(1000);
  });

  it('whose length nobody knows beforehand are not estimated as short', () => {
    const tiny: ActivationProblem = {
      ...base,
      crawlerRate: 1e-15,
      indexingRate: 1e-15,
      capacity: 19,
      starvationWeight: 1.3427075115032494,
    };
    expect(estimateActivationWork(tiny)).toBeGreaterThan(inlineWork);
    const paper: ActivationProblem = {
      ...base,
      crawlerRate: 81.63223352344164,
      indexingRate: 1.0674266105052084,
      capacity: 19,
      crawlers: 19,
      starvationWeight: 0.05336099016354529,
      algorithm: 'relative-value-iteration',
      tolerance: 0.00009284774122047385,
    };
    expect(estimateActivationWork(paper)).toBeGreaterThan(inlineWork);
    expect(estimateActivationWork({ ...paper, algorithm: 'policy-iteration' })).toBeLessThan(inlineWork);
  });

  it('with a cost next to 0 state no improvement over it that overflows', () => {
    const targets = Int32Array.from({ length: 45 }, (_, q) => Math.max(0, 6 - Math.floor((q + 4) / 7)));
    const problem: ActivationProblem = {
      ...base,
      crawlerRate: 83907322.89841731,
      indexingRate: 4.059887422663211,
      capacity: 44,
      starvationWeight: 1,
      crawlers: 6,
      tolerance: 1,
      targets,
    };
    const answer = solveActivationPolicy(problem, unlimitedBudget());
    expect(answer.cost).toBeLessThan(1e-280);
    expect(answer.relativeImprovement === null || Number.isFinite(answer.relativeImprovement)).toBe(true);
  });

  it('for millions of crawlers and rising targets stop between the steps of an evaluation', timed, () => {
    const problem: ActivationProblem = {
      ...base,
      crawlerRate: 5.155878856953283,
      indexingRate: 0.3202782954192016,
      capacity: 1,
      starvationWeight: 0,
      crawlers: 2_499_999,
      targets: Int32Array.of(1_983_070, 2_339_435),
    };
    const start = process.cpuUsage();
    expect(() => solveActivationPolicy(problem, ending(0))).toThrow('the targets had not been evaluated');
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(200);
  });
});
