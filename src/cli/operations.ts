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
export function operationSummaries(): readonly OperationSummary[] {
  const file = new URL('../../openapi/openapi.json', import.meta.url);
  const { paths }: { paths: Readonly<Record<string, { readonly post?: { readonly summary: string } }>> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return Object.entries(paths).flatMap(([path, { post }]) =>
    path.startsWith('/v1/') && post !== undefined ? [{ name: path.slice(4), summary: post.summary }] : [],
  );
}

/** @throws UsageError with similar names, also of these commands, if there is no such operation */
export async function findOperation(name: string, commands: readonly string[] = []): Promise<Operation> {
  const operation = await loadOperation(name);
  if (operation !== undefined) return operation;
  const names = [...commands, ...operationSummaries().map((each) => each.name)];
  const similarNames = suggestions(name, names);
  throw new UsageError(
    `no ${commands.length > 0 ? 'command or ' : ''}operation ${JSON.stringify(name)}; ` +
      (similarNames.length > 0 ? `did you mean ${similarNames.join(', ')}?` : `there are ${names.join(', ')}`),
  );
}
