/** `plan` and `import`: crawl logs in files → a plan, or the request for one. */
import { feedRequest } from '../../logs/feeds/feed-request.ts';
import { LogRefusal } from '../../logs/log-record.ts';
import { logSummary } from '../../logs/log-summary.ts';
import {
  type EstimatedRate,
  type PlanRequest,
  type PlanSolution,
  pageLines,
  patient,
  planLines,
  planRequest,
} from '../../logs/plan-request.ts';
import { curveLines, type LogCurvePoint } from '../../logs/plan-target.ts';
import { type CrawlLog, LogReading, truncateLog } from '../../logs/read-log.ts';
import {
  pagesWithSignals,
  type QualitySolution,
  qualityOf,
  qualityRequest,
  signalsOperation,
} from '../../logs/sitemaps/log-signals.ts';
import { isRecord } from '../../schemas/table/table-reading.ts';
import { type ExplainedPage, explainPage } from '../../schemas/words/explain-page.ts';
import { figure } from '../../schemas/words/numbers.ts';
import { suggestions } from '../../schemas/words/suggest.ts';
import { day } from '../../solvers/day.ts';
import { exitCodes, UnreadableInput, UsageError } from '../failures.ts';
import { feedLogOf, isDatabase } from '../files/feed-files.ts';
import { textOf } from '../files/log-text.ts';
import { sitemapsIn } from '../files/sitemap-files.ts';
import { flag, readOptions, texts } from '../options.ts';
import { say, writeOut } from '../output.ts';
import { Solver } from '../solver/solver.ts';
import {
  logFormats,
  logOptions,
  type PlanWishes,
  planOptions,
  readingOf,
  settingsIn,
  wishesOf,
} from './log-options.ts';
import { type Setting, withSettings } from './set-values.ts';
import { exitCode, sayProblem } from './solve.ts';

const planningOptions = {
  ...planOptions,
  explain: texts('<page>', 'why this page is fetched when it is'),
  json: flag('the answer of crawl-plan in place of the table'),
  ...logOptions,
} as const;

const importOptions = {
  preview: flag('only say what the log is'),
  table: flag('a table of pages with their change rates a second (CSV), for crawl-optimizer tables'),
  ...planOptions,
  ...logOptions,
} as const;

const feedFormats = `Entries of feeds: FreshRSS's SQLite database, or --format feeds for a table of feed, published and lastFetch (an export
of CommaFeed); they are planned under delay.`;

export const planHelp = {
  usage: ['plan <log ...> --crawls <n> | --freshness <share> [--interval 1d] > plan.csv'],
  about: `Reads crawl logs and writes what to fetch next, one fetch a line (CSV: time, page, and what to do after it).\n\n${logFormats} ${feedFormats}`,
  options: planningOptions,
};

export const importHelp = {
  usage: ['import <log ...> [--preview | --table] [--crawls <n>] > request.json'],
  about: `Reads crawl logs and writes the request for crawl-plan, to be changed or sent.\n\n${logFormats} ${feedFormats}`,
  options: importOptions,
};

/** What to do with the logs. */
interface Task {
  readonly files: readonly string[];
  readonly format: string | undefined;
  readonly reading: ReturnType<typeof readingOf>;
  /** Files and folders of sitemaps. */
  readonly sitemaps: readonly string[];
  readonly wishes: PlanWishes;
  readonly settings: readonly Setting[];
  /** Pages whose place in the plan is explained. */
  readonly explain: readonly string[];
  readonly output: 'plan' | 'answer' | 'request' | 'table' | 'preview';
}

const refuse = (reason: string): Error => new UsageError(reason);
const orStdin = (files: readonly string[]): readonly string[] => (files.length > 0 ? files : ['-']);

export function runPlan(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, planningOptions, refuse);
  return readAndWrite({ ...taskOf(values, positionals), output: values.json === true ? 'answer' : 'plan' });
}

export function runImport(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, importOptions, refuse);
  const output = values.preview === true ? 'preview' : values.table === true ? 'table' : 'request';
  return readAndWrite({ ...taskOf(values, positionals), output });
}

function taskOf(
  values: Parameters<typeof readingOf>[0] & Parameters<typeof settingsIn>[0] & { readonly explain?: string[] },
  files: readonly string[],
): Omit<Task, 'output'> {
  return {
    files: orStdin(files),
    format: values.format,
    reading: readingOf(values, values['weight-column']),
    sitemaps: values.sitemap ?? [],
    wishes: wishesOf(values, values.zone),
    settings: settingsIn(values),
    explain: values.explain ?? [],
  };
}

/** The log in files; how it was read goes to stderr. @throws UnreadableInput */
export async function readFetches({ files, format, reading }: Pick<Task, 'files' | 'format' | 'reading'>) {
  const log = await readable(files, async () => {
    const lines = new LogReading(reading, format);
    for (const file of files) {
      if (files.length > 1) lines.beginPart(file);
      for await (const piece of textOf(file)) lines.push(piece);
      lines.endPart();
    }
    return lines.end();
  });
  say(`${files.join(', ')}: ${log.format.title}; ${logSummary(log)}`);
  for (const note of log.notes) say(`  ${note}`);
  return log;
}

