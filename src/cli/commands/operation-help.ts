/** `--help` of an operation, one screen: its usage, the fields of its request, its options. */
import { existsSync, readFileSync } from 'node:fs';
import type { Operation } from '../../operations/operation.ts';
import { optionRows, twoColumns, wrapLines } from '../options.ts';
import { solveOptions } from './solve.ts';

interface RequestFields {
  /** Path and meaning. */
  readonly required: readonly (readonly [string, string])[];
  /** Names by the list or object that holds them; '' holds those of the request itself. */
  readonly optional: ReadonlyMap<string, readonly string[]>;
}

/** Fields of a request, from the table that `npm run contract-docs` writes on the operation's page. */
function requestFields(name: string): RequestFields {
  const page = new URL(`../../../docs/${name}.md`, import.meta.url);
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const table = /<!-- contract:request -->\s+.*\n.*\n([\s\S]*?)\n\s*<!-- \/contract -->/.exec(text)?.[1] ?? '';
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

export function operationHelp({ name, summary }: Operation, width: number): string {
  const { required, optional } = requestFields(name);
  const optionalFields = [...optional].map(([holder, names]) => `${holder}${holder && ': '}${names.join(', ')}`);
  const rows = [
    ...twoColumns(required, width),
    ...optionalFields.map((line) => `  ${wrapLines(line, width, 4).trim()}`),
  ];
  return `${wrapLines(`${name}: ${summary}`, width, 0)}
Usage: crawl-optimizer ${name} [file ...]
Example: crawl-optimizer ${name} --example > request.json

Request: required, then optional fields (all, and the answer: docs/${name}.md)
${rows.join('\n')}

Options
${twoColumns(optionRows(solveOptions), width).join('\n')}
`;
}
