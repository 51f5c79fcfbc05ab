import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { progressText, withProgress } from '../../src/cli/progress-line.ts';

const bar = (share: number): string => '#'.repeat(Math.round(4 * share));

describe('the line of progress', () => {
  it('shows the progress, the best cost, the bound and the gap, as far as they are known', () => {
    expect(progressText('threshold-policy', { fraction: 0.5, incumbent: 1.1, bound: 1 }, bar)).toBe(
      'threshold-policy  [##]  50%  best 1.1  bound 1  gap 10%',
    );
    expect(progressText('x', { incumbent: 3 }, bar)).toBe('x  best 3');
    expect(progressText('x', { fraction: 7 }, bar)).toBe('x  [####] 100%');
  });

  it('shows nothing that is not a number', () => {
    const nothing = { fraction: Number.NaN, incumbent: Number.POSITIVE_INFINITY, bound: Number.NEGATIVE_INFINITY };
    expect(progressText('crawler-count', nothing, bar)).toBe('crawler-count');
    expect(progressText('crawler-count', { ...nothing, incumbent: 2 }, bar)).toBe('crawler-count  best 2');
  });

  it('is drawn on a terminal while a solve runs, and on nothing else', () => {
    const drawn = (isTTY: boolean): string => {
      const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
      const solved = withProgress('threshold-policy', stream, (report) => {
        report({ incumbent: 1.1, bound: 1 });
        return 7;
      });
      expect(solved).toBe(7);
      return String(stream.read() ?? '');
    };
    expect(drawn(true)).toContain('threshold-policy  best 1.1  bound 1  gap 10%');
    expect(drawn(false)).toBe('');
  });
});
