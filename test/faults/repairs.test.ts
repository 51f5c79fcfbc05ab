/** A repair repairs: what a conflict offers makes its request possible, all changes of one repair together. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tryRepairs } from '../../scripts/torment/repairs-that-fail.ts';
import { repaired, repairing } from '../../scripts/torment/requests/infeasible.ts';
import { operations } from '../../src/operations/index.ts';

describe('the repairs of limits that clash', () => {
  it.each(repairing)('of %s make the request possible', { timeout: 60_000 }, (operation) => {
    const { infeasible, repairs, failed } = tryRepairs(operation, { each: 20, seed: 32 });
    expect(failed).toEqual([]);
    expect(repairs).toBeGreaterThanOrEqual(infeasible / 2);
  });

  it('are tried of every operation that offers any', () => {
    const offering = operations.filter(({ answerSchema }) => {
      const { properties } = z.toJSONSchema(answerSchema, { unrepresentable: 'any' });
      return JSON.stringify(Object(properties).conflict ?? null).includes('"repairs":');
    });
    expect(offering.map(({ name }) => name).sort()).toEqual([...repairing].sort());
  });

  it('are made as a caller makes them: of one value, of every row that has it, and by a factor', () => {
    const request = { crawls: 5, pages: [{ maxInterval: 10 }, {}, { maxInterval: 20 }] };
    const changes = [
      { pointer: '/crawls', value: 7 },
      { pointer: '/pages/*/maxInterval', factor: 1.5 },
    ];
    expect(repaired(request, changes)).toEqual({ crawls: 7, pages: [{ maxInterval: 15 }, {}, { maxInterval: 30 }] });
    expect(request.crawls).toBe(5);
  });
});
