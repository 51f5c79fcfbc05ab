/** Loads a single operation: a command that needs only one starts in half the time. */
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'name' in value && 'requestSchema' in value && 'check' in value;

/** Loads the operation of a name from the file at its path under /v1; undefined if there is no such operation. */
export async function loadOperation(name: string): Promise<Operation | undefined> {
  if (!/^[a-z]+(-[a-z]+)*(\/[a-z]+(-[a-z]+)*)?$/.test(name)) return undefined;
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = new URL(`./${name}.${ending}`, import.meta.url);
  try {
    const exports: object = await import(file.href);
    return Object.values(exports).find((value: unknown) => isOperation(value) && value.name === name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
