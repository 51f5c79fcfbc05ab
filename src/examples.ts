/** The runnable requests of examples/, with their answers. */
import { readFileSync } from 'node:fs';
import type { Example } from './operations/operation.ts';

const folder = new URL('../examples/', import.meta.url);

export function exampleRequest(example: Example): unknown {
  return JSON.parse(readFileSync(new URL(`${example.name}.json`, folder), 'utf8'));
}

export function exampleAnswer(example: Example): unknown {
  return JSON.parse(readFileSync(new URL(`${example.name}.answer.json`, folder), 'utf8'));
}
