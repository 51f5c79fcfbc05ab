/** `--help` of an operation, one screen: its usage, the fields of its request, its options. */
import { existsSync, readFileSync } from 'node:fs';
import type { Operation } from '../../operations/operation.ts';
import { optionRows, twoColumns, wrapLines } from '../options.ts';
import { solveOptions } from './solve.ts';

interface RequestFields {
  /** Path and meaning of each required field. */
  readonly required: readonly (readonly [string, string])[];
  /** Names of optional fields by the list or object that holds them; '' holds those of the request itself. */
  readonly optional: ReadonlyMap<string, readonly string[]>;
}

/** Fields of a request, from the table that `npm run contract-docs` writes on the operation's page; undefined without it. */
function requestFields(name: string): RequestFields | undefined {
  const page = new URL(`../../../docs/${name}.md`, import.meta.url);
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const table = /<!-- contract:request -->\s+.*\n.*\n([\s\S]*?)\n\s*<!-- \/contract -->/.exec(text)?.[1];
  if (table === undefined) return undefined;
  const required = new Map<string, string>();
  const optional = new Map<string, string[]>([['', []]]);
  for (const [, mark, path, meaning] of table.matchAll(/^(\**)`(.+?)`\** \| (.*)$/gm)) {
    const holder = path.slice(0, Math.max(0, path.lastIndexOf('.')));
    // of nested fields only those of required lists; the page has all
    if (holder !== '' && !(holder.endsWith('[]') && required.has(holder.slice(0, -2)))) continue;
    if (mark !== '') required.set(path, meaning.replaceAll(/[`\\]/g, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'));
    else optional.set(holder, [...(optional.get(holder) ?? []), path.slice(path.lastIndexOf('.') + 1)]);
  }
  optional.get('')?.push('options');
  return { required: [...required], optional };
}

function requestLines(name: string, width: number): string {
  const fields = requestFields(name);
  if (fields === undefined)
    return 'Request: the documentation is not installed here; /docs of the service has the fields';
  const optional = [...fields.optional].map(([holder, names]) => `${holder}${holder && ': '}${names.join(', ')}`);
  return [
    `Request: required, then optional fields (all, and the answer: docs/${name}.md)`,
    ...twoColumns(fields.required, width),
    ...optional.map((line) => `  ${wrapLines(line, width, 4).trim()}`),
  ].join('\n');
}

export function operationHelp({ name, summary }: Operation, width: number): string {
  return `${wrapLines(`${name}: ${summary}`, width, 0)}
Usage: crawl-optimizer ${name} [file ...]
Example: crawl-optimizer ${name} --example > request.json

${requestLines(name, width)}

Options
${twoColumns(optionRows(solveOptions), width).join('\n')}
`;
}
