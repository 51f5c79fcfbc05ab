/** `--help` of the program, from the list of operations, and of the service. */
import type { describeConfiguration } from '../config.ts';
import type { Listed } from './find-operation.ts';

/** Breaks text into lines of at most `width` characters, each after `indent` spaces. */
export function wrapped(text: string, width: number, indent: number): string {
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

/** Names at the left, their meanings beside them. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, meaning]) => `  ${name.padEnd(left - 2)}${wrapped(meaning, width, left).trimStart()}`)
    .join('\n');
}

/** What every operation takes beside its files. */
export const solveOptions: readonly (readonly [string, string])[] = [
  ['--format table|csv|json', 'how answers are written (default: a table on a terminal, JSON in a pipe)'],
  [
    '--set <property>=<value>',
    'change the request: crawls=40, interval=6h, now=2026-06-11, costs.loss=5; may be repeated',
  ],
  ['--pretty, --no-pretty', 'JSON, indented or not'],
  ['--progress, --no-progress', 'a progress bar on stderr (default: when it is a terminal)'],
  [
    '--time-limit <time>',
    '30s, 2m or milliseconds, for requests without options.timeLimitMs (default: DEFAULT_TIME_LIMIT_MS)',
  ],
  ['--validate-only', 'check the requests and estimate their work without solving'],
  ['--strict', 'exit with 5 when an answer is feasible but not proved optimal'],
  ['-h, --help · -v, --version', 'this text · the version'],
];

export function programHelp(operations: readonly Listed[], width: number): string {
  return `crawl-optimizer: what a web-crawler controller should do, provably

Usage
  crawl-optimizer plan <log ...> --crawls <n>   from crawl logs to what to fetch next (plan --help)
  crawl-optimizer compare <log ...>             what to expect of your own rule, of turns and of a plan
  crawl-optimizer verify <request> <answer>     check an answer by code that shares nothing with the solver
  crawl-optimizer import <log ...>           from crawl logs to a request for crawl-plan, or --preview
  crawl-optimizer <operation> [file ...]     answer the requests of the files, or of stdin (-)
  crawl-optimizer <operation> --example      print a request to start from (--example <name>: another one)
  crawl-optimizer <operation> --help         the fields of its request and answer
  crawl-optimizer tables --help              page tables in files and databases: price, plan, SQL
  crawl-optimizer serve [--host H] [--port P]   the HTTP service, its documentation at /docs, its console at /console

Operations
${twoColumns(
  operations.map(({ name, summary }) => [name, summary]),
  width,
)}

Input is one JSON document, or NDJSON: one request a line, answered one line each, in order, as they come. Answers go to
stdout; what is wrong with a request goes to stderr in words and, where JSON is written, to stdout as problem details.
Ctrl-C ends a long solve with the best answer so far.

Options
${twoColumns(solveOptions, width)}

Exit code (of several requests the gravest)
  0 answered · 1 infeasible · 2 the request or the command was refused · 3 time limit with nothing to return ·
  4 internal fault · 5 not proved optimal (--strict) · 130 interrupted
`;
}

export function serveHelp(variables: ReturnType<typeof describeConfiguration>, width: number): string {
  return `crawl-optimizer serve: the HTTP service, until SIGTERM or SIGINT

Usage
  crawl-optimizer serve [--host H] [--port P]

Environment (--host and --port come before it)
${twoColumns(
  variables.map(({ name, fallback, meaning }) => [name, `${meaning} (default ${fallback || 'none'})`]),
  width,
)}
`;
}
