/** `crawl-optimizer tables`: asks the engine, says how far it is, writes. */
import { dialects, histogramStatement, planStatement, tableName } from '../statements/index.ts';
import { readTablesCommand, type TablesCommand, tablesHelp } from './command.ts';
import { openDuckDb } from './duckdb.ts';
import { type Engine, TablesError } from './engine.ts';
import { openPostgres } from './postgres.ts';
import { checkPages, type PricedPages, pricePages } from './price-pages.ts';

interface Output {
  write(text: string): unknown;
}

/** @returns the exit code: 0 done, 2 refused, 130 interrupted */
export async function runTables(words: readonly string[], stdout: Output, stderr: Output): Promise<number> {
  try {
    const command = readTablesCommand(words);
    if (command === null) stdout.write(tablesHelp);
    else if (command.action === 'sql') stdout.write(statementsOf(command));
    else return await askTable(command, stdout, stderr);
    return 0;
  } catch (error) {
    if (!(error instanceof TablesError)) throw error;
    stderr.write(`crawl-optimizer tables: ${error.message}\n`);
    return 2;
  }
}

async function openEngine({ sources, table, memory }: TablesCommand): Promise<Engine> {
  const [first] = sources;
  if (!/^postgres(?:ql)?:\/\//.test(first)) return openDuckDb(sources, memory);
  if (table === undefined) throw new TablesError('a postgres:// URL needs --table');
  return openPostgres(first, table);
}

async function askTable(command: TablesCommand, stdout: Output, stderr: Output): Promise<number> {
  const engine = await openEngine(command);
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    engine.interrupt();
  };
  process.once('SIGINT', interrupt);
  try {
    const pages = { ...command.columns, from: engine.from };
    const { objective, rate, bucketWidth, lastCrawl, secondsPerUnit, out } = command;
    const step = stepper(engine, stderr, () => interrupted);
    const count = await step('looking at the pages', () => checkPages(engine, pages, lastCrawl));
    stderr.write(`${count} pages, ${rate} crawls per time unit of the rate\n`);
    const priced = await step('pricing', () => pricePages(engine, { pages, objective, rate, bucketWidth }, count));
    if (command.action === 'plan' && out !== undefined) {
      const nextFetch = lastCrawl === undefined ? undefined : { lastCrawl, secondsPerUnit };
      const { price, scale } = priced;
      const query = planStatement(engine.dialect, { pages, objective, price, scale, hosts: [], nextFetch });
      await step('writing', () => engine.write(query, out));
    }
    stdout.write(
      `${JSON.stringify({ ...priced, ...(out !== undefined && { out }) } satisfies PricedPages & object)}\n`,
    );
    return 0;
  } catch (error) {
    if (interrupted) {
      stderr.write('interrupted: nothing was replaced\n');
      return 130;
    }
    if (error instanceof TablesError) throw error;
    throw new TablesError(error instanceof Error ? error.message : String(error));
  } finally {
    process.off('SIGINT', interrupt);
    if (!interrupted) await engine.close();
  }
}

/** Says what is being done, how far it is, and how long is left. */
function stepper(
  engine: Engine,
  stderr: Output,
  interrupted: () => boolean,
): <T>(what: string, work: () => Promise<T>) => Promise<T> {
  return async (what, work) => {
    if (interrupted()) throw new TablesError('interrupted');
    const start = performance.now();
    const timer = setInterval(() => {
      const seconds = (performance.now() - start) / 1000;
      const done = engine.progress();
      const left =
        done === null || done < 0.02
          ? ''
          : `, ${(100 * done).toFixed(0)} %, some ${((seconds * (1 - done)) / done).toFixed(0)} s left`;
      stderr.write(`${what}: ${seconds.toFixed(0)} s${left}\n`);
    }, 5000);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  };
}

function statementsOf(command: TablesCommand): string {
  const { objective, bucketWidth, price, lastCrawl, secondsPerUnit } = command;
  const dialect = dialects[command.dialect];
  const pages = { ...command.columns, from: tableName(dialect, (command.table ?? 'pages').split('.')) };
  const histogram = histogramStatement(dialect, { pages, objective, width: bucketWidth, byHost: false });
  const nextFetch = lastCrawl === undefined ? undefined : { lastCrawl, secondsPerUnit };
  const plan =
    price === undefined
      ? '-- the plan: ask POST /v1/crawl-price with the rows above, then again with --price'
      : `${planStatement(dialect, { pages, objective, price, scale: 1, hosts: [], nextFetch })};`;
  return `-- the histogram\n${histogram};\n\n${plan}\n`;
}
