/** Large bodies that ask a parser for as much memory as they can. */
import { operations } from '../../../src/operations/index.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

const patterns: readonly ((bytes: number) => string)[] = [
  (bytes) => `{"pages":[${repeated('[],', bytes)}[]]}`,
  (bytes) => `{"pages":[${repeated('{},', bytes)}{}]}`,
  (bytes) => `{"pages":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
  (bytes) => `{"pages":${repeated('{"a":', (5 * bytes) / 6)}1${'}'.repeat(bytes / 6)}}`,
  (bytes) => `{"pages":"${'y'.repeat(bytes)}"}`,
  (bytes) => `{"pages":["${repeated('x","', bytes)}"]}`,
  (bytes) => `{"pages":{"weight":[${repeated('1.5,', bytes)}1]}}`,
  (bytes) => `{"pages":[${repeated('{"weight":1},', bytes)}{"weight":1}]}`,
  (bytes) => `{"pages":[${repeated('[[[]]],', bytes)}[]]}`,
  (bytes) => `"${'\\u0041'.repeat(bytes / 6)}"`,
];

const repeated = (text: string, bytes: number): string => text.repeat(Math.max(1, Math.floor(bytes / text.length)));

/** The body of one round. */
export function allocation(round: number, bytes: number, random: Random): { operation: string; body: Buffer } {
  const operation = operations[Math.floor(random() * operations.length)];
  return { operation: operation.name, body: Buffer.from(patterns[round % patterns.length](bytes)) };
}
