/** Small words for numbers inside sentences. */
import { figure } from '../format.ts';

/** `1 page`, `1,204 pages`; `one` is the singular. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${Math.abs(count) === 1 ? one : many}`;

/** A share as a percentage of two digits: 35%, 0.2%. */
export function share(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value > 0 && value < 5e-6) return 'next to nothing';
  return `${figure(100 * value, 2)}%`;
}

/** How much more (or less) a is than b: `27% more`, `12% less`, `the same`. */
export function compared(a: number, b: number): string {
  const ratio = a / b - 1;
  if (!Number.isFinite(ratio)) return 'not comparable';
  if (Math.abs(ratio) < 5e-4) return 'the same';
  if (ratio >= 2) return `${figure(a / b, 2)} times as much`;
  return `${share(Math.abs(ratio))} ${ratio > 0 ? 'more' : 'less'}`;
}

/** `a, b and c`. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
