/** Numbers in sentences: with units, plurals and comparisons. */
import { duration, figure, inTheNext, share } from '../../solvers/figures.ts';

export { duration, figure, inTheNext, share };

/** A length of time ahead: `in 6 h`, `in a day`. */
export const durationAhead = (seconds: number): string => `in ${duration(seconds).replace(/^1 d$/, 'a day')}`;

/** A frequency in a readable unit: `3 times a second`, `once a day`, `0.35 times a day`. */
export function frequencyText(perSecond: number): string {
  if (Number.isNaN(perSecond)) return '–';
  const units = [
    ['a second', 1],
    ['a minute', 60],
    ['an hour', 3600],
  ] as const;
  const [unit, size] = units.find(([, seconds]) => Math.abs(perSecond) * seconds >= 1) ?? ['a day', 86_400];
  const times = figure(perSecond * size, 3);
  return `${times === '1' ? 'once' : `${times} times`} ${unit}`;
}

/** `1 page`, `1,204 pages`; `one` is the singular. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${Math.abs(count) === 1 ? one : many}`;

/** a relative to b: `27% more`, `12% less`, `the same`. */
export function comparisonText(a: number, b: number): string {
  const ratio = a / b - 1;
  if (!Number.isFinite(ratio)) return 'not comparable';
  if (Math.abs(ratio) < 5e-4) return 'the same';
  if (ratio >= 2) return `${figure(a / b, 2)} times as much`;
  return `${share(Math.abs(ratio))} ${ratio > 0 ? 'more' : 'less'}`;
}

/** A relative gap as a percentage; above 1000% the bound is close to 0 and the ratio means little. */
export const gapText = (gap: number): string => (gap > 10 ? 'over 1000%' : share(gap, 3));
