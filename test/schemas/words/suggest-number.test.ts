/** The number that a text in a number field was meant as. */
import { expect, it } from 'vitest';
import { suggestNumber } from '../../../src/schemas/words/suggest-number.ts';

it.each([
  ['12.5', '; did you mean 12.5, without quotes?'],
  ['1d', '; did you mean 86400 (1d in seconds)?'],
  ['2 weeks', '; did you mean 1209600 (2 weeks in seconds)?'],
  ['0.1/day', '; did you mean 0.000001157 (0.1/day in changes a second)?'],
  ['3 per hour', '; did you mean 0.0008333 (3 per hour in changes a second)?'],
  ['90 min', '; did you mean 5400 (90 min in seconds)?'],
  ['2026-06-11T00:00:00Z', '; did you mean 1781136000 (2026-06-11T00:00:00Z in epoch seconds)?'],
  ['2026-06-11 02:00', '; did you mean 1781143200 (2026-06-11 02:00 UTC in epoch seconds)?'],
  ['two days', ''],
  ['2026-13-45', ''],
  [true, ''],
])('%j is asked back', (value, hint) => {
  expect(suggestNumber(value)).toBe(hint);
});
