/** `plan` and `import`: read crawl logs in files and write a plan, or the request for one. */
import { LogRefusal } from '../../logs/log-record.ts';
import { logSummary } from '../../logs/log-summary.ts';
import {
  type EstimatedRate,
  type LogTarget,
  type PlanRequest,
  type PlanSolution,
  pageLines,
  planLines,
  planOperation,
  raiseTimeLimit,
} from '../../logs/plan-request.ts';
import type { CrawlLog } from '../../logs/read-log.ts';
import { logRequest, openLog, type QueryPairs } from '../../logs/requests/log-request.ts';
import {
  changeSignalsOperation,
  hostQualities,
  pagesWithSignals,
  type QualitySolution,
  qualityRequest,
} from '../../logs/sitemaps/log-signals.ts';
import { isRecord } from '../../schemas/contract/strict-object.ts';
import { type ExplainedPage, explainPage } from '../../schemas/words/explain-page.ts';
import { duration, durationAhead, figure, share } from '../../schemas/words/numbers.ts';
import { suggestions } from '../../schemas/words/suggest.ts';
import { day } from '../../solvers/day.ts';
import { exitCodes, UnreadableInput, UsageError } from '../failures.ts';
import { readSitemapFiles, readText } from '../log-files.ts';
import { findOperation } from '../operations.ts';
import { flagOption, readOptions, textsOption } from '../options.ts';
import { writeStderr, writeStdout } from '../output.ts';
import { logOptions, optionsPage, planOptions, queryOf } from './log-options.ts';
import { exitCodeOf, reportProblem, solve } from './solve.ts';

const planningOptions = {
  ...planOptions,
  explain: textsOption('<page>', 'why this page is fetched when it is'),
  json: flagOption('the answer of crawl-plan in place of the table'),
  ...logOptions,
} as const;

const importOptions = {
  preview: flagOption('only say what the log is'),
  table: flagOption('pages with their change rates a second (CSV), for tables'),
  ...planOptions,
  ...logOptions,
} as const;

export const planHelp = {
  usage: 'plan <log ...> --crawls <n> | --freshness <share> [--interval 1d] > plan.csv',
  description:
    'Reads crawl logs in files, packed or not, or on stdin (-), and writes what to fetch next, a fetch a line (CSV).',
  example: 'plan examples/quick-start/crawl-log.ndjson --crawls 30 > plan.csv',
  options: planningOptions,
  page: optionsPage,
};

export const importHelp = {
  usage: 'import <log ...> [--preview | --table] [--crawls <n>] > request.json',
  description: 'Reads crawl logs in files, packed or not, or on stdin (-), and writes the request for crawl-plan.',
  example: 'import examples/quick-start/crawl-log.ndjson --preview',
  options: importOptions,
  page: optionsPage,
};

export async function runPlan(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, planningOptions);
  const query = queryOf(values);
  const log = await readFetches(positionals, query);
  const request = await planRequestFor(log, query, values.sitemap);
  if (typeof request === 'number') return request;
  if (!query.some(([name]) => /^(?:crawls|crawlers|target|freshness|meanDelay)\b/.test(name))) {
    return writeCurve({ ...request, crawls: paceOf(log, request), curve: true }, Number(request.interval));
  }
  return writePlan(request, log.notes, values);
}

export async function runImport(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, importOptions);
  const query = queryOf(values);
  const log = await readFetches(positionals, query);
  if (values.preview === true) return exitCodes.answered;
  if (values.table === true) return writePages(log);
  const request = await planRequestFor(log, query, values.sitemap);
  if (typeof request === 'number') return request;
  const hasBudget = ['crawls', 'crawlers', 'target'].some((name) => name in request);
  const crawls = paceOf(log, request);
  // without crawls the user has to complete the request
  if (!hasBudget) writeStderr(`  Without --crawls the request has ${crawls}, the pace of the log.`);
  await writeStdout(JSON.stringify(hasBudget ? request : { crawls, ...request }));
  return exitCodes.answered;
}

