/** Numbers in sentences: rounded by their decimal digits, as the engine's own formats do, and cheaply. */
import { describe, expect, it, vi } from 'vitest';
import { figure, gapText } from '../../../src/schemas/words/numbers.ts';

const formatted = (value: number, decimals: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: decimals }).replace('-', '−');

describe('a figure', () => {
  it.each([
    [241.95, 4, 1],
    [-4.05, 2, 1],
    [0.11145, 4, 4],
    [999.96, 4, 1],
    [998.99, 3, 0],
    [12_635.15, 6, 1],
    [0.3, 4, 4],
    [-1234, 4, 0],
    [7, 4, 0],
  ])('of %d with %d digits is rounded as its decimal digits are', (value, digits, decimals) => {
    expect(figure(value, digits)).toBe(formatted(value, decimals));
  });

  it('is rounded so whatever the number', () => {
    for (let k = 1; k < 2000; k++) {
      const value = Math.round(((k * Math.SQRT2) % 2000) * 1e5) / 1e5;
      const decimals = Number.isInteger(value) ? 0 : Math.max(0, 3 - Math.floor(Math.log10(value)));
      expect(figure(value)).toBe(formatted(value, decimals));
    }
  });

  it('reuses one number format, without which a small request takes twice its time', () => {
    // Restored before the event loop turns: no other test sees the spy.
    const formats = vi.spyOn(Intl, 'NumberFormat');
    const written = vi.spyOn(Number.prototype, 'toLocaleString');
    for (let k = 0; k < 1000; k++) figure(1234.5 + k / 7);
    expect(formats.mock.calls.length).toBeLessThan(2);
    expect(written).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

it('writes a gap as a percentage, and none beside a bound near nothing', () => {
  expect([0, 0.0312, 3, 1e15].map(gapText)).toEqual(['0%', '3.12%', '300%', 'over 1000%']);
});
