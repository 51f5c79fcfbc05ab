/** Operations by name; those that nobody asks for are not loaded, which takes its time. */
import { readFileSync } from 'node:fs';
import { loadOperation } from '../operations/load.ts';
import type { Operation } from '../operations/operation.ts';
import { suggestions } from '../words/suggest.ts';
import { UsageError } from './arguments.ts';

export async function allOperations(): Promise<readonly Operation[]> {
  return (await import('../operations/index.ts')).operations;
}

export type Listed = Pick<Operation, 'name' | 'summary'>;

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Every operation's name and summary, from the package's OpenAPI document: no operation is loaded for that. */
export async function listedOperations(): Promise<readonly Listed[]> {
  try {
    const document: unknown = JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'));
    const listed = Object.entries(Object(at(document, 'paths'))).flatMap(([path, entry]): Listed[] => {
      const summary = at(at(entry, 'post'), 'summary');
      return path.startsWith('/v1/') && typeof summary === 'string' ? [{ name: path.slice(4), summary }] : [];
    });
    if (listed.length > 0) return listed;
  } catch {
    // A package without its document still knows its operations.
  }
  return allOperations();
}

/** @throws UsageError with what may have been meant */
export async function operationNamed(name: string): Promise<Operation> {
  const alone = await loadOperation(name);
  if (alone !== undefined) return alone;
  const found = (await allOperations()).find((operation) => operation.name === name);
  if (found !== undefined) return found;
  throw await unknownOperation(name);
}

/** What may stand in an operation's place. */
export const commands = ['plan', 'import', 'compare', 'verify', 'tables', 'serve', 'help'];

export async function unknownOperation(name: string): Promise<UsageError> {
  const names = (await listedOperations()).map((operation) => operation.name);
  const near = suggestions(name, [...commands, ...names]);
  return new UsageError(
    near.length > 0
      ? `no command or operation ${JSON.stringify(name)}; did you mean ${near.join(', ')}?`
      : `no command or operation ${JSON.stringify(name)}; there are ${[...commands, ...names].join(', ')}`,
  );
}
