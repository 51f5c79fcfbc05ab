import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';
import { isObject } from '../../src/certificates/wire.ts';
import { operations } from '../../src/operations/index.ts';

const folder = new URL('../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

const recorded = operations.flatMap(({ name: operation, examples }) =>
  examples.map(({ name }) => ({ operation, name, request: read(`${name}.json`), answer: read(`${name}.answer.json`) })),
);

/** A copy of a document in which the number at a path is another. */
function withNumber(value: unknown, path: readonly (string | number)[], change: (x: number) => number): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'number' ? change(value) : value;
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? withNumber(item, rest, change) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === step ? withNumber(item, rest, change) : item]),
  );
}

describe('the certificates', () => {
  it.each(recorded)('find nothing wrong with the answer of $name', ({ operation, request, answer }) => {
    expect(verify(operation, request, answer)).toEqual([]);
  });

  it.each(recorded)('see a wrong objective in $name', ({ operation, request, answer }) => {
    if (!isObject(answer) || !isObject(answer.objective)) return;
    const wrong = withNumber(answer, ['objective', 'value'], (value) => value * 1.01 + 0.01);
    expect(verify(operation, request, wrong)).not.toEqual([]);
  });

  it.each(
    recorded.filter(
      ({ operation, answer }) => operation === 'crawl-plan' && isObject(answer) && answer.solution !== undefined,
    ),
  )('see a page of $name that is fresher than its schedule makes it', ({ operation, request, answer }) => {
    const isRows = isObject(answer) && isObject(answer.solution) && Array.isArray(answer.solution.pages);
    const path = isRows ? ['solution', 'pages', 0, 'staleness'] : ['solution', 'pages', 'staleness', 0];
    const wrong = withNumber(answer, path, (value) => value - 1e-4);
    expect(verify(operation, request, wrong)).toContainEqual(expect.stringContaining('page 0 is stale for'));
  });

  it.each(
    recorded.filter(({ operation, answer }) => /^(activation|threshold)-policy$/.test(operation) && isObject(answer)),
  )('see a policy of $name that idles less than it does', ({ operation, request, answer }) => {
    const name = isObject(answer) && isObject(answer.solution) ? 'solution' : 'evaluation';
    const measures = operation === 'threshold-policy' ? ['measures'] : [];
    const wrong = withNumber(answer, [name, ...measures, 'starvationProbability'], (value) => value * 0.99);
    expect(verify(operation, request, wrong)).not.toEqual([]);
  });

  it('see an interval of a simulation that does not hold its mean', () => {
    const [request, answer] = [read('simulations-queue-paper.json'), read('simulations-queue-paper.answer.json')];
    const path = ['solution', 'measures', 'queueLength', 'mean'];
    const wrong = withNumber(answer, path, (value) => 2 * value);
    expect(verify('simulations/queue', request, wrong)).toContainEqual(expect.stringContaining('queueLength'));
  });
});
