import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { prepareParsed, run, timeLimitProblem } from '../../src/workers/pipeline.ts';

const maxTimeLimitMs = 60_000;
const facts = { timeLimitMs: 10_000, maxTimeLimitMs, usedMs: 10_233 };
const reason = 'the price was not known';

describe('the refusal of a request whose time has passed', () => {
  it('names the limit, the time used and how far it came', () => {
    const { status, detail } = timeLimitProblem({ ...facts, reason });
    expect(status).toBe(504);
    expect(detail).toBe(
      'the time limit of 10000 ms was reached after 10233 ms: the price was not known; try options.timeLimitMs 20000',
    );
  });

  it('does not say that a limit was reached before it was', () => {
    expect(
      timeLimitProblem({ timeLimitMs: 3000, maxTimeLimitMs, usedMs: 1495, reason: '14% of the checks were read' })
        .detail,
    ).toBe(
      'the time limit of 3000 ms left too little after 1495 ms: 14% of the checks were read; try options.timeLimitMs 6000',
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
    const { detail } = timeLimitProblem({ ...facts, reason, neededMs });
    const proposal = Number(/options\.timeLimitMs (\d+)$/.exec(detail)?.[1]);
    expect(proposal).toBeGreaterThan(10_233);
    expect(proposal).toBeGreaterThanOrEqual(neededMs);
  });

  it('proposes whole milliseconds that the server accepts, or none', () => {
    for (const usedMs of [0.3, 1.2, 3.456, 59_999]) {
      for (const neededMs of [undefined, 0.01, 70_000]) {
        const { detail } = timeLimitProblem({ timeLimitMs: 1, maxTimeLimitMs, usedMs, reason, neededMs });
        const proposal = /options\.timeLimitMs (\S+)$/.exec(detail)?.[1];
        if (proposal === undefined) expect(detail).toContain('make the problem smaller');
        else {
          expect(proposal).toMatch(/^\d+$/);
          expect(Number(proposal)).toBeLessThanOrEqual(maxTimeLimitMs);
        }
      }
    }
  });
});
