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
  /** Its description in help; if left out, help does not list it. */
  readonly help?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** An option with a value; `value` is its placeholder in help. */
export const text = (value: string, help: string) => ({ type: 'string', value, help }) as const;

/** The same, which may be given several times. */
export const texts = (value: string, help: string) =>
  ({ type: 'string', multiple: true, value, help: `${help}; may be repeated` }) as const;

export const flag = (help: string) => ({ type: 'boolean', help }) as const;

/** The help on a command. */
export interface CommandHelp {
  /** Forms of the command, each without the program's name. */
  readonly usage: readonly string[];
  readonly about: string;
  readonly options: Options;
  /** Environment variables that the command reads. */
  readonly variables?: readonly (readonly [name: string, meaning: string])[];
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

export const exitCodeHelp = `Exit codes (of several requests the gravest)
  0 answered · 1 infeasible, or an answer is wrong · 2 the request or the command was refused ·
  3 time limit with nothing to return · 4 internal fault · 5 not proved optimal (--strict) · 130 interrupted
`;

/** Help on a command: its forms, what it does, its options. */
export function commandHelp({ usage, about, options, variables = [] }: CommandHelp, width: number): string {
  return `Usage
${usage.map((form) => `  crawl-optimizer ${form}`).join('\n')}

${wrapLines(about, width, 0)}

Options
${twoColumns([...optionRows(options), ...variables], width)}

${exitCodeHelp}`;
}

export const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).flatMap(([name, { value, help }]): [string, string][] =>
    help === undefined ? [] : [[value === undefined ? `--${name}` : `--${name} ${value}`, help]],
  );

/** Breaks text into lines of at most `width` characters, each after `indent` spaces. */
export function wrapLines(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  // A single line break is where the source wraps; a blank line or a list item begins a paragraph.
  for (const paragraph of text.split(/\n(?=\n|\s*- )/)) {
    if (paragraph.startsWith('\n')) lines.push('');
    let line = '';
    for (const word of paragraph.split(/\s+/).filter((part) => part !== '')) {
      if (line !== '' && indent + line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
}

/** Two columns: names and their meanings, wrapped at the width. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, meaning]) => `  ${name.padEnd(indent - 2)}${wrapLines(meaning, width, indent).trimStart()}`)
    .join('\n');
}
