/** `crawl-optimizer tables`: runs the command on an engine, shows progress, writes the result. */

import { escapeControls } from '../cli/escape-controls.ts';
import { commandHelp } from '../cli/options.ts';
import {
  type Dialect,
  dialects,
  histogramStatement,
  planStatement,
  ratesStatement,
  sessionInUtc,
  tableName,
} from '../statements/index.ts';
import { readTablesCommand, type TablesCommand, tablesHelp, unitSeconds } from './command.ts';
import { openDuckDb } from './duckdb.ts';
import { type Engine, TablesError } from './engine.ts';
import { logTable, previewLog } from './estimate-rates.ts';
import { openPostgres } from './postgres.ts';
import { pricePages, rateForTarget } from './price/pages.ts';
import { type RatesCommand, readRatesCommand } from './rates-command.ts';
import { readHostLimits, requireColumns, surveyPages } from './survey-pages.ts';

interface Output {
  write(text: string): unknown;
}

/** @returns the exit code: 0 done, 2 refused, 130 interrupted */
export async function runTables(words: readonly string[], stdout: Output, stderr: Output): Promise<number> {
  try {
    if (words[0] === 'rates' && !words.includes('--help') && !words.includes('-h')) {
      const command = readRatesCommand(words.slice(1));
      if (command.dialect === undefined) return await estimateRates(command, stdout, stderr);
      stdout.write(ratesSql(dialects[command.dialect], command));
      return 0;
    }
    const command = readTablesCommand(words);
    if (command === null) stdout.write(commandHelp(tablesHelp));
    else if (command.action === 'sql') stdout.write(planSql(command));
    else return await priceTable(command, stdout, stderr);
    return 0;
  } catch (error) {
    if (!(error instanceof TablesError)) throw error;
    stderr.write(`crawl-optimizer tables: ${escapeControls(withoutPasswords(error.message, words))}\n`);
    return 2;
  }
}

/**
 * Removes from a message the passwords in URLs of the command, as written and as decoded (drivers quote their input),
 * and the statement that an engine appends.
 */
