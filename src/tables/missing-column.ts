/** The message for a missing column: the existing ones, and the closest name. */
import { suggestions } from '../schemas/words/suggest.ts';

/** Lists the existing columns and suggests one. */
export const columnHint = (names: readonly string[], suggestion: string | undefined): string =>
  (names.length === 0 ? '' : `; there are ${names.join(', ')}`) +
  (suggestion === undefined ? '' : `: did you mean ${suggestion}?`);

/**
 * The message for a column that does not exist, or, if `wanted` is undefined, was not named.
 *
 * @param usualNames columns that have a usual name for it
 */
export function missingColumn(
  name: string | undefined,
  option: string,
  names: readonly string[],
  usualNames: readonly string[],
): string {
  const what =
    name === undefined ? `--${option} is needed: it names a column` : `there is no column ${JSON.stringify(name)}`;
  const [suggestion] = name === undefined ? usualNames : [...suggestions(name, names), ...usualNames];
  return what + columnHint(names, suggestion);
}