async function readAndWrite(task: Task): Promise<number> {
  const { files, format, output } = task;
  if (format === 'feeds' || (format === undefined && files.length === 1 && isDatabase(files[0])))
    return planFeeds(task);
  const whole = await readFetches(task);
  if (output === 'preview') return exitCodes.answered;
  if (output === 'table') return writePages(whole);
  const { crawls, now, ...terms } = task.wishes;
  // Pauses of failing pages keep to limits that --set says, too.
  const limit = (name: string): { readonly [limit: string]: number } => {
    const set = task.settings.findLast(({ path }) => path.join('.') === name)?.value;
    return typeof set === 'number' ? { [name]: set } : {};
  };
  const settings = { ...terms, ...limit('minInterval'), ...limit('maxInterval') };
  // Rounded up: the log's last fetch may have been made within this second.
  const begin = now ?? Math.ceil(Date.now() / 1000);
  const log = until(whole, begin);
  if (now === undefined && begin - log.to > settings.interval) {
    const end = new Date(1000 * Math.ceil(log.to)).toISOString().slice(0, 19);
    const days = Math.round((begin - log.to) / day);
    say(`  The log ends ${days} days ago: the plan starts now; --now ${end}Z plans from its end.`);
  }
  // A request without crawls is one to be completed by hand: as many as the log's own pace makes.
  const pace = Math.max(1, Math.round((log.fetches * settings.interval) / Math.max(log.to - log.from, 1)));
  if (output !== 'request' && crawls === undefined) {
    const request = planRequest(log, { ...settings, now: begin, crawls: pace, curve: true });
    return writeChoices(withSettings(request, task.settings), settings.interval);
  }
  if (crawls === undefined) say(`  Without --crawls the request has ${pace}, the pace of the log.`);
  const request = patient(planRequest(log, { ...settings, now: begin, crawls: crawls ?? pace }), log);
  const complete = task.sitemaps.length === 0 ? request : await withSignals(request, log, task, begin);
  return typeof complete === 'number' ? complete : writeRequest(complete, task, log.notes);
}

/** A request in rows. */
interface PagesRequest extends Readonly<Record<string, unknown>> {
  readonly pages: readonly { readonly id: string }[];
}

/** Writes the request, or its plan; `notes` of the reading are on stderr already. */
async function writeRequest(request: PagesRequest, task: Task, notes: readonly string[]): Promise<number> {
  const complete = withSettings(request, task.settings);
  if (task.output !== 'request') {
    const ids = request.pages.map(({ id }) => id);
    return writePlan(complete, ids, task, notes);
  }
  await writeOut(JSON.stringify(complete));
  return exitCodes.answered;
}

/** Feeds by their entries, under delay. */
async function planFeeds(task: Task): Promise<number> {
  const [file] = task.files;
  const feeds = await readable(task.files, () => feedLogOf(file, task.reading.zone));
  say(`${file}: ${feeds.pages.length} feeds with ${feeds.entries} entries`);
  for (const note of feeds.notes) say(`  ${note}`);
  if (task.output === 'preview') return exitCodes.answered;
  const { crawls = feeds.pages.length, now = Math.ceil(Date.now() / 1000), ...terms } = task.wishes;
  if (task.wishes.crawls === undefined) say(`  Without --crawls the request has ${crawls}, one a feed.`);
  return writeRequest(feedRequest(feeds, { ...terms, now, crawls }), task, feeds.notes);
}

/** The request with the signals of sitemaps, and how far the log shows that they can be trusted; or an exit code. */
async function withSignals(
  request: PlanRequest,
  log: CrawlLog,
  { sitemaps: paths, wishes: { hostDelay } }: Task,
  now: number,
): Promise<PagesRequest | number> {
  const sitemaps = await readable(paths, async () => sitemapsIn(paths));
  for (const note of sitemaps.notes) say(`  ${note}`);
  const question = qualityRequest(log, sitemaps);
  if (question === null) say('  No page of the log is in a sitemap: its signals are left out.');
  const outcome = question === null ? null : await solved(signalsOperation, question);
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly solution: QualitySolution } | null = outcome === null ? null : JSON.parse(outcome.json);
  const quality = answer === null ? [] : qualityOf(answer.solution);
  for (const { host, precision, recall } of quality) {
    const [right, signalled] = [figure(100 * precision, 3), figure(100 * recall, 3)];
    say(`  ${host}: ${right}% of the signals are right, ${signalled}% of the changes are signalled.`);
  }
  const delayed = new Set(
    hostDelay === undefined ? [] : log.pages.flatMap(({ host = '' }) => (host === '' ? [] : [host])),
  );
  const plain = [...delayed].filter((name) => !quality.some(({ host }) => host === name)).map((host) => ({ host }));
  const hosts = [...quality, ...plain].map((each) => ({
    ...each,
    ...(delayed.has(each.host) && { minDelay: hostDelay }),
  }));
  const pages = pagesWithSignals(request.pages, sitemaps, quality, now);
  return { ...request, ...(hosts.length > 0 && { hosts }), pages };
}

