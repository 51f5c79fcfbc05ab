/** Numbers for people: a sensible number of digits, never more than they are worth. */

/** Number formats by digits after the point, made once: making a format takes thirty times as long as using it. */
const formats: readonly Intl.NumberFormat[] = Array.from(
  { length: 21 },
  (_, decimals) => new Intl.NumberFormat('en', { maximumFractionDigits: decimals }),
);

/** `value` with at most `decimals` digits after the point, and commas between thousands. */
function formatRounded(value: number, decimals: number): string {
  const scale = 10 ** decimals;
  const scaledValue = value * scale;
  const nearest = Math.round(scaledValue);
  // the quick way, unless the value is nearly half way between two roundings: its decimal digits decide which is nearer
  if (Math.abs(value) < 999 && Math.abs(Math.abs(scaledValue - nearest) - 0.5) > 1e-6) return String(nearest / scale);
  return formats[decimals].format(value);
}

/** A number with about `digits` significant digits: 0.20907, 1,204, 3.1e−9. */
export function figure(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return formatRounded(value, 0).replace('-', '−');
  if (size < 1e-4 || size >= 1e9) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${Number(mantissa)}e${exponent.replace('+', '')}`.replaceAll('-', '−');
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return formatRounded(value, Math.min(20, decimals)).replace('-', '−');
}

/** A share as a percentage of two digits: 35%, 0.2%, under 0.001%. */
export function share(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return '–';
  if (value > 0 && value < 1e-5) return 'under 0.001%';
  return `${figure(100 * value, digits)}%`;
}

/** Seconds in the unit people think in: `45 s`, `6 h`, `2.5 d`. */
export function duration(seconds: number): string {
  if (Number.isNaN(seconds)) return '–';
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return `${figure(seconds / size, 3)} ${unit}`;
  }
  return `${figure(seconds, 3)} s`;
}

const unitNames: Readonly<Record<string, string>> = { d: 'day', h: 'hour', min: 'minute', s: 'second' };

/** `in the next 6 h`, `in the next day`. */
export const inTheNext = (seconds: number): string =>
  `in the next ${duration(seconds).replace(/^1 (\w+)$/, (_, unit: string) => unitNames[unit])}`;
