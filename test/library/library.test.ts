import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import type { OperationFunction } from '../../src/library.ts';
import { operationFunction } from '../../src/library.ts';
import { operations } from '../../src/operations/index.ts';
import { operationId } from '../../src/routes/operations.ts';
import { faultyOperations } from '../service/faulty-operations.ts';

const exported: Readonly<Record<string, unknown>> = library;
const faulty = (name: string) => {
  const operation = faultyOperations.find((each) => each.name === `test/${name}`);
  if (operation === undefined) throw new Error(`no faulty operation ${name}`);
  return operationFunction(operation);
};
const isCall = (value: unknown): value is OperationFunction<unknown, { statistics: object }> =>
  typeof value === 'function';

describe('the library', () => {
  it.each(operations.map((operation) => [operationId(operation.name), operation] as const))(
    'has %s, which answers its example as the service does',
    (name, operation) => {
      const call = exported[name];
      if (!isCall(call)) throw new Error(`src/index.ts does not export ${name}`);
      // The other examples are asked in test/contract/examples.test.ts, by the steps that this function takes.
      const [{ name: example }] = operation.examples;
      const request: unknown = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
      const exampleAnswer = JSON.parse(readFileSync(`examples/${example}.answer.json`, 'utf8'));
      const answer = call(request);
      expect(Object.keys(answer)).toEqual(Object.keys(exampleAnswer));
      expect(answer).toMatchObject({ status: exampleAnswer.status });
      // Plain data, as if it had come over the wire: no typed array, nothing undefined.
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    },
  );

  it('takes typed arrays as columns, and answers as for plain ones', () => {
    const changeRate = [0.5, 3, 0.01, 8];
    const weight = [1, 2, 1, 5];
    const ask = (pages: { changeRate: number[] | Float64Array; weight: number[] | Float32Array }) =>
      library.crawlAllocation({ interval: 1, crawls: 9, pages }).solution;
    expect(ask({ changeRate: Float64Array.from(changeRate), weight: Float32Array.from(weight) })).toEqual(
      ask({ changeRate, weight }),
    );
    const bad = () => ask({ changeRate: Float64Array.of(1, Number.NaN, 2), weight: [1, 1, 1] });
    expect(bad).toThrow(/\/pages\/changeRate\/1/);
  });

  it('does not change the request it is given', () => {
    const request = { capacity: 5, crawlerRate: 0.2, service: 1, costs: { starvation: 2 }, crawlers: 16 };
    const copy = structuredClone(request);
    library.activationPolicy(Object.freeze(request));
    expect(request).toEqual(copy);
  });
});

describe('where the service would refuse, a function throws', () => {
  const thrown = (call: () => unknown): library.ProblemError => {
    try {
      call();
    } catch (error) {
      if (error instanceof library.ProblemError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  };

  it('the problem with its pointers for a request that does not fit', () => {
    const { problem, errors, message } = thrown(() => faulty('echo')({ value: 'x' }));
    expect(problem.status).toBe(422);
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/value']);
    expect(message).toContain('/value');
  });

  it('the condition of the model that is not met', () => {
    expect(thrown(() => faulty('condition')({ value: 1 })).errors[0].code).toBe('mean-not-finite');
  });

  it('a 504 when the time limit comes before any solution', () => {
    const call = () => faulty('empty-handed')({ value: 60_000, options: { timeLimitMs: 30 } });
    expect(thrown(call).problem.status).toBe(504);
  });

  it('the cause of an internal fault, which no server hides here', () => {
    const { problem, cause } = thrown(() => faulty('throw-inline')({ value: 1 }));
    expect(problem.status).toBe(500);
    expect(String(cause)).toContain('a secret detail');
  });
});

describe('a call', () => {
  it('reports progress', () => {
    const reports: library.Progress[] = [];
    faulty('spin')({ value: 5 }, { onProgress: (progress) => reports.push(progress) });
    expect(reports).toEqual([{ fraction: 0.25, incumbent: 2, bound: 1 }]);
  });

  it('stops when it is asked to, with what it has', () => {
    let polls = 0;
    const answer = faulty('spin')({ value: 60_000 }, { stopRequested: () => ++polls > 3 });
    expect(answer).toMatchObject({ solution: { value: 1 } });
  });
});
