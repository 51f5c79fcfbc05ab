/** What a caller should know before relying on a plan. */
import type { Warning } from '../../answer.ts';
import { unchanged } from '../../estimation/changes/check-history.ts';
import type { CrawlPlan, CrawlPlanProblem, FetchCosts } from '../problem.ts';

/** A page with at least this many checks, this share of them with a change, has no identified rate. */
const fewestChecks = 4;
const mostlyChanged = 0.8;
/** Positions that one warning lists. */
const mostNamed = 100;

/** @param age of each page at the start, Infinity for never fetched */
export function planWarnings(
  problem: CrawlPlanProblem,
  age: Float64Array,
  plan: Pick<CrawlPlan, 'withoutCrawl' | 'nextFetch' | 'idleSlots' | 'fetchInterval' | 'spent' | 'crawls' | 'givenUp'>,
): Warning[] {
  const { costs } = problem;
  const { idleSlots, spent } = plan;
  const ofPages = [...pageWarnings(problem, age, plan), ...givenUpWarning(plan)];
  if (costs !== undefined) return [...ofPages, ...unspentWarning(costs, spent)];
  return [
    ...ofPages,
    ...warningFor(
      idleSlots,
      'idle-slots',
      'slots stay empty: minInterval and minDelay allow no fetch then',
      'slot stays empty: minInterval and minDelay allow no fetch then',
    ),
  ];
}

/** What is left that would have paid for any page's fetch. */
function unspentWarning({ cost, ifChanged, spending }: FetchCosts, spent: number | null): Warning[] {
  const dearest = cost.reduce((most, each, i) => Math.max(most, each + ifChanged[i]), 0);
  const left = spending - (spent ?? spending);
  if (left < 2 * dearest) return [];
  const detail = `${left} of the ${spending} that may be spent is left: minInterval, minDelay and windows allow no more fetches`;
  return [{ code: 'spending-left', detail }];
}

function pageWarnings(
  problem: CrawlPlanProblem,
  age: Float64Array,
  { withoutCrawl, nextFetch, fetchInterval }: Pick<CrawlPlan, 'withoutCrawl' | 'nextFetch' | 'fetchInterval'>,
): Warning[] {
  return [
    ...withoutCrawlWarning(problem, withoutCrawl, nextFetch),
    ...noShareWarning(fetchInterval),
    ...historyWarnings(problem, age),
    ...overdueWarning(problem, age),
  ];
}

/** A warning of so many pages; `one` is said of one. */
function warningFor(count: number, code: string, many: string, one: string): Warning[] {
  return count > 0 ? [{ code, detail: `${count} ${count === 1 ? one : many}` }] : [];
}

function withoutCrawlWarning(
  { interval }: CrawlPlanProblem,
  withoutCrawl: Uint32Array,
  nextFetch: Float64Array,
): Warning[] {
  const never = withoutCrawl.filter((i) => Number.isNaN(nextFetch[i]));
  const forGood =
    never.length > 0 ? `; ${never.length} of them never get one (first: ${list(never)}): raise evenShare` : '';
  return warningFor(
    withoutCrawl.length,
    'pages-without-crawl',
    `of ${nextFetch.length} pages get no crawl in these ${interval} s (positions in solution.withoutCrawl)${forGood}`,
    `of ${nextFetch.length} pages gets no crawl in these ${interval} s (position in solution.withoutCrawl)${forGood}`,
  );
}

/** Pages without a fetch interval; each is named. */
function noShareWarning(fetchInterval: Float64Array): Warning[] {
  const without = Uint32Array.from(fetchInterval.keys()).filter((i) => Number.isNaN(fetchInterval[i]));
  const more = without.length > mostNamed ? `, and ${without.length - mostNamed} more (fetchInterval null)` : '';
  return warningFor(
    without.length,
    'no-share',
    `pages have no fetch interval, because in the long run no fetch of them is worth its price: pages ${without.slice(0, mostNamed).join(', ')}${more}; a maxInterval or a larger weight gives them one`,
    `page has no fetch interval, because in the long run no fetch of it is worth its price: page ${without[0]}; a maxInterval or a larger weight gives it one`,
  );
}

/** Pages whose rate no check shows, pages without any check, and pages with checks whose last fetch is not known. */
function historyWarnings({ history, changeRate, knownEvents }: CrawlPlanProblem, age: Float64Array): Warning[] {
  let unseen = 0;
  const unidentified: number[] = [];
  const undated: number[] = [];
  for (let i = 0; i < age.length; i++) {
    const from = history.offsets[i];
    const to = history.offsets[i + 1];
    if (to > from && age[i] === Number.POSITIVE_INFINITY) undated.push(i);
    if (!Number.isNaN(changeRate[i])) continue;
    if (from === to) unseen++;
    if (knownEvents?.[i] === 1) continue;
    let changes = 0;
    for (let k = from; k < to; k++) if (history.outcome[k] !== unchanged) changes++;
    if (to - from >= fewestChecks && changes >= mostlyChanged * (to - from)) unidentified.push(i);
  }
  return [
    ...warningFor(
      unidentified.length,
      'rate-not-identified',
      `pages had changed at ${100 * mostlyChanged}% or more of their checks (first: ${list(unidentified)}): they change faster than they are fetched, and how much faster is not known`,
      `page had changed at ${100 * mostlyChanged}% or more of its checks (${list(unidentified)}): it changes faster than it is fetched, and how much faster is not known`,
    ),
    ...warningFor(
      unseen,
      'prior-only',
      'pages have no check yet: their rate is the prior’s, from the other pages',
      'page has no check yet: its rate is the prior’s, from the other pages',
    ),
    ...warningFor(
      undated.length,
      'last-crawl-missing',
      `pages have checks and no lastCrawl (first: ${list(undated)}): they are planned as never fetched, their copies taken to be stale, and, unless evenShare is 0, come before all others; give lastCrawl, or observations in place of checks`,
      `page has checks and no lastCrawl (${list(undated)}): it is planned as never fetched, its copy taken to be stale, and, unless evenShare is 0, comes before all others; give lastCrawl, or observations in place of checks`,
    ),
  ];
}

/** Pages that have fetches now and are given up in the long run. */
function givenUpWarning({ crawls, givenUp }: Pick<CrawlPlan, 'crawls' | 'givenUp'>): Warning[] {
  const scheduled = givenUp.filter((i) => crawls[i] > 0);
  return warningFor(
    scheduled.length,
    'scheduled-given-up',
    `of the pages with fetches now are given up in the long run (first: ${list(scheduled)}): no later fetch of them is worth its price`,
    `of the pages with fetches now is given up in the long run (${list(scheduled)}): no later fetch of it is worth its price`,
  );
}

function overdueWarning({ maxInterval }: CrawlPlanProblem, age: Float64Array): Warning[] {
  let overdue = 0;
  for (let i = 0; i < age.length; i++) if (age[i] < Number.POSITIVE_INFINITY && age[i] > maxInterval[i]) overdue++;
  return warningFor(
    overdue,
    'overdue-at-start',
    'pages were already past their maxInterval at now: they are fetched as soon as slots allow',
    'page was already past its maxInterval at now: it is fetched as soon as slots allow',
  );
}

function list(positions: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(5, positions.length) }, (_, k) => positions[k]).join(', ');
  return positions.length > 5 ? `${shown}, …` : shown;
}
