/** `--help`: of the program from the list of operations, of an operation from its schemas. */
import { describeConfiguration } from '../config.ts';
import type { Operation } from '../operations/operation.ts';
import { answerJsonSchema, isSchema, requestJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf } from './schema-fields.ts';

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

function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, meaning]) => `  ${name.padEnd(left - 2)}${wrapped(meaning, width, left).trimStart()}`)
    .join('\n');
}

/** Help on the program. */
export function programHelp(operations: readonly Operation[], width: number): string {
  return `crawl-optimizer: what a web-crawler controller should do, provably

Usage
  crawl-optimizer plan <log ...> --crawls <n>   from crawl logs to what to fetch next (plan --help)
  crawl-optimizer import <log ...>           from crawl logs to a request for crawl-plan, or --preview
  crawl-optimizer <operation> [file ...]     answer the requests of the files, or of stdin (-)
  crawl-optimizer <operation> --example      print a request to start from (--example <name>: another one)
  crawl-optimizer <operation> --help         the fields of its request and answer
  crawl-optimizer tables --help              page tables in files and databases: price, plan, SQL
  crawl-optimizer serve [--host H] [--port P]   the HTTP service, its documentation at /docs, its console at /console
  crawl-optimizer mcp                        the operations as tools of the Model Context Protocol, over stdio

Operations
${twoColumns(
  operations.map(({ name, summary }) => [name, summary]),
  width,
)}

Input is one JSON document, or NDJSON: one request a line, answered one line each, in order, as they come. Answers go to
stdout; what is wrong with a request goes there as problem details and to stderr in words.

Options
${twoColumns(
  [
    ['--pretty, --no-pretty', 'indent the answers (default: when they go to a terminal)'],
    ['--progress, --no-progress', 'a progress bar on stderr (default: when it is a terminal)'],
    ['--time-limit <ms>', 'for requests without options.timeLimitMs (default: DEFAULT_TIME_LIMIT_MS)'],
    ['--validate-only', 'check the requests and estimate their work without solving'],
    ['--strict', 'exit with 5 when an answer is feasible but not proved optimal'],
    ['-h, --help · -v, --version', ''],
  ],
  width,
)}

Exit code (of several requests the gravest)
  0 answered · 1 infeasible · 2 the request or the command was refused · 3 time limit with nothing to return ·
  4 internal fault · 5 not proved optimal (--strict)
`;
}

/** Help on the service. */
export function serveHelp(width: number): string {
  return `crawl-optimizer serve: the HTTP service, until SIGTERM or SIGINT

Usage
  crawl-optimizer serve [--host H] [--port P]

Environment (--host and --port come before it)
${twoColumns(
  describeConfiguration().map(({ name, fallback, meaning }) => [name, `${meaning} (default ${fallback || 'none'})`]),
  width,
)}
`;
}

function fieldLines(fields: readonly Field[], width: number, sayRequired: boolean): string {
  return fields
    .map(({ depth, name, required, type, description }) => {
      const indent = 2 + 2 * depth;
      const head = wrapped(`${name}${required && sayRequired ? ' (required)' : ''}: ${type}`, width, indent);
      return description === '' ? head : `${head}\n${wrapped(description, width, indent + 4)}`;
    })
    .join('\n');
}

/** Help on an operation. */
export function operationHelp(operation: Operation, width: number): string {
  const answer = answerJsonSchema(operation.answerSchema);
  const properties = isSchema(answer.properties) ? answer.properties : {};
  const own = Object.keys(properties).filter(
    (name) => !['status', 'objective', 'warnings', 'statistics', 'conflict'].includes(name),
  );
  const answerFields = fieldsOf({ properties: Object.fromEntries(own.map((name) => [name, properties[name]])) });
  const examples = operation.examples.map(({ name, summary }): [string, string] => [name, summary]);
  return `${wrapped(`${operation.name}: ${operation.summary}`, width, 0)}

Usage
  crawl-optimizer ${operation.name} [file ...]
  crawl-optimizer ${operation.name} --example | crawl-optimizer ${operation.name}

${wrapped(operation.description, width, 0)}

Request
${fieldLines(fieldsOf(requestJsonSchema(operation.requestSchema)), width, true)}

Answer (beside status, objective, warnings and statistics; when infeasible: conflict)
${fieldLines(answerFields, width, false)}

Examples (--example <name>)
${twoColumns(examples, width)}
`;
}
