/** The runnable requests of examples/, with their answers. */
import { readFileSync } from 'node:fs';
import type { Example } from './operations/operation.ts';

const folder = new URL('../examples/', import.meta.url);

/** The request of an example, parsed. */
export function exampleRequest(example: Example): unknown {
  return JSON.parse(readFileSync(new URL(`${example.name}.json`, folder), 'utf8'));
}

/** The recorded answer of an example, parsed. */
export function exampleAnswer(example: Example): unknown {
  return JSON.parse(readFileSync(new URL(`${example.name}.answer.json`, folder), 'utf8'));
}
