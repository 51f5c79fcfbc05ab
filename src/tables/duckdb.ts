/** Parquet, CSV and NDJSON files through DuckDB in this process, within its memory limit. */
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dialects, sessionInUtc } from '../statements/index.ts';
import { type Engine, loadPackage, TablesError } from './engine.ts';

const dialect = dialects.duckdb;

/** Column types of numbers. */
const numberTypes = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL)/;

function readerOf(files: readonly string[]): string {
  const paths = `[${files.map(dialect.quoteText).join(', ')}]`;
  const endings = new Set(
    files.map((file) => /\.(parquet|csv|tsv|ndjson|jsonl)(?:\.gz|\.zst)?$/i.exec(file)?.[1].toLowerCase()),
  );
  const [ending, another] = endings;
  if (another !== undefined) throw new TablesError('the files must all be of one kind: Parquet, CSV or NDJSON');
  switch (ending) {
    case 'parquet':
      return `read_parquet(${paths})`;
    case 'csv':
    case 'tsv':
      return `read_csv(${paths}, header = true)`;
    case 'ndjson':
    case 'jsonl':
      return `read_json(${paths}, format = 'newline_delimited')`;
    default:
      throw new TablesError(`files must end in .parquet, .csv, .tsv, .ndjson or .jsonl; got ${files.join(', ')}`);
  }
}

function formatOf(target: string): string {
  // rates and times are nearly all distinct, and looking for repeated values takes a quarter of the writing time
  if (target.endsWith('.parquet')) return 'FORMAT parquet, DICTIONARY_SIZE_LIMIT 1';
  if (target.endsWith('.csv')) return 'FORMAT csv, HEADER';
  if (target.endsWith('.ndjson') || target.endsWith('.jsonl')) return 'FORMAT json';
  throw new TablesError(`--out must end in .parquet, .csv, .ndjson or .jsonl; got ${target}`);
}

/** @param memory memory limit in DuckDB's notation, such as `2GB` */
export async function openDuckDb(files: readonly string[], memory: string): Promise<Engine> {
  const { DuckDBInstance } = await loadPackage(() => import('@duckdb/node-api'), '@duckdb/node-api', 'reading files');
  const from = readerOf(files);
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: memory, preserve_insertion_order: 'false' });
  const connection = await instance.connect();
  await connection.run(sessionInUtc);
  const rows = async (statement: string) => (await connection.runAndReadAll(statement)).getRowObjectsJS();
  const sources = [...files];
  const sourceFiles = async (): Promise<string[]> => {
    const fileRows = await rows(`SELECT DISTINCT file FROM glob([${sources.map(dialect.quoteText).join(', ')}])`);
    return Promise.all(fileRows.map(({ file }) => realpath(String(file))));
  };
  return {
    dialect,
    from,
    table(name) {
      sources.push(name);
      return readerOf([name]);
    },
    async columns() {
      const columnRows = await rows(`DESCRIBE SELECT * FROM ${from}`);
      return columnRows.map((row) => ({
        name: String(row.column_name),
        isNumber: numberTypes.test(String(row.column_type)),
      }));
    },
    rows,
    async write(query, target) {
      const format = formatOf(target);
      if ((await sourceFiles()).includes(await realpath(target).catch(() => target)))
        throw new TablesError(`--out ${target} is a table that is read; write to another file`);
      const temporaryFile = join(dirname(target), `.${process.pid}.writing`);
      try {
        const oldFile = await stat(target).catch(() => undefined);
        if (oldFile !== undefined) {
          // set the mode before the first row, so that a private plan is never readable by others
          await writeFile(temporaryFile, '', { mode: 0o600, flag: 'wx' });
          await chmod(temporaryFile, oldFile.mode & 0o777);
        }
        await connection.run(`COPY (${query}) TO ${dialect.quoteText(temporaryFile)} (${format}, USE_TMP_FILE false)`);
        await rename(temporaryFile, target);
      } finally {
        await rm(temporaryFile, { force: true });
      }
    },
    progress: () => {
      const { percentage } = connection.progress;
      return percentage < 0 ? null : percentage / 100;
    },
    interrupt: () => connection.interrupt(),
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