/** Reads files; a refusal gets their names. @throws UnreadableInput */
async function readable<T>(files: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    throw new UnreadableInput(`${files.join(', ')}: ${error.message}`);
  }
}

/** The log up to where the plan starts. @throws LogRefusal */
function until(log: CrawlLog, now: number): CrawlLog {
  const cut = truncateLog(log, now);
  if (cut !== log) say(`  ${cut.notes.at(-1)}`);
  return cut;
}

interface Solved {
  readonly json: string;
  readonly interrupted: boolean;
}

/** The answer; or the exit code of a request that got none, with the reason on stderr. */
export async function solved(operation: string, request: object): Promise<Solved | number> {
  const solver = new Solver({ operation });
  const outcome = await solver.solve(request);
  await solver.end();
  if (outcome.kind === 'answer') return { json: outcome.json, interrupted: solver.interrupted };
  sayProblem(outcome, operation);
  return exitCode(outcome, false);
}

/** Each page with its estimated change rate, as `crawl-optimizer tables` takes them. */
async function writePages(log: CrawlLog): Promise<number> {
  const pages = log.pages.map(({ id, observations }) => ({ id, observations }));
  const outcome = await solved('estimates/change-rates', { pages, prior: 'empirical-bayes' });
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly solution: { readonly pages: readonly EstimatedRate[] } } = JSON.parse(outcome.json);
  for (const line of pageLines(log, answer.solution.pages)) await writeOut(line);
  return outcome.interrupted ? exitCodes.interrupted : exitCodes.answered;
}

/** Without a number of fetches or a target: what fetches buy around the log's own pace, and a request to choose. */
async function writeChoices(request: object, interval: number): Promise<number> {
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const { curve = [] }: { readonly curve?: readonly LogCurvePoint[] } = JSON.parse(outcome.json);
  say('What fetches buy, around the pace of the log:');
  for (const line of curveLines(curve, interval)) say(`  ${line}`);
  say('How many can you make (--crawls 500), or how current shall copies be (--freshness 0.95)?');
  return exitCodes.refused;
}

async function writePlan(
  request: object,
  ids: readonly string[],
  { output, explain }: Task,
  notes: readonly string[],
): Promise<number> {
  const explained = explain.map((page) => pagePosition(page, ids));
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const answer: {
    readonly status: string;
    readonly summary: string;
    readonly solution: PlanSolution & { readonly pages: readonly ExplainedPage[]; readonly shadowPrice: number };
    readonly conflict?: { readonly detail: string };
    readonly warnings: readonly { readonly detail: string }[];
  } = JSON.parse(outcome.json);
  if (output === 'answer') await writeOut(outcome.json);
  if (answer.status === 'infeasible') {
    say(`There is no such plan: ${answer.conflict?.detail}`);
    return exitCodes.infeasible;
  }
  for (const { detail } of answer.warnings) if (!notes.includes(detail)) say(`  ${detail}`);
  const { schedule, pages, shadowPrice } = answer.solution;
  if (schedule.length === 0) {
    say(
      'No fetch can be made in this interval: every page waits, for what the notes above say or for the limits given.',
    );
    return exitCodes.infeasible;
  }
  say(answer.summary);
  for (const i of explained) say(`${ids[i]}: ${explanation(pages[i], i, shadowPrice, request)}`);
  if (output === 'plan') for (const line of planLines(answer.solution)) await writeOut(line);
  return outcome.interrupted ? exitCodes.interrupted : exitCodes.answered;
}

/** Why the page at a position is fetched when it is. */
function explanation(page: ExplainedPage, i: number, shadowPrice: number, request: object): string {
  const whole: Readonly<Record<string, unknown>> = { ...request };
  const row: unknown = Array.isArray(whole.pages) ? whole.pages[i] : undefined;
  const numberIn = (record: unknown, name: string): number | undefined => {
    const value = isRecord(record) ? record[name] : undefined;
    return typeof value === 'number' ? value : undefined;
  };
  return explainPage(page, {
    now: numberIn(whole, 'now') ?? 0,
    interval: numberIn(whole, 'interval') ?? Number.NaN,
    shadowPrice,
    objective: typeof whole.objective === 'string' ? whole.objective : undefined,
    weight: numberIn(row, 'weight'),
    minInterval: numberIn(row, 'minInterval') ?? numberIn(whole, 'minInterval'),
    maxInterval: numberIn(row, 'maxInterval') ?? numberIn(whole, 'maxInterval'),
    evenShare: numberIn(whole, 'evenShare'),
  });
}

/** @throws UsageError */
function pagePosition(name: string, ids: readonly string[]): number {
  const position = ids.indexOf(name);
  if (position >= 0) return position;
  const near = suggestions(name, ids.slice(0, 10_000));
  throw new UsageError(
    `the log has no page ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near[0]}?` : ''}`,
  );
}
