import { describe, expect, it } from 'vitest';
import { checksFromFetches, columnsOf, type Observation } from '../../../src/solvers/estimation/index.ts';

function read(observations: readonly Observation[]) {
  const checks: [number, number][] = [];
  const summary = checksFromFetches(columnsOf(observations), (elapsed, outcome) => checks.push([elapsed, outcome]));
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

  it('takes no Last-Modified that is after the fetch, or before 1995 of fetches in epoch seconds', () => {
    const start = 1_780_000_000;
    const { checks, implausible } = read([
      { time: start, lastModified: 1 },
      { time: start + 10, lastModified: start + 50 },
      { time: start + 20, lastModified: 784_887_151 },
      { time: start + 30, lastModified: start + 25 },
    ]);
    expect(checks).toEqual([[5, 2]]);
    expect(implausible).toBe(3);
    expect(read([{ time: 100, lastModified: 60 }])).toMatchObject({ checks: [[40, 2]], implausible: 0 });
  });

  it('without a Last-Modified that stays while the content changes, by signature or by flag', () => {
    const days = Array.from({ length: 10 }, (_, k) => ({ time: 100 + k, signature: `${k >> 1}` }));
    const plain = read(days).checks;
    expect(read(days.map((each) => ({ ...each, lastModified: 60 }))).checks).toEqual(plain);
    const flagged = days.map(({ time }, k) => ({ time, changed: k % 2 === 0 }));
    expect(read(flagged.map((each) => ({ ...each, lastModified: 60 }))).checks).toEqual(read(flagged).checks);
  });

  it('with the age at the first sight counted for no longer than the page was watched', () => {
    const { checks } = read([
      { time: 100, lastModified: 10 },
      { time: 120, lastModified: 10 },
    ]);
    expect(checks).toEqual([
      [20, 0],
      [20, 0],
    ]);
    expect(read([{ time: 100, lastModified: 10 }]).checks).toEqual([[90, 2]]);
  });

  it('by a 304, which keeps the last signature, whatever stands on its line', () => {
    const { checks } = read([
      { time: 0, status: 200, signature: 'a' },
      { time: 1, status: 304, signature: 'e', lastModified: 0.5 },
      { time: 2, status: 200, signature: 'a' },
      { time: 3, status: 304, changed: true },
      { time: 5, status: 200, signature: 'b' },
    ]);
    expect(checks).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [2, 1],
    ]);
  });

  it('by signatures of one kind alone: another algorithm gives no verdict and starts anew', () => {
    const { checks } = read([
      { time: 0, signature: 'd41d8cd98f00b204e9800998ecf8427e' },
      { time: 3, signature: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' },
      { time: 4, signature: 'sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj' },
      { time: 6, signature: 'NULL' },
      { time: 9, signature: 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709' },
    ]);
    expect(checks).toEqual([
      [1, 0],
      [5, 0],
    ]);
  });

  it('with the failures since it was last seen', () => {
    const { failureRun } = read([200, 503, 200, 404, 404, 410].map((status, time) => ({ time, status })));
    expect(failureRun).toEqual({ from: 3, to: 5, count: 3, status: 410, statusBefore: 404 });
    expect(read([404, 200].map((status, time) => ({ time, status }))).failureRun).toBeNull();
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
