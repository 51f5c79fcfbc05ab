/** A certificate must catch a wrong answer: true ones are changed a little, each part by itself. */
import { describe, expect, it } from 'vitest';
import { certifyThresholdPolicy } from '../../../src/certificates/threshold-policy.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './answered.ts';
import { example, exampleCosts } from './cases.ts';

const base = { ...example({ capacity: 5 }), costs: exampleCosts };

/** The answer, after nothing was found wrong with it. */
function certified(problem: ThresholdPolicyProblem): ThresholdPolicyAnswer {
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  return answer;
}

describe('the certificate of a front', () => {
  it.each([
    ['of thresholds', { front: { criteria: ['loss', 'starvation'] } }],
    [
      'of thresholds within a limit',
      { front: { criteria: ['loss', 'starvation'] }, constraints: { activeCrawlers: 2 } },
    ],
    ['of tables', { observe: 'phases', front: { criteria: ['loss', 'starvation'] } }],
  ] satisfies [string, Partial<ThresholdPolicyProblem>][])('%s finds what was changed', (_, asked) => {
    const problem = { ...base, ...asked };
    const answer = certified(problem);
    const front = defined(answer.front);
    expect(front.length).toBeGreaterThan(3);
    // Of long fronts only some points are measured again: one of these is changed.
    const at = Math.ceil(front.length / 12);
    const [point, next] = front.slice(at);
    const [from, to] = defined(point.weightOfSecond);
    const [before, last] = front.slice(-2);
    const [low, high] = defined(before.weightOfSecond).map((price) => defined(price));
    const criteria = { ...point.criteria, loss: defined(point.criteria.loss) * (1 + 1e-5) };
    const wrong = {
      'a criterion': front.with(at, { ...point, criteria }),
      'another policy': front.with(at, { ...point, policy: next.policy }),
      'a gap in the prices': front.with(at, { ...point, weightOfSecond: [from * 1.01, to] }),
      'prices at which it is not best': front
        .slice(0, -2)
        .concat({ ...before, weightOfSecond: [low, 100 * high] }, { ...last, weightOfSecond: [100 * high, null] }),
      'a point behind another': front.with(at, {
        ...next,
        criteria: { ...next.criteria, loss: 2 * defined(next.criteria.loss) },
      }),
    } satisfies Record<string, typeof front>;
    for (const [what, changed] of Object.entries(wrong)) {
      expect(certifyThresholdPolicy(problem, { ...answer, front: changed }), what).not.toEqual([]);
    }
  });

  it('finds a policy beyond a limit', () => {
    const front = { criteria: ['loss', 'starvation'] as const };
    const answer = certified({ ...base, front });
    const limited = { ...base, front, constraints: { activeCrawlers: 2 } };
    expect(certifyThresholdPolicy(limited, answer)).toContainEqual(
      expect.stringMatching(/^point \d+ of the front exceeds the limit on activeCrawlers$/),
    );
  });
});

describe('the certificate of a filter', () => {
  const problem = { ...base, observe: 'phases', filter: { replications: 1 } } as const;

  it('finds what was changed', () => {
    const answer = certified(problem);
    const filter = defined(answer.filter);
    const [one, ...others] = filter.modes;
    const scaled = (rows: readonly (readonly number[])[]): number[][] =>
      rows.map((row, i) => row.map((value, j) => (i + j === 0 ? value * (1 - 1e-8) : value)));
    const largest = Math.max(...filter.values.flat(2).map((value) => value ?? 0));
    const wrong = {
      tick: { tick: filter.tick * 1.5 },
      quiet: { modes: [{ ...one, quiet: scaled(one.quiet) }, ...others] },
      batches: { modes: [{ ...one, batches: one.batches.toReversed() }, ...others] },
      service: { service: scaled(filter.service) },
      initial: { initial: filter.initial.toReversed() },
      values: {
        values: filter.values.map((states) =>
          states.map((modes) => modes.map((value) => (value === largest ? value * (1 + 1e-6) : value))),
        ),
      },
    };
    for (const [what, changed] of Object.entries(wrong)) {
      const told = { ...answer, filter: { ...filter, ...changed } };
      expect(certifyThresholdPolicy(problem, told), what).not.toEqual([]);
    }
  });

  it('holds for a price on crawlers and on losses alone, where an empty system may have no crawler', () => {
    certified({ ...problem, costs: { loss: 3, obsolescence: 1, response: 0, crawler: 0.2, starvation: 2 } });
  });
});