/** The log in files; how it was read goes to stderr. @throws UnreadableInput */
export async function readFetches(names: readonly string[], query: QueryPairs): Promise<CrawlLog> {
  const files = names.length > 0 ? names : ['-'];
  const reading = openLog(query);
  const log = await withFileNames(files, async () => {
    for (const file of files) {
      if (files.length > 1) reading.beginPart(file);
      for await (const piece of readText(file, () => reading.noteCut())) reading.push(piece);
      reading.endPart();
    }
    return reading.end();
  });
  writeStderr(`${files.join(', ')}: ${log.format.title}; ${logSummary(log)}`);
  for (const note of log.notes) writeStderr(`  ${note}`);
  return log;
}

/** Reads files; a refusal gets their names. @throws UnreadableInput */
async function withFileNames<T>(files: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    throw new UnreadableInput(`${files.join(', ')}: ${error.message}`);
  }
}

/** A request whose pages come from a log, and from sitemaps. */
interface PagesRequest extends Readonly<Record<string, unknown>> {
  readonly pages: readonly { readonly id: string }[];
}

/** The request for a plan; an exit code if the quality of its sitemaps' signals could not be estimated. */
async function planRequestFor(
  whole: CrawlLog,
  query: QueryPairs,
  sitemaps: readonly string[] = [],
): Promise<PagesRequest | number> {
  // Rounded up: the log's last fetch may have been made within this second.
  const moment = Math.ceil(Date.now() / 1000);
  const { request: plain, log } = logRequest(planOperation, whole, query, moment);
  const request = 'options' in plain ? plain : raiseTimeLimit(plain, log);
  if (log !== whole) writeStderr(`  ${log.notes.at(-1)}`);
  if (request.now === moment && moment - log.to > Number(request.interval)) {
    const end = new Date(1000 * Math.ceil(log.to)).toISOString().slice(0, 19);
    const days = Math.round((moment - log.to) / day);
    writeStderr(`  The log ends ${days} days ago: the plan starts now; --now ${end}Z plans from its end.`);
  }
  return sitemaps.length === 0 ? request : withSignals(request, log, sitemaps);
}

/** The number of fetches in the interval at the log's own pace. */
const paceOf = ({ fetches, from, to }: CrawlLog, { interval }: PagesRequest): number =>
  Math.max(1, Math.round((fetches * Number(interval)) / Math.max(to - from, 1)));

/** The request with the signals of sitemaps and their precision and recall by the log; or an exit code. */
async function withSignals(
  request: PlanRequest,
  log: CrawlLog,
  paths: readonly string[],
): Promise<PagesRequest | number> {
  const sitemaps = await withFileNames(paths, () => readSitemapFiles(paths));
  for (const note of sitemaps.notes) writeStderr(`  ${note}`);
  const question = qualityRequest(log, sitemaps);
  if (question === null) writeStderr('  No page of the log is in a sitemap: its signals are left out.');
  const answer =
    question === null ? null : await solveRequest<{ solution: QualitySolution }>(changeSignalsOperation, question);
  if (typeof answer === 'number') return answer;
  const quality = answer === null ? [] : hostQualities(answer.solution);
  for (const { host, precision, recall } of quality) {
    const [precisionText, recallText] = [figure(100 * precision, 3), figure(100 * recall, 3)];
    writeStderr(`  ${host}: ${precisionText}% of the signals are right, ${recallText}% of the changes are signalled.`);
  }
  const hostRows = (Array.isArray(request.hosts) ? request.hosts : []).filter(isRecord);
  const hosts = new Map(hostRows.map((each) => [each.host, each]));
  for (const hostQuality of quality) hosts.set(hostQuality.host, { ...hosts.get(hostQuality.host), ...hostQuality });
  const pages = pagesWithSignals(request.pages, sitemaps, quality, Number(request.now));
  return { ...request, ...(hosts.size > 0 && { hosts: [...hosts.values()] }), pages };
}

/** Solves a request and returns the answer; if there is none, an exit code, with the reason on stderr. */
export async function solveRequest<Answer extends object>(name: string, request: object): Promise<Answer | number> {
  const outcome = solve(await findOperation(name), request);
  if (outcome.kind === 'answer') return JSON.parse(outcome.body);
  reportProblem(outcome, name);
  return exitCodeOf(outcome, false);
}

/** Each page with its estimated change rate, as `crawl-optimizer tables` takes them. */
async function writePages(log: CrawlLog): Promise<number> {
  const name = 'estimates/change-rates';
  const { request } = logRequest(name, log, [], log.to);
  const answer = await solveRequest<{ solution: { pages: readonly EstimatedRate[] } }>(name, request);
  if (typeof answer === 'number') return answer;
  for (const line of pageLines(log, answer.solution.pages)) await writeStdout(line);
  return exitCodes.answered;
}

