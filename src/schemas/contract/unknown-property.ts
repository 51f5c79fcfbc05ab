/** How a property that does not exist is refused: its name, the one that was meant, and those that are allowed. */
import { didYouMean } from '../words/suggest.ts';

/** So many of the values that were refused are described; the rest are counted. */
export const maxShownErrors = 20;

const shownCharacters = 80;

/** A name as it may stand in a pointer or a message: never the whole of a large input. */
export const shortened = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;

/** The message for an unknown property, in one line. */
export function unknownProperty(name: string, allowed: readonly string[]): string {
  const hint = didYouMean(name, allowed);
  const quoted = JSON.stringify(shortened(name));
  return `unknown property ${quoted}; ${hint === '' ? '' : `${hint} `}allowed here: ${allowed.join(', ')}`;
}
