/** Numbers for people: a sensible number of digits, never more than they are worth. */

/** A number with about `digits` significant digits: 0.20907, 1,204, 3.1e−9. */
export function figure(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return value.toLocaleString('en').replace('-', '−');
  if (size < 1e-4 || size >= 1e9) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${Number(mantissa)}e${exponent.replace('+', '')}`.replaceAll('-', '−');
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const rounded = value.toLocaleString('en', { maximumFractionDigits: Math.min(20, decimals) });
  return rounded.replace('-', '−');
}

/** A share as a percentage. */
export const percent = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : `${figure(100 * value, digits)}%`;

/** A duration given in milliseconds. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${figure(ms, 3)} ms` : ms < 60_000 ? `${figure(ms / 1000, 3)} s` : `${figure(ms / 60_000, 3)} min`;

/** Seconds as the unit people think in. */
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  for (const [unit, size] of units) if (Math.abs(value) >= size) return `${figure(value / size, 3)} ${unit}`;
  return `${figure(value, 3)} s`;
}
