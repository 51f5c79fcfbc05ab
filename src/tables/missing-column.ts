/** The message for a missing column: the existing ones, and the closest name. */
import { suggestions } from '../schemas/words/suggest.ts';

/** Lists the existing columns and suggests one. */
export const columnHint = (names: readonly string[], near: string | undefined): string =>
  (names.length === 0 ? '' : `; there are ${names.join(', ')}`) + (near === undefined ? '' : `: did you mean ${near}?`);

/**
 * The message for a column that does not exist, or, if `wanted` is undefined, was not named.
 *
 * @param usual columns that have a usual name for it
 */
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
