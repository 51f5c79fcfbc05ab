/** What is refused of a distribution, where, and with what advice. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { invalidRequest } from '../../src/schemas/contract/problem.ts';
import { distribution, phaseTypeDistribution } from '../../src/schemas/parts/distribution.ts';

function errorsOf(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return [];
  return (invalidRequest(result.error.issues).errors ?? []).map(({ pointer, code, detail }) => ({
    pointer,
    code,
    detail,
  }));
}

describe('a distribution', () => {
  it.each([
    ['an unknown type, naming the twelve', { type: 'normal' }, '/type', 'empirical'],
    ['a negative rate', { type: 'exponential', rate: -1 }, '/rate', 'more than 0; got -1'],
    ['a misspelt parameter, naming the right ones', { type: 'exponential', rate: 1, rte: 2 }, '/rte', 'type, rate'],
    ['a fractional Erlang shape', { type: 'erlang', shape: 1.5, rate: 1 }, '/shape', 'integer'],
    [
      'probabilities that do not sum to 1, saying the sum',
      { type: 'hyperexponential', probabilities: [0.5, 0.25], rates: [1, 2] },
      '/probabilities',
      'sum to 0.75',
    ],
    [
      'lists of two lengths',
      { type: 'hyperexponential', probabilities: [0.5, 0.5], rates: [1] },
      '/rates',
      'one rate for each of the 2',
    ],
    [
      'a bad cell, with its place',
      { type: 'hyperexponential', probabilities: [0.5, 0.5], rates: [1, -3] },
      '/rates/1',
      'more than 0; got -3',
    ],
    ['an empty interval', { type: 'uniform', min: 2, max: 2 }, '/max', 'more than min (2)'],
    ['a Pareto tail without a mean', { type: 'pareto', shape: 1, scale: 1 }, '/shape', 'more than 1'],
    ['a Lomax tail without a mean', { type: 'lomax', shape: 0.9, scale: 1 }, '/shape', 'more than 1'],
    ['a mean beyond doubles', { type: 'lognormal', mu: 1000, sigma: 1 }, '', 'mean Infinity'],
    ['a sample of zeros', { type: 'empirical', values: [0, 0] }, '', 'mean 0'],
    ['weights that are all zero', { type: 'empirical', values: [1, 2], weights: [0, 0] }, '/weights', 'positive'],
    ['no values', { type: 'empirical', values: [] }, '/values', 'at least 1'],
    [
      'an initial law that does not sum to 1',
      {
        type: 'phase-type',
        initial: [0.5, 0.4],
        generator: [
          [-1, 0],
          [0, -1],
        ],
      },
      '/initial',
      'sum to 0.9',
    ],
    [
      'a generator that is not square',
      { type: 'phase-type', initial: [0.5, 0.5], generator: [[-1, 0], [0]] },
      '/generator/1',
      'row of 2',
    ],
    [
      'a generator of another size',
      {
        type: 'phase-type',
        initial: [1],
        generator: [
          [-1, 0],
          [0, -1],
        ],
      },
      '/generator',
      'one row for each of the 1',
    ],
    [
      'a positive diagonal',
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [1, 0],
          [0, -1],
        ],
      },
      '/generator/0/0',
      'negative; got 1',
    ],
    [
      'a negative rate between phases',
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-1, -0.5],
          [0, -1],
        ],
      },
      '/generator/0/1',
      'at least 0; got -0.5',
    ],
    [
      'a row that sums to more than 0',
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-1, 0],
          [2, -1],
        ],
      },
      '/generator/1',
      'sums to 1',
    ],
    [
      'phases that are never left',
      {
        type: 'phase-type',
        initial: [0.5, 0.5],
        generator: [
          [-1, 1],
          [1, -1],
        ],
      },
      '/generator/0',
      'never reached',
    ],
    ['a cell that is no number', { type: 'phase-type', initial: [1], generator: [['x']] }, '/generator/0/0', 'got "x"'],
  ])('refuses %s', (_what, value, pointer, words) => {
    const errors = errorsOf(distribution, value);
    expect(errors.map((error) => error.pointer)).toEqual([pointer]);
    expect(errors[0].detail).toContain(words);
  });

  it('accepts rows that sum to 0 but for rounding, and probabilities within 1e−9', () => {
    expect(
      errorsOf(distribution, {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-0.3, 0.1 + 0.2],
          [0.1, -0.7],
        ],
      }),
    ).toEqual([]);
    expect(
      errorsOf(distribution, { type: 'hyperexponential', probabilities: [0.1, 0.2, 0.7 + 5e-10], rates: [1, 2, 3] }),
    ).toEqual([]);
  });

  it('answers a hundred thousand bad cells with twenty errors and their count, and stays small', () => {
    const values = new Array(100_000).fill('x');
    const result = distribution.safeParse({ type: 'empirical', values }, { reportInput: true });
    if (result.success) throw new Error('accepted');
    const problem = invalidRequest(result.error.issues);
    expect([problem.errors?.length, problem.errorCount]).toEqual([20, 100_000]);
    expect(JSON.stringify(problem).length).toBeLessThan(3000);
    const rows = new Array(100).fill(new Array(100).fill({}));
    expect(
      errorsOf(distribution, { type: 'phase-type', initial: new Array(100).fill(0.01), generator: rows }),
    ).toHaveLength(20);
  });
});

describe('a distribution where a phase-type form is needed', () => {
  it.each(['deterministic', 'uniform', 'lognormal', 'weibull', 'pareto', 'lomax', 'empirical'])(
    'refuses %s and points to the estimate that fits one',
    (type) => {
      const [error, ...rest] = errorsOf(phaseTypeDistribution, { type });
      expect(rest).toEqual([]);
      expect([error.pointer, error.code]).toEqual(['/type', 'invalid_union']);
      expect(error.detail).toContain('/v1/estimates/service-time');
    },
  );

  it('accepts gamma of integer shape only, and at most a hundred phases', () => {
    expect(errorsOf(phaseTypeDistribution, { type: 'gamma', shape: 3, rate: 1 })).toEqual([]);
    expect(errorsOf(phaseTypeDistribution, { type: 'gamma', shape: 2.5, rate: 1 })[0].pointer).toBe('/shape');
    expect(errorsOf(phaseTypeDistribution, { type: 'erlang', shape: 101, rate: 1 })[0].detail).toContain('at most 100');
  });
});
