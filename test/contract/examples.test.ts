/**
 * Every runnable example gives the answer that is recorded beside it, over the wire and as the library's plain data.
 * Both are valid against the OpenAPI document. Each is solved once for all of that.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleAnswer, exampleRequest } from '../../src/package.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { prepareParsed, solve } from '../../src/workers/pipeline.ts';
import { toJson, toPlain } from '../../src/workers/to-json.ts';
import { documentSchemas } from './document-schemas.ts';

const schemas = documentSchemas(JSON.parse(readFileSync('openapi/openapi.json', 'utf8')));
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
    '%s: %s gives its recorded answer, as its schema says',
    (name, _example, operation, example) => {
      const request = exampleRequest(example);
      const accepts = schemas.request(name);
      expect(accepts(request), JSON.stringify(accepts.errors)).toBe(true);
      const ready = prepareParsed(operation, request, readConfig({}));
      if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
      const outcome = solve(ready, unlimitedBudget(ready.request.seed), now);
      if (outcome.kind === 'problem') throw new Error(JSON.stringify(outcome));
      const answer: unknown = JSON.parse(toJson(outcome.envelope));
      expectSame(answer, exampleAnswer(example), '');
      const valid = schemas.answer(name);
      expect(valid(answer), JSON.stringify(valid.errors)).toBe(true);
      // The library's answer is plain data, as if it had come over the wire: no typed array, nothing undefined.
      expect(toPlain(outcome.envelope)).toEqual(answer);
    },
  );

  it('are each named by exactly one operation', () => {
    const files = readdirSync(new URL('../../examples/', import.meta.url)).filter((file) => file.endsWith('.json'));
    const named = cases.flatMap(({ example }) => [`${example.name}.json`, `${example.name}.answer.json`]);
    expect(files.sort()).toEqual(named.sort());
  });
});
