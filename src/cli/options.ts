/**
 * Options of a command in one table, for Node's parser and for `--help`. Errors of the parser are reworded alike for all
 * commands.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestions } from '../schemas/words/suggest.ts';
import { UsageError } from './failures.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** Placeholder of its value in help: `<n>`. */
  readonly value?: string;
  /** Its description; if left out, help does not list it. */
  readonly help?: string;
  /** Help has its name only; the documentation describes it. */
  readonly isRare?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

/** An option with a value; `value` is its placeholder in help. */
export const textOption = (value: string, help: string) => ({ type: 'string', value, help }) as const;

/** An option with a value that may be given several times. */
export const textsOption = (value: string, help: string) =>
  ({ type: 'string', multiple: true, value: `${value} …`, help }) as const;

/** The option, marked so that help shows its name only. */
export const rareOption = <const Kind extends Option>(option: Kind) => ({ ...option, isRare: true }) as const;

export const flagOption = (help: string) => ({ type: 'boolean', help }) as const;

/** The help on a command. */
export interface CommandHelp {
  /** The form of its arguments, without the program's name. */
  readonly usage: string;
  readonly description: string;
  /** Arguments of a command to try. */
  readonly example: string;
  readonly options: Options;
  /** Environment variables that the command reads. */
  readonly variables?: readonly string[];
  /** The page that describes all options and variables. */
  readonly page: string;
}

/**
 * The options and the other words.
 *
 * @param refuse makes the error to throw from a reason
 */
export function readOptions<const OptionConfig extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: OptionConfig,
  refuse: (reason: string) => Error = (reason) => new UsageError(reason),
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw refuse(objection(error, words, Object.keys(options)));
  }
}

/** The reason of the parser's error, without its advice on syntax. */
function objection(error: unknown, words: readonly string[], options: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const option = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && option !== undefined) {
    const similarOptions = suggestions(option.replace(/^-+/, ''), options);
    const word = words.find((each) => each.startsWith(option)) ?? option;
    return `there is no option ${word}${similarOptions.length > 0 ? `; did you mean --${similarOptions[0]}?` : ''}`;
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && option !== undefined) {
    return message.includes('does not take')
      ? `${option} takes no value`
      : `${option} needs a value, as in ${option}=…`;
  }
  return message;
}

export const exitCodeHelp = 'Exit codes: 0 answered, 1 infeasible or wrong, 2 refused, 3 time limit, 4 fault\n';

/** Columns of a help: those of the terminal, from 60 to 100. */
export const helpWidth = (): number => Math.min(100, Math.max(60, process.stdout.columns || 100));

/** Help on a command, one screen: its forms, what it does, its options. */
export function commandHelp(help: CommandHelp, width = helpWidth()): string {
  const { usage, description, example, options, variables = [], page } = help;
  const rareOptions = Object.keys(options).filter((name) => options[name].isRare);
  const names = [...rareOptions.map((name) => `--${name}`), ...variables].join(', ');
  return `Usage: crawl-optimizer ${usage}
Example: crawl-optimizer ${example}

${wrapLines(description, width, 0)}

Options (all: ${page})
${twoColumns(optionRows(options, false), width).join('\n')}
${names && `  ${wrapLines(`also ${names}`, width, 4).trimStart()}\n`}
${exitCodeHelp}`;
}

export const optionRows = (options: Options, withRare = true): [string, string][] =>
  Object.entries(options).flatMap(([name, { value, help, isRare }]): [string, string][] =>
    help === undefined || (isRare && !withRare)
      ? []
      : [[value === undefined ? `--${name}` : `--${name} ${value}`, help]],
  );

/** Breaks text into lines of at most `width` characters, each after `indent` spaces. */
export function wrapLines(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each).join('\n');
}

/** Two columns, an item a row: names and their meanings, wrapped at the width. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, meaning]) => `  ${name.padEnd(indent - 2)}${wrapLines(meaning, width, indent).trimStart()}`);
}
