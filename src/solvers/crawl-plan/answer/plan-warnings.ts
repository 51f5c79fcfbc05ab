/** What a caller should know before relying on a plan. */
import type { Warning } from '../../answer.ts';
import { unchanged } from '../../estimation/changes/check-history.ts';
import type { CrawlPlan, CrawlPlanProblem, FetchCosts } from '../problem.ts';
import { inTheNext } from '../spans.ts';

/** A page with at least this many checks, this share of them with a change, has no identified rate. */
const fewestChecks = 4;
const mostlyChanged = 0.8;
/** Pages that one warning names. */
const mostNamed = 5;

/** @param age of each page at the start, Infinity for never fetched */
export function planWarnings(
  problem: CrawlPlanProblem,
  age: Float64Array,
  plan: Pick<CrawlPlan, 'withoutCrawl' | 'nextFetch' | 'idleSlots' | 'fetchInterval' | 'spent' | 'crawls' | 'givenUp'>,
): Warning[] {
  const { costs } = problem;
  const { idleSlots, spent } = plan;
  const ofPages = [...pageWarnings(problem, age, plan), ...givenUpWarning(problem, plan)];
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
    ...noShareWarning(problem, fetchInterval),
    ...historyWarnings(problem, age),
    ...overdueWarning(problem, age),
  ];
}

/** A warning of so many pages; `one` is said of one. */
function warningFor(count: number, code: string, many: string, one: string): Warning[] {
  return count > 0 ? [{ code, detail: `${count} ${count === 1 ? one : many}` }] : [];
}

function withoutCrawlWarning(problem: CrawlPlanProblem, withoutCrawl: Uint32Array, nextFetch: Float64Array): Warning[] {
  const never = withoutCrawl.filter((i) => Number.isNaN(nextFetch[i]));
  const forGood =
    never.length > 0 ? `; ${never.length} of them never get one${named(problem, never)}: raise evenShare` : '';
  const span = inTheNext(problem.interval);
  return warningFor(
    withoutCrawl.length,
    'pages-without-crawl',
    `of ${nextFetch.length} pages get no crawl ${span}${forGood}`,
    `of ${nextFetch.length} pages gets no crawl ${span}${forGood}`,
  );
}

function noShareWarning(problem: CrawlPlanProblem, fetchInterval: Float64Array): Warning[] {
  const without = Uint32Array.from(fetchInterval.keys()).filter((i) => Number.isNaN(fetchInterval[i]));
  const which = named(problem, without);
  return warningFor(
    without.length,
    'no-share',
    `pages have no fetch interval${which}: in the long run no fetch of them is worth its price; a maxInterval or a larger weight gives them one`,
    `page has no fetch interval${which}: in the long run no fetch of it is worth its price; a maxInterval or a larger weight gives it one`,
  );
}

/** Pages whose rate no check shows, pages without any check, and pages with checks whose last fetch is not known. */
function historyWarnings(problem: CrawlPlanProblem, age: Float64Array): Warning[] {
  const { history, changeRate, knownEvents } = problem;
  const unseen: number[] = [];
  const unidentified: number[] = [];
  const undated: number[] = [];
  for (let i = 0; i < age.length; i++) {
    const from = history.offsets[i];
    const to = history.offsets[i + 1];
    if (to > from && age[i] === Number.POSITIVE_INFINITY) undated.push(i);
    if (!Number.isNaN(changeRate[i])) continue;
    if (from === to) unseen.push(i);
    if (knownEvents?.[i] === 1) continue;
    let changes = 0;
    for (let k = from; k < to; k++) if (history.outcome[k] !== unchanged) changes++;
    if (to - from >= fewestChecks && changes >= mostlyChanged * (to - from)) unidentified.push(i);
  }
  return [
    ...warningFor(
      unidentified.length,
      'rate-not-identified',
      `pages had changed at ${100 * mostlyChanged}% or more of their checks${named(problem, unidentified)}: they change faster than they are fetched, and how much faster is not known`,
      `page had changed at ${100 * mostlyChanged}% or more of its checks${named(problem, unidentified)}: it changes faster than it is fetched, and how much faster is not known`,
    ),
    ...warningFor(
      unseen.length,
      'prior-only',
      `pages have no check yet${named(problem, unseen)}: their rate is the prior’s, from the other pages`,
      `page has no check yet${named(problem, unseen)}: its rate is the prior’s, from the other pages`,
    ),
    ...warningFor(
      undated.length,
      'last-crawl-missing',
      `pages have checks and no lastCrawl${named(problem, undated)}: they are planned as never fetched, their copies taken to be stale, and, unless evenShare is 0, come before all others; give lastCrawl, or observations in place of checks`,
      `page has checks and no lastCrawl${named(problem, undated)}: it is planned as never fetched, its copy taken to be stale, and, unless evenShare is 0, comes before all others; give lastCrawl, or observations in place of checks`,
    ),
  ];
}

/** Pages that have fetches now and are given up in the long run. */
function givenUpWarning(
  problem: CrawlPlanProblem,
  { crawls, givenUp }: Pick<CrawlPlan, 'crawls' | 'givenUp'>,
): Warning[] {
  const scheduled = givenUp.filter((i) => crawls[i] > 0);
  return warningFor(
    scheduled.length,
    'scheduled-given-up',
    `of the pages with fetches now are given up in the long run${named(problem, scheduled)}: no later fetch of them is worth its price`,
    `of the pages with fetches now is given up in the long run${named(problem, scheduled)}: no later fetch of it is worth its price`,
  );
}

function overdueWarning(problem: CrawlPlanProblem, age: Float64Array): Warning[] {
  const overdue: number[] = [];
  for (let i = 0; i < age.length; i++) {
    if (age[i] < Number.POSITIVE_INFINITY && age[i] > problem.maxInterval[i]) overdue.push(i);
  }
  return warningFor(
    overdue.length,
    'overdue-at-start',
    `pages were already past their maxInterval at now${named(problem, overdue)}: they are fetched as soon as slots allow`,
    `page was already past its maxInterval at now${named(problem, overdue)}: it is fetched as soon as slots allow`,
  );
}

/** ` (first: "a", "b", …)`: pages by their ids, without one by their positions. */
function named({ pageName }: CrawlPlanProblem, pages: ArrayLike<number>): string {
  const names = Array.from({ length: Math.min(mostNamed, pages.length) }, (_, k) => {
    const name = pageName?.[pages[k]];
    return name === undefined ? `page ${pages[k]}` : JSON.stringify(name);
  }).join(', ');
  return pages.length > mostNamed ? ` (first: ${names}, …)` : ` (${names})`;
}