/** Without a number of fetches or a target: the measure at several numbers around the log's own pace, to choose from. */
async function writeCurve(request: object, interval: number): Promise<number> {
  const answer = await solveRequest<{ curve?: readonly LogCurvePoint[] }>(planOperation, request);
  if (typeof answer === 'number') return answer;
  writeStderr('What fetches buy, around the pace of the log:');
  for (const line of curveLines(answer.curve ?? [], interval)) writeStderr(`  ${line}`);
  writeStderr('How many can you make (--crawls 500), or how current shall copies be (--freshness 0.95)?');
  return exitCodes.refused;
}

/** The fields used of a point of the curve. */
interface LogCurvePoint extends LogTarget {
  readonly crawls: number;
  readonly price: number | null;
}

/** Points of a curve printed at most. */
const maxCurveLines = 5;

/** Up to five lines of a curve: the measure at a number of fetches, and the gain of one more. */
function curveLines(curve: readonly LogCurvePoint[], interval: number): string[] {
  const last = curve.length - 1;
  const points = curve.filter(
    (_, k) => curve.length <= maxCurveLines || k % Math.ceil(last / (maxCurveLines - 1)) === 0 || k === last,
  );
  return points.map(({ crawls, price, ...measure }) => {
    const fetches = `${figure(Math.ceil(crawls), 3)} fetches ${durationAhead(interval)}`;
    return `${fetches}: ${measureInWords(measure)}; one more ${marginInWords(measure, price ?? 0)}`;
  });
}

function measureInWords({ freshness, meanDelay }: LogTarget): string {
  if (freshness !== undefined) return `copies are current ${share(freshness, 3)} of the time`;
  return `a change waits ${duration(meanDelay ?? Number.NaN)} in the mean`;
}

const marginInWords = ({ freshness }: LogTarget, price: number): string =>
  freshness !== undefined ? `adds ${share(price)}` : `takes ${duration(price)} off`;

interface PlanAnswer {
  readonly status: string;
  readonly summary: string;
  readonly solution: PlanSolution & { readonly pages: readonly ExplainedPage[]; readonly shadowPrice: number };
  readonly conflict?: { readonly detail: string };
  readonly warnings: readonly { readonly detail: string }[];
}

/** Writes the plan; the `notes` on the log are on stderr already. */
async function writePlan(
  request: PagesRequest,
  notes: readonly string[],
  { json, explain = [] }: { readonly json?: boolean | undefined; readonly explain?: readonly string[] | undefined },
): Promise<number> {
  const ids = request.pages.map(({ id }) => id);
  const explainedPages = explain.map((page) => pagePosition(page, ids));
  const answer = await solveRequest<PlanAnswer>(planOperation, request);
  if (typeof answer === 'number') return answer;
  if (json === true) await writeStdout(JSON.stringify(answer));
  if (answer.status === 'infeasible') {
    writeStderr(`There is no such plan: ${answer.conflict?.detail}`);
    return exitCodes.infeasible;
  }
  for (const { detail } of answer.warnings) if (!notes.includes(detail)) writeStderr(`  ${detail}`);
  const { schedule, pages, shadowPrice } = answer.solution;
  if (schedule.length === 0) {
    writeStderr(
      'No fetch can be made in this interval: every page waits, for what the notes above say or for the limits given.',
    );
    return exitCodes.infeasible;
  }
  writeStderr(answer.summary);
  const { now, interval } = request;
  for (const i of explainedPages) {
    const plan = { ...request, ...request.pages[i], now: Number(now), interval: Number(interval), shadowPrice };
    writeStderr(`${ids[i]}: ${explainPage(pages[i], plan)}`);
  }
  if (json !== true) for (const line of planLines(answer.solution)) await writeStdout(line);
  return exitCodes.answered;
}

/** @throws UsageError */
function pagePosition(name: string, ids: readonly string[]): number {
  const position = ids.indexOf(name);
  if (position >= 0) return position;
  const similarNames = suggestions(name, ids.slice(0, 10_000));
  throw new UsageError(
    `the log has no page ${JSON.stringify(name)}${similarNames.length > 0 ? `; did you mean ${similarNames[0]}?` : ''}`,
  );
}
