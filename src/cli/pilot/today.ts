/** `pilot today`: what to fetch, a line each: the plan's pages by the plan, the probes, and the pages left alone. */

import { armOf, type Pilot, partsByPeriod, probesDue } from '../../logs/pilot.ts';
import { type PlanSolution, planRequest } from '../../logs/plan-request.ts';
import type { CrawlLog } from '../../logs/read-log.ts';
import { csvCell } from '../../words/csv-cell.ts';
import { counted } from '../../words/numbers.ts';
import { UsageError } from '../arguments.ts';
import type { LogCommand } from '../log-arguments.ts';
import { loggedFetches, solved } from '../plan-logs.ts';
import { exitCodes } from '../solve-requests.ts';
import { writeOut } from '../write-output.ts';

interface Line {
  /** Epoch seconds; null where the page is left to the incumbent rule. */
  readonly time: number | null;
  readonly page: string;
  readonly why: 'plan' | 'probe' | 'yours';
}

export async function fetchesOfToday(pilot: Pilot, command: LogCommand): Promise<number> {
  const log = loggedFetches(command);
  const now = command.plan.now ?? Math.ceil(Date.now() / 1000);
  const { interval } = command.plan;
  const known = logUntil(log, now);
  const lines: Line[] = probesDue(pilot, known, now, now + interval).map(({ time, page }) => {
    return { time, page: page.id, why: 'probe' };
  });
  for (const part of partsByPeriod(pilot, now, now + interval)) {
    const planned = await plannedIn(pilot, known, part, command);
    if (typeof planned === 'number') return planned;
    for (const line of planned) lines.push(line);
  }
  lines.sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
  const own = known.pages.filter((page) => armOf(pilot, page, now) === 'incumbent');
  for (const { id } of own) lines.push({ time: null, page: id, why: 'yours' });
  await writeLines(lines, command.json);
  const ofPlan = known.pages.length - own.length;
  process.stderr.write(`${counted(ofPlan, 'page')} of the plan, ${counted(own.length, 'page')} of yours.\n`);
  return exitCodes.answered;
}

/** What was known at a time. */
function logUntil(log: CrawlLog, now: number): CrawlLog {
  const pages = log.pages
    .map((page) => ({ ...page, observations: page.observations.filter(({ time }) => time < now) }))
    .filter(({ observations }) => observations.length > 0);
  return { ...log, pages };
}

/** The plan of a part of a period, in which every page keeps its arm; or the exit code of a request refused. */
async function plannedIn(
  pilot: Pilot,
  known: CrawlLog,
  { from, to }: { readonly from: number; readonly to: number },
  { plan: wishes }: LogCommand,
): Promise<Line[] | number> {
  const pages = known.pages.filter((page) => armOf(pilot, page, from) === 'plan');
  if (pages.length === 0) return [];
  const share = (to - from) / wishes.interval;
  // The plan gets the fetches that the log has made for as many pages.
  const rate = known.fetches / Math.max(1, known.to - known.from) / Math.max(1, known.pages.length);
  if (typeof wishes.crawls === 'object') throw new UsageError('today takes --crawls: its fetches are those of the log');
  const wished = wishes.crawls === undefined ? rate * (to - from) * pages.length : wishes.crawls * share;
  const crawls = Math.round(wished);
  if (crawls === 0) return [];
  const request = planRequest({ ...known, pages }, { ...wishes, now: from, interval: to - from, crawls });
  const outcome = await solved('crawl-plan', request);
  if (typeof outcome === 'number') return outcome;
  const { solution }: { readonly solution?: PlanSolution } = JSON.parse(outcome.json);
  return (solution?.schedule ?? []).map(({ time, page }) => ({ time, page: pages[page].id, why: 'plan' }));
}

/** As CSV, or with --json a line each. */
async function writeLines(lines: readonly Line[], asJson: boolean): Promise<void> {
  if (!asJson) await writeOut('time,page,why');
  for (const { time, page, why } of lines) {
    const at = time === null ? '' : new Date(Math.round(1000 * time)).toISOString().replace('.000Z', 'Z');
    await writeOut(asJson ? JSON.stringify({ time, page, why }) : [at, page, why].map(csvCell).join(','));
  }
}
