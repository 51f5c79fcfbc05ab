/** Operations by name; each is loaded only when it is used, because loading takes time. */
import { readFileSync } from 'node:fs';
import { loadOperation } from '../operations/load.ts';
import type { Operation } from '../operations/operation.ts';
import { suggestions } from '../schemas/words/suggest.ts';
import { UsageError } from './failures.ts';

export async function allOperations(): Promise<readonly Operation[]> {
  return (await import('../operations/index.ts')).operations;
}

export type OperationSummary = Pick<Operation, 'name' | 'summary'>;

/** Every operation's name and summary, from the package's OpenAPI document, so that no operation is loaded. */
export async function operationSummaries(): Promise<readonly OperationSummary[]> {
  const file = new URL('../../openapi/openapi.json', import.meta.url);
  const { paths }: { paths: Readonly<Record<string, { readonly post?: { readonly summary: string } }>> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return Object.entries(paths).flatMap(([path, { post }]) =>
    path.startsWith('/v1/') && post !== undefined ? [{ name: path.slice(4), summary: post.summary }] : [],
  );
}

/** @throws UsageError if there is no such operation */
export async function findOperation(name: string): Promise<Operation> {
  const operation = (await loadOperation(name)) ?? (await allOperations()).find((each) => each.name === name);
  if (operation !== undefined) return operation;
  throw new UsageError(`no operation ${JSON.stringify(name)}`);
}

/** @throws UsageError with similar names, if it is neither one of these commands nor an operation */
export async function requireOperation(name: string, commands: readonly string[]): Promise<void> {
  const names = (await operationSummaries()).map((operation) => operation.name);
  if (names.includes(name)) return;
  const similarNames = suggestions(name, [...commands, ...names]);
  throw new UsageError(
    similarNames.length > 0
      ? `no command or operation ${JSON.stringify(name)}; did you mean ${similarNames.join(', ')}?`
      : `no command or operation ${JSON.stringify(name)}; there are ${[...commands, ...names].join(', ')}`,
  );
}
