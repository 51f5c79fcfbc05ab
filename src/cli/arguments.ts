/** Command line → what to do. */

import { readOptions } from '../options/read-options.ts';
import { durationSeconds } from '../words/durations.ts';

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve-help' }
  | { readonly kind: 'serve'; readonly host: string | undefined; readonly port: string | undefined }
  | { readonly kind: 'tables'; readonly words: readonly string[] }
  | { readonly kind: 'operation-help'; readonly operation: string }
  | { readonly kind: 'example'; readonly operation: string; readonly example: string | undefined }
  | {
      readonly kind: 'solve';
      readonly operation: string;
      readonly files: readonly string[];
      readonly flags: SolveFlags;
    };

export interface SolveFlags {
  /** Check and estimate without solving. */
  readonly validateOnly: boolean;
  /** Indent the answers; left out: when they go to a terminal. */
  readonly pretty: boolean | undefined;
  /** Let a `feasible` answer be told from an optimal one by its exit code. */
  readonly strict: boolean;
  /** Draw a progress bar; left out: when stderr is a terminal. */
  readonly progress: boolean | undefined;
  /** Milliseconds, for requests without options.timeLimitMs; left out: the service's default. */
  readonly timeLimitMs: number | undefined;
  /** How answers are written; left out: a table on a terminal, JSON in a pipe. */
  readonly format: OutputFormat | undefined;
  /** Values of the request to change, as `crawls=40`. */
  readonly set: readonly string[];
}

export const outputFormats = ['table', 'csv', 'json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The command line cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line is understood; what it names cannot be read. */
export class UnreadableInput extends UsageError {}

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  example: { type: 'boolean' },
  'validate-only': { type: 'boolean' },
  pretty: { type: 'boolean' },
  strict: { type: 'boolean' },
  progress: { type: 'boolean' },
  'time-limit': { type: 'string' },
  format: { type: 'string' },
  set: { type: 'string', multiple: true },
  host: { type: 'string' },
  port: { type: 'string' },
} as const;

/** A time limit in milliseconds. @throws UsageError */
export function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A bare number is milliseconds, as in options.timeLimitMs; with a unit it is what people say.
  const bare = /^(\d+)(?:ms)?$/.exec(text);
  const value = bare ? Number(bare[1]) : 1000 * (durationSeconds(text) ?? Number.NaN);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new UsageError(
    `--time-limit must be a time such as 30s, 2m or 500ms, or a whole number of milliseconds; got ${JSON.stringify(text)}`,
  );
}

function formatNamed(text: string | undefined): OutputFormat | undefined {
  if (text === undefined) return undefined;
  const found = outputFormats.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(`--format must be ${outputFormats.join(', ')}; got ${JSON.stringify(text)}`);
}

/**
 * Reads the words after the program's name.
 *
 * @throws UsageError
 */
export function readArguments(words: readonly string[]): Command {
  // has options of its own
  if (words[0] === 'tables') return { kind: 'tables', words: words.slice(1) };
  const { values, positionals } = readOptions(words, options, (reason) => new UsageError(reason));
  const [subject, ...rest] = positionals;
  if (values.version || (subject === 'version' && rest.length === 0)) return { kind: 'version' };
  if (subject === undefined || (subject === 'help' && rest.length === 0)) {
    if (subject === undefined && !values.help && words.length > 0) throw new UsageError('name an operation, or serve');
    return { kind: 'help' };
  }
  if (subject === 'serve') {
    if (values.help) return { kind: 'serve-help' };
    if (rest.length > 0) throw new UsageError(`serve takes no ${JSON.stringify(rest[0])}`);
    return { kind: 'serve', host: values.host, port: values.port };
  }
  if (subject === 'help' && rest[0] === 'serve') return { kind: 'serve-help' };
  if (subject === 'help') return { kind: 'operation-help', operation: rest[0] };
  if (values.help) return { kind: 'operation-help', operation: subject };
  if (values.example) return { kind: 'example', operation: subject, example: rest[0] };
  return {
    kind: 'solve',
    operation: subject,
    files: rest,
    flags: {
      validateOnly: values['validate-only'] ?? false,
      pretty: values.pretty,
      strict: values.strict ?? false,
      progress: values.progress,
      timeLimitMs: milliseconds(values['time-limit']),
      format: formatNamed(values.format),
      set: values.set ?? [],
    },
  };
}
