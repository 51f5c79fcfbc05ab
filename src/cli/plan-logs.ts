/** `import` and `plan`: crawl logs in files → a request for crawl-plan, or a plan. */
import { feedRequest } from '../logs/feeds/feed-request.ts';
import { LogRefusal } from '../logs/log-record.ts';
import { logSummary } from '../logs/log-summary.ts';
import {
  type EstimatedRate,
  type PlanRequest,
  type PlanSolution,
  pageLines,
  patient,
  planLines,
  planRequest,
} from '../logs/plan-request.ts';
import { type BoughtPoint, curveLines } from '../logs/plan-target.ts';
import { type CrawlLog, LogReading, logUntil } from '../logs/read-log.ts';
import {
  type QualitySolution,
  qualityOf,
  qualityRequest,
  signalledPages,
  signalsOperation,
} from '../logs/sitemaps/signalled-log.ts';
import { day } from '../solvers/day.ts';
import { figure } from '../words/numbers.ts';
import { printable } from '../words/printable.ts';
import { suggestions } from '../words/suggest.ts';
import { UnreadableInput, UsageError } from './arguments.ts';
import { feedLogOf, isDatabase } from './files/feed-files.ts';
import { textOf } from './files/log-text.ts';
import { sitemapsIn } from './files/sitemap-files.ts';
import type { LogCommand } from './log-arguments.ts';
import { type AnsweredPages, explainAnswered } from './plan/explain-answered.ts';
import { settingsOf, withSettingsIn } from './solve/set-values.ts';
import { interruptedCode, Solver } from './solve/solver.ts';
import { exitCodes } from './solve-requests.ts';
import { writeOut } from './write-output.ts';

const say = (line: string): boolean => process.stderr.write(`${printable(line)}\n`);

/** The log that a command names; what was taken for granted in it is said. @throws UnreadableInput */
export async function loggedFetches(command: LogCommand): Promise<CrawlLog> {
  const { files } = command;
  const log = await refusing(files, async () => {
    const reading = new LogReading(command.log, command.format);
    for (const file of files) {
      for await (const piece of textOf(file)) reading.push(piece);
      reading.endPart();
    }
    return reading.end();
  });
  say(`${files.join(', ')}: ${log.format.title}; ${logSummary(log)}`);
  for (const note of log.notes) say(`  ${note}`);
  return log;
}

/** Does what the command says and returns the exit code. */
export async function planLogs(command: LogCommand): Promise<number> {
  const { kind, preview } = command;
  if (namesFeeds(command)) return planFeeds(command);
  const whole = await loggedFetches(command);
  if (preview) return exitCodes.answered;
  if (kind === 'import' && command.table) return pageTable(whole);
  const { crawls, now: wanted, ...said } = command.plan;
  // pauses of failing pages keep to limits that --set says, too
  const limit = (name: string): { readonly [limit: string]: number } => {
    const set = settingsOf(command.set).findLast(({ path }) => path.join('.') === name)?.value;
    return typeof set === 'number' ? { [name]: set } : {};
  };
  const settings = { ...said, ...limit('minInterval'), ...limit('maxInterval') };
  // Rounded up: the log's last fetch may have been made within this second.
  const begin = wanted ?? Math.ceil(Date.now() / 1000);
  const log = until(whole, begin);
  if (wanted === undefined && begin - log.to > settings.interval) {
    say(
      `  The log ends ${Math.round((begin - log.to) / day)} days ago: the plan starts now; --now ${endOf(log)} plans from its end.`,
    );
  }
  // A request without crawls is one to be completed by hand: as many as the log's own pace makes.
  const pace = Math.max(1, Math.round((log.fetches * settings.interval) / Math.max(log.to - log.from, 1)));
  if (kind === 'plan' && crawls === undefined) {
    const asked = planRequest(log, { ...settings, now: begin, crawls: pace, curve: true });
    return whatFetchesBuy(withSettingsIn(asked, settingsOf(command.set)), settings.interval);
  }
  if (crawls === undefined) say(`  Without --crawls the request has ${pace}, the pace of the log.`);
  const request = patient(planRequest(log, { ...settings, now: begin, crawls: crawls ?? pace }), log);
  const complete = command.sitemaps.length === 0 ? request : await signalled(request, log, command, begin);
  return written(command, complete, log.notes);
}

