/** `import` and `plan`: crawl logs in files → a request for crawl-plan, or a plan. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { LogRefusal } from '../logs/log-record.ts';
import { logSummary } from '../logs/log-summary.ts';
import { type EstimatedRate, type PlanSolution, pageLines, planLines, planRequest } from '../logs/plan-request.ts';
import { type CrawlLog, readLog } from '../logs/read-log.ts';
import { UsageError } from './arguments.ts';
import type { LogCommand } from './log-arguments.ts';
import { interruptedCode, Solver } from './solve/solver.ts';
import { exitCodes } from './solve-requests.ts';

const day = 86_400;

/** A log's text: unpacked where it is gzip; a WARC one character a byte, everything else UTF-8. */
function textOf(file: string): string {
  const raw = readFileSync(file === '-' ? 0 : file);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
  return bytes.toString(bytes.subarray(0, 5).toString('latin1') === 'WARC/' ? 'latin1' : 'utf8');
}

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

async function write(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** Does what the command says and returns the exit code. */
export async function planLogs(command: LogCommand): Promise<number> {
  const { files, kind, preview } = command;
  let log: CrawlLog;
  try {
    log = readLog(files.map(textOf), command.log, command.format);
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    throw new UsageError(`${files.join(', ')}: ${error.message}`);
  }
  say(`${files.join(', ')}: ${log.format.title}; ${logSummary(log)}`);
  for (const note of log.notes) say(`  ${note}`);
  if (preview) return exitCodes.answered;
  if (kind === 'import' && command.table) return pageTable(log);
  const { crawls, now: wanted, ...settings } = command.plan;
  // Rounded up: the log's last fetch may have been made within this second.
  const begin = wanted ?? Math.ceil(Date.now() / 1000);
  if (wanted === undefined && begin - log.to > settings.interval) {
    say(
      `  The log ends ${Math.round((begin - log.to) / day)} days ago: the plan starts now; --now says another moment.`,
    );
  }
  // A request without crawls is one to be completed by hand: as many as the log's own pace makes.
  const pace = Math.max(1, Math.round((log.fetches * settings.interval) / Math.max(log.to - log.from, 1)));
  if (crawls === undefined) say(`  Without --crawls the request has ${pace}, the pace of the log.`);
  const request = planRequest(log, { ...settings, now: begin, crawls: crawls ?? pace });
  if (kind === 'import') {
    await write(JSON.stringify(request));
    return exitCodes.answered;
  }
  return plan(request, command.json);
}

interface Answered {
  readonly json: string;
  readonly interrupted: boolean;
}

/** The answer, or the exit code of a request that got none, after its reason has been said. */
async function solved(operation: string, request: object): Promise<Answered | number> {
  const progress = process.stderr.isTTY === true;
  const solver = new Solver({ operation, timeLimitMs: undefined, validateOnly: false, progress });
  const outcome = await solver.solve(JSON.stringify(request));
  await solver.end();
  if (outcome.kind !== 'problem') return { json: outcome.json, interrupted: solver.interrupted };
  const { problem } = outcome;
  say(`${problem.title}: ${problem.detail}`);
  for (const { pointer, detail } of problem.errors ?? []) say(`  ${pointer}: ${detail}`);
  if (problem.status === 504) return exitCodes.timeLimit;
  return problem.status >= 500 ? exitCodes.internal : exitCodes.refused;
}

/** Each page with its estimated change rate, as `crawl-optimizer tables` takes them. */
async function pageTable(log: CrawlLog): Promise<number> {
  const pages = log.pages.map(({ id, observations }) => ({ id, observations }));
  const outcome = await solved('estimates/change-rates', { pages, prior: 'empirical-bayes' });
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly solution: { readonly pages: readonly EstimatedRate[] } } = JSON.parse(outcome.json);
  for (const line of pageLines(log, answer.solution.pages)) await write(line);
  return outcome.interrupted ? interruptedCode : exitCodes.answered;
}

async function plan(request: object, json: boolean): Promise<number> {
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const answer: {
    readonly status: string;
    readonly solution: PlanSolution;
    readonly conflict?: { readonly detail: string };
    readonly warnings: readonly { readonly detail: string }[];
  } = JSON.parse(outcome.json);
  if (json) await write(outcome.json);
  if (answer.status === 'infeasible') {
    say(`There is no such plan: ${answer.conflict?.detail}`);
    return exitCodes.infeasible;
  }
  for (const { detail } of answer.warnings) say(`  ${detail}`);
  if (!json) for (const line of planLines(answer.solution)) await write(line);
  return outcome.interrupted ? interruptedCode : exitCodes.answered;
}
