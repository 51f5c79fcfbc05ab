/** access-frequencies and access-sequence: the contract's words, the conditions, and what refusals say. */
import { describe, expect, it } from 'vitest';
import { accessFrequencies } from '../../src/operations/access-frequencies.ts';
import { accessSequence } from '../../src/operations/access-sequence.ts';
import { ask } from './outcomes.ts';

const frequencies = (body: object) => ask(accessFrequencies, body);
const sequence = (body: object) => ask(accessSequence, body);

const accessTime = { type: 'exponential', rate: 10 };
const rows = [
  { id: 'a', changeRate: 1 },
  { changeRate: 2, weight: 5 },
  { id: 'c', changeRate: 300, weight: 0.5 },
];

describe('access-frequencies', () => {
  it('answers rows with rows, ids echoed, the shares summing to 1', () => {
    const { status, body } = frequencies({ pages: rows, accessTime, policy: 'deterministic' });
    expect(status).toBe(200);
    expect(body.status).toBe('optimal');
    // The value and the bound are sums of their own over the pages, and differ by their rounding at most.
    expect(body.objective.value).toBeGreaterThanOrEqual(body.objective.bound);
    expect(body.objective.gap).toBeLessThan(4 * Number.EPSILON);
    const { pages, multiplier, starved } = body.solution;
    expect(pages.map((page: { id?: string }) => page.id)).toEqual(['a', undefined, 'c']);
    expect(pages.reduce((sum: number, page: { frequency: number }) => sum + page.frequency, 0)).toBeCloseTo(1, 12);
    expect(multiplier).toBeGreaterThan(0);
    expect(starved).toBe(1);
    expect(pages[2]).toEqual({ id: 'c', frequency: 0, staleness: 1 });
    expect(body.warnings.map((warning: { code: string }) => warning.code)).toEqual(['zero-frequency-pages']);
    const cost = pages[0].staleness + 5 * pages[1].staleness + 0.5 * pages[2].staleness;
    expect(cost).toBeCloseTo(body.objective.value, 12);
  });

  it('takes the change rate for a weight that is left out, in rows and in columns', () => {
    const { body } = frequencies({
      pages: { changeRate: [1, 2, 3], weight: [null, 2, null] },
      accessTime: { type: 'deterministic', value: 0.1 },
      policy: 'deterministic',
    });
    // weights proportional to the rates and constant access times: f ∝ μ
    body.solution.pages.frequency.forEach((f: number, i: number) => {
      expect(f).toBeCloseTo((i + 1) / 6, 13);
    });
  });

  it('is infeasible when the least frequency asks for more than all accesses, and says which numbers clash', () => {
    const { status, body } = frequencies({
      pages: rows,
      accessTime,
      policy: 'deterministic',
      minFrequency: 0.34,
    });
    expect(status).toBe(200);
    expect(body.status).toBe('infeasible');
    expect(body.solution).toBeUndefined();
    expect(body.conflict).toMatchObject({ minFrequency: 0.34, pages: 3, largestMinFrequency: 1 / 3 });
    const absurd = frequencies({ pages: rows.slice(0, 1), accessTime, policy: 'randomized', minFrequency: 1.5 });
    expect(absurd.body.status).toBe('infeasible');
    const feasible = frequencies({ pages: rows, accessTime, policy: 'deterministic', minFrequency: 1 / 3 });
    expect(feasible.body.status).toBe('optimal');
    expect(feasible.body.warnings).toEqual([]);
  });

  it.each([
    [{ pages: [{ changeRate: 0 }] }, '/pages/0/changeRate', /more than 0.*; got 0$/],
    [{ pages: { changeRate: [1, 'x'] } }, '/pages/changeRate/1', /got "x"/],
    [{ pages: [{ changeRate: 1, wieght: 2 }] }, '/pages/0/wieght', /allowed here: id, changeRate, weight/],
    [{ pages: { changeRate: [1, 1e-200] } }, '/pages/changeRate/1', /got 1e-200.*leave it out/],
    [{ accessTime: { type: 'pareto', shape: 1, scale: 1 } }, '/accessTime/shape', /1/],
    [{ pages: { changeRate: [1, 1e-100], weight: [1, 1e250] } }, '/pages/weight/1', /Scale the weights/],
  ])('refuses %j at %s', (part, pointer, detail) => {
    const { status, body } = frequencies({ pages: rows, accessTime, policy: 'deterministic', ...part });
    expect(status).toBe(422);
    expect(body.errors[0].pointer).toBe(pointer);
    expect(body.errors[0].detail).toMatch(detail);
  });
});

describe('access-sequence', () => {
  it('scales frequencies to sum to 1 and says so', () => {
    const pages = { changeRate: [2, 3, 3, 5], frequency: [2, 3, 3, 5] };
    const { body } = sequence({ pages, accessTime, method: 'golden-ratio', cycleLength: 13 });
    expect(body.solution.sequence).toEqual([3, 1, 3, 0, 2, 3, 1, 3, 0, 2, 3, 1, 2]);
    expect(body.warnings[0].code).toBe('frequencies-scaled');
  });

  it('gives the same solution for the same seed, and another sample for another', () => {
    const sample = (seed: number) => {
      const pages = { changeRate: [1, 2, 3] };
      return sequence({ pages, accessTime, method: 'randomized', options: { seed } }).body.solution;
    };
    expect(sample(5)).toEqual(sample(5));
    expect(sample(5).sequence).not.toEqual(sample(6).sequence);
  });

  it('says which pages a cycle leaves out', () => {
    const { body } = sequence({ pages: { changeRate: [1, 2, 3] }, accessTime, method: 'tree', cycleLength: 2 });
    expect(body.warnings.map((warning: { code: string }) => warning.code)).toEqual(['absent-pages']);
    expect(body.solution.counts[0]).toBe(0);
    expect(body.solution.pages.staleness[0]).toBe(1);
  });

  it('says when a method with counts of its own falls below the least frequency', () => {
    const pages = { changeRate: [1, 2, 300], weight: [1, 5, 0.1] };
    const question = { pages, accessTime, minFrequency: 0.1, cycleLength: 30 };
    const codes = (method: string) =>
      sequence({ ...question, method }).body.warnings.map((warning: { code: string }) => warning.code);
    expect(codes('tree')).toEqual([]);
    expect(codes('auto')).toEqual([]);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { body } = sequence({ ...question, method: 'randomized', options: { seed } });
      const absentCount = body.solution.counts.filter((count: number) => count < 3).length;
      expect(body.warnings.some((warning: { code: string }) => warning.code === 'below-min-frequency')).toBe(
        absentCount > 0,
      );
    }
  });

  it.each([
    [{ method: 'golden-ratio', fibonacciIndex: 9 }, '/fibonacciIndex'],
    [{ method: 'earliest-deadline' }, '/method'],
    [{ pages: [{ changeRate: 1, frequency: 0.5 }, { changeRate: 2 }] }, '/pages/1/frequency'],
    [{ pages: { changeRate: [1, 2], frequency: [0, 0] } }, '/pages'],
    [{ pages: { changeRate: [1, 2], frequency: 0.5 }, minFrequency: 0.1 }, '/minFrequency'],
    [{ policy: 'randomized' }, '/policy'],
  ])('refuses %j at %s', (part, pointer) => {
    const { status, body } = sequence({ pages: rows, accessTime, ...part });
    expect(status).toBe(422);
    expect(body.errors[0].pointer).toBe(pointer);
    expect(body.errors[0].detail.length).toBeGreaterThan(20);
  });
});
