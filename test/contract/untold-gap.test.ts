/** A gap is a share of the bound. Where the bound is 0 there is none: the answer has null, and its sentence says why. */
import { describe, expect, it } from 'vitest';
import { envelopeFaults } from '../../src/certificates/envelope.ts';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import { objective } from '../../src/solvers/answer.ts';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';

/** A count of crawlers whose budget is over from its nth look on. */
function countedUntil(last: number) {
  const operation = operations.find(({ name }) => name === 'crawler-count');
  if (operation === undefined) throw new Error('no crawler-count');
  const service = { type: 'hyperexponential', probabilities: [0.25, 0.75], rates: [0.1, 5] };
  const body = { capacity: 50, crawlerRate: 0.01, service, costs: { starvation: 1.4 } };
  const ready = prepareParsed(operation, body, readConfig({}));
  if (ready.kind !== 'ready') throw new Error(ready.problem.detail);
  let looks = 0;
  const budget: Budget = { ...unlimitedBudget(), stopRequested: () => looks++ >= last };
  const done = run(ready, budget, now);
  return done.kind === 'answer' ? JSON.parse(done.json) : null;
}

describe('a gap', () => {
  it('is null where the bound is 0 or of the other sign, and nowhere else', () => {
    expect(objective(3, 0).gap).toBeNull();
    expect(objective(3, -2).gap).toBeNull();
    expect(objective(0, 0).gap).toBe(0);
    expect(objective(-1, -2).gap).toBe(0.5);
    expect(objective(3, 2).gap).toBe(0.5);
    expect(objective(3, null).gap).toBeNull();
  });

  it('is null in a stopped answer whose bound is 0, with the reason in the sentence', () => {
    const first = Array.from({ length: 10 }, (_, last) => countedUntil(last)).find((answer) => answer !== null);
    expect(first).toMatchObject({ status: 'feasible', objective: { bound: 0, gap: null } });
    expect(first.summary).toMatch(/ No gap can be stated against a bound of 0\.$/);
    expect(envelopeFaults(first)).toEqual([]);
    const { objective: told } = first;
    expect(envelopeFaults({ ...first, objective: { ...told, gap: told.value / 1e-12 } })).toHaveLength(1);
  });
});
