/** `sweep`: every row is what the request alone would answer, and what is refused is refused with its place. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { activationPolicy } from '../../src/operations/activation-policy.ts';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { solveSweep } from '../../src/operations/sweep.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import type { Answer } from '../../src/schemas/contract/answer.ts';
import { invalidRequest } from '../../src/schemas/contract/problem.ts';
import { type Budget, deadlineBudget, NothingToReturn, unlimitedBudget } from '../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../src/solvers/condition.ts';

const example = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8'));

function sweepAnswer(operation: Operation, body: unknown, budget = unlimitedBudget()): Answer {
  const result = operation.check(body);
  if (!result.ok) throw new Error(JSON.stringify(invalidRequest(result.issues).errors));
  expect(result.request.work()).toBeGreaterThan(0);
  return result.request.solve(budget);
}

function rowsOf({ supplement }: Answer): Record<string, unknown>[] {
  const rows: unknown = Reflect.get(Object(supplement), 'sweep');
  if (!Array.isArray(rows)) throw new Error('an answer without a sweep');
  return rows;
}

const table11 = example('crawler-count-table-1.1');
const figure16 = example('activation-policy-figure-1.6');
const paper = example('threshold-policy-paper');

describe('a sweep', () => {
  it.each<[string, Operation, Record<string, unknown>, string, (value: number) => object, number[]]>([
    ['crawler-count', crawlerCount, table11, '/capacity', (capacity) => ({ capacity }), [5, 10, 20, 40, 80]],
    [
      'crawler-count',
      crawlerCount,
      table11,
      '/costs/crawler',
      (crawler) => ({ costs: { starvation: 1.2, crawler } }),
      [0, 0.001, 0.01],
    ],
    [
      'activation-policy',
      activationPolicy,
      figure16,
      '/costs/starvation',
      (starvation) => ({ costs: { starvation } }),
      [0.4, 1.2, 2.4],
    ],
    ['threshold-policy', thresholdPolicy, paper, '/capacity', (capacity) => ({ capacity }), [3, 5, 8]],
    [
      'threshold-policy',
      thresholdPolicy,
      { ...paper, observe: 'phases' },
      '/costs/starvation',
      (starvation) => ({ costs: { ...Object(paper.costs), starvation } }),
      [0, 30, 300],
    ],
  ])('of %s answers each value as the request alone would', (_, operation, body, parameter, change, values) => {
    const answer = sweepAnswer(operation, { ...body, sweep: { parameter, values } });
    const rows = rowsOf(answer);
    expect(rows.map(({ value }) => value)).toEqual(values);
    for (const [i, value] of values.entries()) {
      const alone = sweepAnswer(operation, { ...body, ...change(value) });
      // The bound and the gap may differ in their last digits.
      expect(rows[i].objective).toEqual({
        value: alone.objective?.value,
        bound: expect.closeTo(alone.objective?.bound ?? Number.NaN, 9),
        gap: expect.closeTo(0, 9),
      });
      expect(rows[i].solution).toEqual(alone.solution);
      expect(rows[i].status).toBe(alone.status);
    }
    expect(answer.objective).toEqual(sweepAnswer(operation, body).objective);
    // Typed arrays are written as plain ones: what is sent fits the schema of the answer.
    const wire: unknown = JSON.parse(JSON.stringify(Reflect.get(Object(rows[0]), 'objective')));
    expect(wire).toMatchObject({ value: expect.any(Number) });
  });

  it.each<[string, unknown, string, string]>([
    ['/costs/typo', [1], '/sweep/values/0', 'sweep-value-refused'],
    ['/nowhere/at/all', [1], '/sweep/parameter', 'no-such-parameter'],
    ['costs', [1], '/sweep/parameter', 'no-such-parameter'],
    ['/options/seed', [1], '/sweep/parameter', 'no-such-parameter'],
    ['/sweep/values/0', [1], '/sweep/parameter', 'no-such-parameter'],
    ['/__proto__/polluted', [1], '/sweep/parameter', 'no-such-parameter'],
    ['/__proto__', [1], '/sweep/values/0', 'sweep-value-refused'],
    ['/arrivals/modes/9/crawlers', [1], '/sweep/parameter', 'no-such-parameter'],
    ['/capacity', [3, 2.5], '/sweep/values/1', 'sweep-value-refused'],
    ['/capacity', [], '/sweep/values', 'too_small'],
  ])('over %s with %j is refused at %s', (parameter, values, pointer, code) => {
    const result = thresholdPolicy.check({ ...paper, sweep: { parameter, values } });
    if (result.ok) throw new Error('accepted');
    expect(invalidRequest(result.issues).errors?.[0]).toMatchObject({ pointer, code });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('over a value that breaks a condition of the model is refused with its place before anything is solved', () => {
    const body = { ...paper, sweep: { parameter: '/arrivals/modes/0/matrices/0/0/0', values: [-10, -11] } };
    const result = thresholdPolicy.check(body);
    if (!result.ok) throw new Error('refused by the schema');
    const failure = (() => {
      try {
        result.request.work();
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(ConditionNotMet);
    expect(failure).toMatchObject({ path: ['sweep', 'values', 1], code: 'sweep-value-refused' });
  });

  it('that runs out of time says which values are missing, and answers the others', () => {
    let polls = 0;
    const budget = { ...unlimitedBudget(), stopRequested: () => ++polls > 25 };
    const sweep = { parameter: '/costs/starvation', values: [0.4, 1.2, 2.4, 4.8, 9.6] };
    const answer = sweepAnswer(crawlerCount, { ...table11, sweep }, budget);
    expect(rowsOf(answer).length).toBeLessThan(5);
    expect(answer.warnings?.map(({ code }) => code)).toContain('sweep-incomplete');
  });
});

describe('solves that share a budget', () => {
  /** Solves of given lengths on a simulated clock; a solve that is ended by its share of the time has no answer. */
  function runSweep(limit: number, [request, ...values]: number[]) {
    let now = 0;
    const shares: number[] = [];
    const budget = deadlineBudget({ clock: () => now, deadline: limit, seed: 7 });
    const solve = (length: number, share: Budget) => {
      shares.push(Math.round(share.remainingMs()));
      const begun = now;
      while (now - begun < length && !share.stopRequested()) now += 1 / 16;
      if (now - begun < length) throw new NothingToReturn('too little time');
      return { status: 'optimal' };
    };
    const points = values.map((length, value) => ({ value, request: () => length }));
    const { rows } = solveSweep({ request, points }, budget, solve);
    return { shares, answered: rows.map(({ value }) => value), now };
  }

  it('have equal shares of the time that is left, so that the last has all of it', () => {
    expect(runSweep(900, [0, 0, 0])).toMatchObject({ shares: [300, 450, 900], answered: [0, 1] });
  });

  it('leave out values that take too long, and not the request itself', () => {
    const { shares, answered } = runSweep(100, [40, 1, 90, 1]);
    expect(shares.slice(0, 2)).toEqual([25, 75]);
    expect(answered).toEqual([0, 2]);
    expect(() => runSweep(100, [120, 1])).toThrow(NothingToReturn);
  });

  it('answer some of many values whose equal shares are all too short', () => {
    const { answered, now } = runSweep(1000, [10, ...new Array<number>(200).fill(50)]);
    expect(answered.length).toBeGreaterThan(5);
    expect(now).toBeCloseTo(1000, 0);
  });
});
