/** `--help` of an operation: its usage, and the fields of its request from its documentation. */
import { existsSync, readFileSync } from 'node:fs';
import type { Operation } from '../../operations/operation.ts';
import { optionRows, twoColumns, wrapLines } from '../options.ts';
import { solveOptions } from './solve.ts';

/** Name and meaning of each field, from the table that `npm run contract-docs` writes on the operation's page. */
function requestFields(name: string): [string, string][] {
  const page = new URL(`../../../docs/${name}.md`, import.meta.url);
  if (!existsSync(page)) return [['–', 'The documentation is not installed here; /docs of the service has the fields']];
  const table = /<!-- contract:request -->\s+.*\n.*\n([\s\S]*?)\n\s*<!-- \/contract -->/.exec(
    readFileSync(page, 'utf8'),
  );
  return (table?.[1] ?? '').split('\n').map((line): [string, string] => {
    const [field, meaning] = line.split(/(?<!\\) \| /);
    const isRequired = field.startsWith('**');
    const words = meaning.replaceAll(/[`\\]/g, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
    return [field.replaceAll(/[`*]/g, ''), isRequired ? `required: ${words}` : words];
  });
}

export function operationHelp({ name, summary, description, examples }: Operation, width: number): string {
  return `${wrapLines(`${name}: ${summary}`, width, 0)}

Usage
  crawl-optimizer ${name} [file ...]
  crawl-optimizer ${name} --example | crawl-optimizer ${name}

${wrapLines(description.split('\n\n')[0], width, 0)}

Request
${twoColumns([...requestFields(name), ['options', 'How to run it: timeLimitMs, seed (docs/contract.md)']], width)}

More on each, and the answer: docs/${name}.md, openapi/openapi.json

Options
${twoColumns(optionRows(solveOptions), width)}

Examples (--example <name>)
${twoColumns(
  examples.map((example) => [example.name, example.summary]),
  width,
)}
`;
}
