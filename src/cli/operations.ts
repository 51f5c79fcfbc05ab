/** Operations by name; each is loaded only when it is used, because loading takes time. */
import { readFileSync } from 'node:fs';
import { loadOperation } from '../operations/load.ts';
import type { Operation } from '../operations/operation.ts';
import { suggestions } from '../schemas/words/suggest.ts';
import { UsageError } from './failures.ts';

interface PathEntry {
  readonly post?: { readonly tags: readonly [string] };
}

/** The names of operations by group, from the package's OpenAPI document, so that no operation is loaded. */
export function operationGroups(): ReadonlyMap<string, string[]> {
  const file = new URL('../../openapi/openapi.json', import.meta.url);
  const { paths }: { paths: Readonly<Record<string, PathEntry>> } = JSON.parse(readFileSync(file, 'utf8'));
  const groups = new Map<string, string[]>();
  for (const [path, { post }] of Object.entries(paths)) {
    if (!path.startsWith('/v1/') || post === undefined) continue;
    const [group] = post.tags;
    groups.set(group, [...(groups.get(group) ?? []), path.slice(4)]);
  }
  return groups;
}

/** @throws UsageError with similar names, also of these commands, if there is no such operation */
export async function findOperation(name: string, commands: readonly string[] = []): Promise<Operation> {
  const operation = await loadOperation(name);
  if (operation !== undefined) return operation;
  const names = [...commands, ...operationGroups().values()].flat();
  const similarNames = suggestions(name, names);
  throw new UsageError(
    `no ${commands.length > 0 ? 'command or ' : ''}operation ${JSON.stringify(name)}; ` +
      (similarNames.length > 0 ? `did you mean ${similarNames.join(', ')}?` : `there are ${names.join(', ')}`),
  );
}
