/** `crawl-optimizer tables` in this process, with what it writes, and the rows of its output. */
import { readFileSync } from 'node:fs';
import { runTables } from '../../src/tables/index.ts';

export async function run(...words: string[]) {
  const written = { out: '', err: '' };
  const code = await runTables(
    words,
    { write: (text) => (written.out += text) },
    { write: (text) => (written.err += text) },
  );
  return { code, ...written };
}

/** The words of a line without quotes. */
export const wordsOf = (line: string): string[] => line.split(' ');

/** The rows of a file of NDJSON. */
export const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
