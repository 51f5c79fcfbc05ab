/** Every runnable example gives the answer that is recorded beside it. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { exampleAnswer, exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const cases = operations.flatMap((operation) => operation.examples.map((example) => ({ operation, example })));

/** Compares two JSON values; numbers to nine digits. */
function expectSame(actual: unknown, expected: unknown, path: string): void {
  // Times and counts of iterations are how an answer was found, not what it says.
  if (path.startsWith('/statistics/') && path !== '/statistics/solver') return;
  if (typeof expected === 'number' && typeof actual === 'number') {
    expect(Math.abs(actual - expected), `${path}: ${actual} is not ${expected}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(expected)),
    );
  } else if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    expect(Object.keys(actual), path).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected))
      expectSame(Reflect.get(actual, name), value, `${path}/${name}`);
  } else {
    expect(actual, path).toEqual(expected);
  }
}

describe('examples', () => {
  it.each(cases.map(({ operation, example }) => [operation.name, example.name, operation, example] as const))(
    '%s: %s gives its recorded answer',
    (_operation, _example, operation, example) => {
      const ready = prepareParsed(operation, exampleRequest(example), readConfig({}));
      if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
      const outcome = run(ready, unlimitedBudget(ready.request.seed), now);
      if (outcome.kind === 'problem') throw new Error(JSON.stringify(outcome));
      expectSame(JSON.parse(outcome.json), exampleAnswer(example), '');
    },
  );

  it('are each named by exactly one operation', () => {
    const files = readdirSync(new URL('../../examples/', import.meta.url)).filter((file) => file.endsWith('.json'));
    const named = cases.flatMap(({ example }) => [`${example.name}.json`, `${example.name}.answer.json`]);
    expect(files.sort()).toEqual(named.sort());
  });
});
