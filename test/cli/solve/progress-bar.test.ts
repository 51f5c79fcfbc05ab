import { describe, expect, it } from 'vitest';
import { ProgressBar, progressLine } from '../../../src/cli/solve/progress-bar.ts';

describe('the progress bar', () => {
  it('shows what is known: share, best cost, bound and the gap between them', () => {
    expect(progressLine('threshold-policy', { fraction: 0.5, incumbent: 1.1, bound: 1 })).toBe(
      'threshold-policy  [████████████············]  50%  best 1.1  bound 1  gap 10%',
    );
    expect(progressLine('x', { incumbent: 3 })).toBe('x  best 3');
    expect(progressLine('x', { fraction: 7 })).toContain('100%');
  });

  it('draws at most ten times a second and clears its line', () => {
    const written: string[] = [];
    let time = 0;
    const bar = new ProgressBar(
      'x',
      (text) => written.push(text),
      () => time,
    );
    for (; time < 1000; time++) bar.show({ fraction: time / 1000 });
    expect(written).toHaveLength(10);
    bar.clear();
    bar.clear();
    expect(written).toHaveLength(11);
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('writes nothing when there was nothing to show', () => {
    const written: string[] = [];
    new ProgressBar(
      'x',
      (text) => written.push(text),
      () => 0,
    ).clear();
    expect(written).toEqual([]);
  });

  it('shows nothing that is not a number', () => {
    const nothing = { fraction: Number.NaN, incumbent: Number.POSITIVE_INFINITY, bound: Number.NEGATIVE_INFINITY };
    expect(progressLine('crawler-count', nothing)).toBe('crawler-count');
    expect(progressLine('crawler-count', { ...nothing, incumbent: 2 })).toBe('crawler-count  best 2');
  });
});