function withoutPasswords(text: string, words: readonly string[]): string {
  const secrets = words.flatMap((word) => [
    ...[...word.matchAll(/[?&\s;](?:ssl)?(?:password|pwd)\s*=\s*('[^']*'|[^&\s;]*)/gi)].map(([, value]) => value),
    ...(/^(?:--?[\w-]+=)?[\w+.-]+:\/*[^:@]*:(.+)@/.exec(word)?.slice(1) ?? []),
  ]);
  const spellings = secrets.flatMap((secret) => [secret, decodeUrl(secret), encodeURIComponent(decodeUrl(secret))]);
  const longestFirst = [...new Set(spellings)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((message, form) => message.replaceAll(form, '…'), text.split('\n\nLINE ', 1)[0]);
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function openEngine({
  sources,
  table,
  memory,
}: Pick<TablesCommand, 'sources' | 'table' | 'memory'>): Promise<Engine> {
  const [first] = sources;
  if (!/^postgres(?:ql)?:\/\//.test(first)) return openDuckDb(sources, memory);
  if (table === undefined) throw new TablesError('a postgres:// URL needs --table');
  return openPostgres(first, table);
}

type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>;

function estimateRates(command: RatesCommand, stdout: Output, stderr: Output): Promise<number> {
  return withEngine(command, stderr, async (engine, step) => {
    const log = logTable(
      command.columns,
      engine.from,
      (await engine.columns()).map(({ name }) => name),
    );
    const preview = await step('looking at the log', () => previewLog(engine, log));
    const { fetches, pages, failedFetches, unreadableFetches, from, to } = preview;
    stderr.write(`${fetches} fetches of ${pages} pages, ${failedFetches} failed, from ${from} to ${to}\n`);
    if (unreadableFetches > 0)
      stderr.write(`${unreadableFetches} of them have no page, or no time from 1990 to 2100: left out\n`);
    const query = ratesStatement(engine.dialect, log, unitSeconds[command.unit]);
    await step('estimating', () => engine.write(query, command.output));
    stdout.write(`${JSON.stringify({ ...preview, rateUnit: command.unit, out: command.output })}\n`);
  });
}

function priceTable(command: TablesCommand, stdout: Output, stderr: Output): Promise<number> {
  return withEngine(command, stderr, async (engine, step) => {
    const pages = { ...command.columns, from: engine.from };
    const { objective, intervalBounds, out } = command;
    await requireColumns(engine, [
      { option: 'id', name: pages.id, isNumber: false },
      { option: 'rate', name: pages.changeRate, isNumber: true },
      { option: 'weight', name: pages.weight, isNumber: true },
      { option: 'host', name: pages.host, isNumber: false },
      { option: 'last-crawl', name: command.lastCrawl, isNumber: command.lastCrawlFormat !== 'utc' },
    ]);
    const hosts = command.hosts === undefined ? [] : await readHostLimits(engine, command.hosts, command.persPerUnit);
    const bucketWidth = command.bucketWidth ?? defaultWidth(hosts.length);
    const surveyQuestion = { pages, objective, bucketWidth, intervalBounds, hosts };
    const survey = await step('looking at the pages', () => surveyPages(engine, surveyQuestion));
    const { rateOrTarget } = command;
    const rate = typeof rateOrTarget === 'number' ? rateOrTarget : rateForTarget(surveyQuestion, survey, rateOrTarget);
    const question = { ...surveyQuestion, rate };
    stderr.write(`${survey.pages} pages, ${rate} crawls per time unit of the rate\n`);
    const plan = await step('pricing', () => pricePages(engine, question, survey));
    const perUnit = (crawls: number): number => crawls / command.persPerUnit;
    if (command.action === 'plan' && out !== undefined) {
      const { price, scale } = plan;
      const ownPrices = (plan.hosts ?? []).filter(({ limited }) => limited);
      const query = planStatement(engine.dialect, {
        pages,
        objective,
        price,
        scale,
        hosts: ownPrices,
        nextFetch: nextFetchOf(command),
        intervalBounds,
      });
      await step('writing', () => engine.write(query, out));
    }
    stdout.write(
      `${JSON.stringify({
        ...(typeof command.rateOrTarget !== 'number' && { crawls: perUnit(rate) }),
        ...plan,
        ...(out !== undefined && { out }),
      })}\n`,
    );
  });
}

const nextFetchOf = ({ lastCrawl, lastCrawlFormat: format, secondsPerUnit }: TablesCommand) =>
  lastCrawl === undefined ? undefined : { lastCrawl, format, secondsPerUnit };

/** Runs work on an engine; Ctrl-C cancels the work and leaves the target unchanged. @returns the exit code */
async function withEngine(
  source: Pick<TablesCommand, 'sources' | 'table' | 'memory'>,
  stderr: Output,
  work: (engine: Engine, step: Step) => Promise<void>,
): Promise<number> {
  const engine = await openEngine(source).catch((error: unknown) => {
    throw error instanceof TablesError
      ? error
      : new TablesError(error instanceof Error ? error.message : String(error));
  });
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    engine.interrupt();
  };
  process.once('SIGINT', interrupt);
  try {
    await work(
      engine,
      createStep(engine, stderr, () => isInterrupted),
    );
    return 0;
  } catch (error) {
    if (isInterrupted) {
      stderr.write('interrupted: nothing was replaced\n');
      return 130;
    }
    if (error instanceof TablesError) throw error;
    throw new TablesError(error instanceof Error ? error.message : String(error));
  } finally {
    process.off('SIGINT', interrupt);
    if (!isInterrupted) await engine.close();
  }
}

/** Creates a runner of steps that shows the name, progress and remaining time of the running step every 5 seconds. */
function createStep(engine: Engine, stderr: Output, isInterrupted: () => boolean): Step {
  return async (what, work) => {
    if (isInterrupted()) throw new TablesError('interrupted');
    const start = performance.now();
    const timer = setInterval(() => {
      const seconds = (performance.now() - start) / 1000;
      const fraction = engine.progress();
      const remainingTime =
        fraction === null || fraction < 0.02
          ? ''
          : `, ${(100 * fraction).toFixed(0)} %, some ${((seconds * (1 - fraction)) / fraction).toFixed(0)} s left`;
      stderr.write(`${what}: ${seconds.toFixed(0)} s${remainingTime}\n`);
    }, 5000);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  };
}

/** Default bucket width in ln(ratio): for a gap below 1e−9; wider with many hosts, to bound the number of rows. */
function defaultWidth(hosts: number): number {
  return Math.min(0.1, 0.001 * Math.max(1, hosts / 10));
}

function ratesSql(dialect: Dialect, { columns, table = 'log', unit }: RatesCommand): string {
  const log = logTable(columns, tableName(dialect, table.split('.')), undefined);
  const session = columns.timeFormat === 'utc' ? `${sessionInUtc};\n\n` : '';
  return `${session}${ratesStatement(dialect, log, unitSeconds[unit])};\n`;
}

function planSql(command: TablesCommand): string {
  const { objective, bucketWidth = defaultWidth(0), price, lastCrawlFormat } = command;
  const dialect = dialects[command.dialect];
  const pages = { ...command.columns, from: tableName(dialect, (command.table ?? 'pages').split('.')) };
  const histogram = histogramStatement(dialect, { pages, objective, width: bucketWidth, groupBy: 'host' });
  const nextFetch = nextFetchOf(command);
  const plan =
    price === undefined
      ? '-- the plan: ask POST /v1/crawl-price with the rows above, then again with --price'
      : `${planStatement(dialect, { pages, objective, price, scale: 1, hosts: [], nextFetch })};`;
  const session = lastCrawlFormat === 'utc' ? `${sessionInUtc};\n\n` : '';
  return `${session}-- the histogram\n${histogram};\n\n${plan}\n`;
}