/** The first whole second after the log. */
const endOf = ({ to }: CrawlLog): string => `${new Date(1000 * Math.ceil(to)).toISOString().slice(0, 19)}Z`;

/** A request in rows. */
interface AskedPages extends Readonly<Record<string, unknown>> {
  readonly pages: readonly { readonly id: string }[];
}

/** The request, or its plan; `notes` have been said. */
async function written(command: LogCommand, request: AskedPages | number, notes: readonly string[]): Promise<number> {
  if (typeof request === 'number') return request;
  const ids = request.pages.map(({ id }) => id);
  const complete = withSettingsIn(request, settingsOf(command.set));
  if (command.kind !== 'import') return plan(complete, ids, command, notes);
  await writeOut(JSON.stringify(complete));
  return exitCodes.answered;
}

const namesFeeds = ({ files, format }: LogCommand): boolean =>
  format === 'feeds' || (format === undefined && files.length === 1 && isDatabase(files[0]));

/** Feeds by their entries, under delay. */
async function planFeeds(command: LogCommand): Promise<number> {
  const { files, log: options, plan: wishes, preview } = command;
  const feeds = await refusing(files, () => feedLogOf(files[0], options.zone));
  say(`${files[0]}: ${feeds.pages.length} feeds with ${feeds.entries} entries`);
  for (const note of feeds.notes) say(`  ${note}`);
  if (preview) return exitCodes.answered;
  const { crawls = feeds.pages.length, now = Math.ceil(Date.now() / 1000), ...settings } = wishes;
  if (wishes.crawls === undefined) say(`  Without --crawls the request has ${crawls}, one a feed.`);
  return written(command, feedRequest(feeds, { ...settings, now, crawls }), feeds.notes);
}

/** The request with the signals of sitemaps, and how far the log shows that they can be trusted. */
async function signalled(
  request: PlanRequest,
  log: CrawlLog,
  command: LogCommand,
  now: number,
): Promise<AskedPages | number> {
  const sitemaps = await refusing(command.sitemaps, async () => sitemapsIn(command.sitemaps));
  for (const note of sitemaps.notes) say(`  ${note}`);
  const asked = qualityRequest(log, sitemaps);
  if (asked === null) say('  No page of the log is in a sitemap: its signals are left out.');
  const outcome = asked === null ? null : await solved(signalsOperation, asked);
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly solution: QualitySolution } | null = outcome === null ? null : JSON.parse(outcome.json);
  const quality = answer === null ? [] : qualityOf(answer.solution);
  for (const { host, precision, recall } of quality) {
    say(
      `  ${host}: ${figure(100 * precision, 3)}% of the signals are right, ${figure(100 * recall, 3)}% of the changes are signalled.`,
    );
  }
  const { hostDelay } = command.plan;
  const delayed = new Set(
    hostDelay === undefined ? [] : log.pages.flatMap(({ host = '' }) => (host === '' ? [] : [host])),
  );
  const plain = [...delayed].filter((name) => !quality.some(({ host }) => host === name)).map((host) => ({ host }));
  const hosts = [...quality, ...plain].map((each) => ({
    ...each,
    ...(delayed.has(each.host) && { minDelay: hostDelay }),
  }));
  const pages = signalledPages(request.pages, sitemaps, quality, now);
  return { ...request, ...(hosts.length > 0 && { hosts }), pages };
}

async function refusing<T>(files: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    throw new UnreadableInput(`${files.join(', ')}: ${error.message}`);
  }
}

