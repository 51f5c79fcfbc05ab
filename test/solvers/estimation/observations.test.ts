import { describe, expect, it } from 'vitest';
import { checksFromObservations, type Observation } from '../../../src/solvers/estimation/index.ts';

function read(observations: readonly Observation[]) {
  const checks: [number, number][] = [];
  const summary = checksFromObservations(observations, (elapsed, outcome) => checks.push([elapsed, outcome]));
  return { checks, ...summary };
}

describe('a log becomes checks', () => {
  it('by the changed flag, the first fetch having nothing to compare with', () => {
    const { checks, lastSeen } = read([
      { time: 0, changed: true },
      { time: 5, changed: false },
      { time: 7, changed: true },
    ]);
    expect(checks).toEqual([
      [5, 0],
      [2, 1],
    ]);
    expect(lastSeen).toBe(7);
  });

  it('by status: 304 is unchanged, a failure is no observation and the next check spans it', () => {
    const { checks, failures } = read([
      { time: 0, status: 200, changed: false },
      { time: 4, status: 304 },
      { time: 6, status: 503 },
      { time: 7, status: 404 },
      { time: 10, status: 200, changed: true },
    ]);
    expect(checks).toEqual([
      [4, 0],
      [6, 1],
    ]);
    expect(failures).toBe(2);
  });

  it('by signature, across fetches that have none', () => {
    const { checks } = read([
      { time: 0, signature: 'a' },
      { time: 3, status: 200 },
      { time: 5, signature: 'b' },
      { time: 9, signature: 'b' },
      { time: 10, status: 304 },
      { time: 12, signature: 'b' },
    ]);
    expect(checks).toEqual([
      [5, 1],
      [4, 0],
      [1, 0],
      [2, 0],
    ]);
  });

  it('by Last-Modified, with the exact age of a change and of the first sight', () => {
    const { checks } = read([
      { time: 100, lastModified: 60 },
      { time: 120, lastModified: 60 },
      { time: 150, lastModified: 145 },
    ]);
    expect(checks).toEqual([
      [40, 2],
      [20, 0],
      [5, 2],
    ]);
  });

  it('takes a Last-Modified from the future, or set back, for a change of unknown age', () => {
    const { checks } = read([
      { time: 0, changed: false },
      { time: 10, lastModified: 50 },
      { time: 20, lastModified: 4 },
    ]);
    expect(checks).toEqual([
      [10, 1],
      [10, 1],
    ]);
  });

  it('in order of time, whatever the order of the lines; the same instant counts once', () => {
    const { checks, outOfOrder, duplicates } = read([
      { time: 7, changed: true },
      { time: 0, changed: false },
      { time: 5, changed: false },
      { time: 5, changed: false },
    ]);
    expect(checks).toEqual([
      [5, 0],
      [2, 1],
    ]);
    expect(outOfOrder).toBe(1);
    expect(duplicates).toBe(1);
  });

  it('into nothing where nothing was seen', () => {
    expect(read([]).checks).toEqual([]);
    expect(read([]).lastSeen).toBeNaN();
    expect(read([{ time: 3, status: 500 }]).lastSeen).toBeNaN();
  });
});
