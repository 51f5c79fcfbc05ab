import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { overdue, prepareParsed, run, timeLimitReached } from '../../src/dispatch/pipeline.ts';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { longestTimeLimitMs } from '../../src/schemas/contract/options.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

describe('the refusal of a request whose time has passed', () => {
  it('names the limit, the time used and how far it came', () => {
    const { status, detail } = timeLimitReached(10_000, 10_233, 'the price was not known');
    expect(status).toBe(504);
    expect(detail).toBe(
      'the time limit of 10000 ms was reached after 10233 ms: the price was not known; how much it needs is not known: try options.timeLimitMs 20000',
    );
  });

  it('does not say that a limit was reached before it was', () => {
    expect(timeLimitReached(3000, 1495, '14% of the checks were read').detail).toBe(
      'the time limit of 3000 ms left too little after 1495 ms: 14% of the checks were read; how much it needs is not known: try options.timeLimitMs 6000',
    );
  });

  it('says what a solve needs that told how far it was and was ended from outside', () => {
    expect(overdue(1000, 1010, 0.25).detail).toBe(
      'the time limit of 1000 ms was reached after 1010 ms: 25% was done; options.timeLimitMs 4000 should do',
    );
    expect(overdue(1000, 1010, undefined).detail).toContain(
      'it had no answer yet; how much it needs is not known: try options.timeLimitMs 2000',
    );
  });

  it('counts the time that reading the body took as used', () => {
    const [operation] = operations;
    const request: unknown = exampleRequest(operation.examples[0]);
    const ready = prepareParsed(operation, request, readConfig({}));
    if (ready.kind !== 'ready') throw new Error('the example is refused');
    const budget = { ...unlimitedBudget(0), stopRequested: () => true, remainingMs: () => 0 };
    const outcome = run(ready, budget, () => 0);
    expect(outcome.kind === 'problem' && outcome.problem.detail).toContain(`reached after ${ready.timeLimitMs} ms`);
  });

  it.each([100, 8200, 40_000])('asks for more time than was used, where solving takes %d ms', (neededMs) => {
    const { detail } = timeLimitReached(10_000, 10_233, 'the price was not known', neededMs);
    const wanted = Number(/options\.timeLimitMs (\d+) should do$/.exec(detail)?.[1]);
    expect(wanted).toBeGreaterThan(10_233);
    expect(wanted).toBeGreaterThanOrEqual(neededMs);
  });

  it.each([
    [1, 1.6, 0.4],
    [3, 2.25, undefined],
    [400_000, 500_000, 9e6],
    [300_000, 400_000, undefined],
  ])('proposes a whole number that is accepted: of %d ms %d were used, and %s are needed', (limit, used, needed) => {
    const { detail } = timeLimitReached(limit, used, 'the price was not known', needed);
    const proposed = Number(/options\.timeLimitMs (\S+?)(?: should do)?$/.exec(detail)?.[1]);
    expect(Number.isInteger(proposed)).toBe(true);
    expect(proposed).toBeGreaterThan(limit);
    expect(proposed).toBeLessThanOrEqual(longestTimeLimitMs);
  });
});