/** The log up to where the plan starts. @throws UnreadableInput */
function until(log: CrawlLog, now: number): CrawlLog {
  try {
    const cut = logUntil(log, now);
    if (cut !== log) say(`  ${cut.notes.at(-1)}`);
    return cut;
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    throw new UnreadableInput(error.message);
  }
}

interface Answered {
  readonly json: string;
  readonly interrupted: boolean;
}

/** The answer, or the exit code of a request that got none, after its reason has been said. */
export async function solved(operation: string, request: object): Promise<Answered | number> {
  const progress = process.stderr.isTTY === true;
  const solver = new Solver({ operation, timeLimitMs: undefined, validateOnly: false, progress });
  const outcome = await solver.solve(request);
  await solver.end();
  if (outcome.kind !== 'problem') return { json: outcome.json, interrupted: solver.interrupted };
  const { problem } = outcome;
  say(`${problem.title}: ${problem.detail}`);
  // A single error is the detail already.
  const errors = problem.errors ?? [];
  for (const { pointer, detail } of errors.length > 1 ? errors : []) say(`  ${pointer}: ${detail}`);
  if (problem.status === 504) return exitCodes.timeLimit;
  return problem.status >= 500 ? exitCodes.internal : exitCodes.refused;
}

/** Each page with its estimated change rate, as `crawl-optimizer tables` takes them. */
async function pageTable(log: CrawlLog): Promise<number> {
  const pages = log.pages.map(({ id, observations }) => ({ id, observations }));
  const outcome = await solved('estimates/change-rates', { pages, prior: 'empirical-bayes' });
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly solution: { readonly pages: readonly EstimatedRate[] } } = JSON.parse(outcome.json);
  for (const line of pageLines(log, answer.solution.pages)) await writeOut(line);
  return outcome.interrupted ? interruptedCode : exitCodes.answered;
}

/** Without a number of fetches or a target: what fetches buy around the log's own pace, and the question. */
async function whatFetchesBuy(request: object, interval: number): Promise<number> {
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const { curve = [] }: { readonly curve?: readonly BoughtPoint[] } = JSON.parse(outcome.json);
  say('What fetches buy, around the pace of the log:');
  for (const line of curveLines(curve, interval)) say(`  ${line}`);
  say('How many can you make (--crawls 500), or how current shall copies be (--freshness 0.95)?');
  return exitCodes.refused;
}

async function plan(
  request: object,
  ids: readonly string[],
  { json, explain }: LogCommand,
  notes: readonly string[],
): Promise<number> {
  const explained = explain.map((page) => pageNamed(page, ids));
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const answer: {
    readonly status: string;
    readonly summary: string;
    readonly solution: PlanSolution & AnsweredPages;
    readonly conflict?: { readonly detail: string };
    readonly warnings: readonly { readonly detail: string }[];
  } = JSON.parse(outcome.json);
  if (json) await writeOut(outcome.json);
  if (answer.status === 'infeasible') {
    say(`There is no such plan: ${answer.conflict?.detail}`);
    return exitCodes.infeasible;
  }
  for (const { detail } of answer.warnings) if (!notes.includes(detail)) say(`  ${detail}`);
  if (answer.solution.schedule.length === 0) {
    say(
      'No fetch can be made in this interval: every page waits, for what the notes above say or for the limits given.',
    );
    return exitCodes.infeasible;
  }
  say(answer.summary);
  for (const i of explained) say(`${ids[i]}: ${explainAnswered(answer.solution, i, request)}`);
  if (!json) for (const line of planLines(answer.solution)) await writeOut(line);
  return outcome.interrupted ? interruptedCode : exitCodes.answered;
}

/** The position of a page. @throws UsageError */
function pageNamed(name: string, ids: readonly string[]): number {
  const at = ids.indexOf(name);
  if (at >= 0) return at;
  const near = suggestions(name, ids.slice(0, 10_000));
  throw new UsageError(
    `the log has no page ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near[0]}?` : ''}`,
  );
}
