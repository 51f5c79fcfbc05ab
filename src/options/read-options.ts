/** Options of a command, read by Node's parser; what it objects to is said in one way for every command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestions } from '../words/suggest.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options and the other words.
 *
 * @param refuse what to throw, for a reason
 */
export function readOptions<const Known extends Options>(
  words: readonly string[],
  options: Known,
  refuse: (reason: string) => Error,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw refuse(inOwnWords(error, words, Object.keys(options)));
  }
}

/** The parser's objection, without its advice on its own syntax; `known` are the options there are. */
function inOwnWords(error: unknown, words: readonly string[], known: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const named = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && named !== undefined) {
    const near = suggestions(named.replace(/^-+/, ''), known);
    const word = words.find((each) => each.startsWith(named)) ?? named;
    return `there is no option ${word}${near.length > 0 ? `; did you mean --${near[0]}?` : ''}`;
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && named !== undefined) {
    return message.includes('does not take') ? `${named} takes no value` : `${named} needs a value, as in ${named}=…`;
  }
  return message;
}
