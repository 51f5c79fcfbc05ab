/** What is said where a column is missed: those that there are, and the nearest. */
import { suggestions } from '../schemas/words/suggest.ts';

/** The columns there are, and the one that may have been meant. */
export const columnHint = (names: readonly string[], near: string | undefined): string =>
  (names.length === 0 ? '' : `; there are ${names.join(', ')}`) + (near === undefined ? '' : `: did you mean ${near}?`);

/** Of a column that is not there, or, undefined, was not named by its option; `usual` are called as such a column is. */
export function missingColumn(
  wanted: string | undefined,
  option: string,
  names: readonly string[],
  usual: readonly string[],
): string {
  const what =
    wanted === undefined ? `--${option} is needed: it names a column` : `there is no column ${JSON.stringify(wanted)}`;
  const [near] = wanted === undefined ? usual : [...suggestions(wanted, names), ...usual];
  return what + columnHint(names, near);
}
