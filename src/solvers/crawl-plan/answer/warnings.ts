/**
 * What a caller should know before relying on a plan. That is what the end of the time left undone, and pages that the
 * plan leaves out or knows little of. It is also values that fit the model and are surely not meant. Such values are
 * hosts that no page has, another unit, interval and crawls in each other's place. A plan is made all the same.
 */
import type { Warning } from '../../answer.ts';
import { day } from '../../day.ts';
import { unchanged } from '../../estimation/changes/check-history.ts';
import { duration, inTheNext } from '../../figures.ts';
import type { CrawlPlan, CrawlPlanProblem } from '../problem.ts';
import { firstOf, named } from '../spans.ts';

/** A page with at least this many checks, this share of them with a change, has no identified rate. */
const fewestChecks = 4;
const mostlyChanged = 0.8;

/** An interval so many times below the time between two fetches is in another unit. */
const farBelow = 100;
/** The minutes of a day: people who count in minutes, hours or days write no larger number. */
const mostMinutes = 1440;
/** More changes a day than this are no page's, in the middle of all pages with a given rate. */
const mostChangesADay = 1000;
const units = [
  ['minutes', 60],
  ['hours', 3600],
  ['days', day],
] as const;

/** What the end of the time left undone: the schedule, the plan to compare with, and pages' figures. */
interface Undone {
  readonly stopped: boolean;
  readonly unimproved: boolean;
  readonly turns: boolean;
  readonly notRevised: number;
}

export function stoppedWarnings({ stopped, unimproved, turns, notRevised }: Undone): Warning[] {
  const undone = [
    stopped
      ? 'the time limit came before all slots were given: the rest went to the pages in turn, each at its fetch interval'
      : '',
    unimproved ? 'the time limit came while the schedule was still being improved' : '',
    turns ? 'baselines.uniform is that of pages in turn without minInterval, maxInterval and minDelay' : '',
    notRevised > 0
      ? `intervalIfUnchanged and intervalIfChanged of the last ${notRevised} pages are their fetchInterval`
      : '',
  ].filter((part) => part !== '');
  if (undone.length === 0) return [];
  return [{ code: 'stopped-early', detail: `${undone.join('; ')}; raise options.timeLimitMs` }];
}

/**
 * The warnings of a problem as a whole, then those of its pages. O(pages + checks + hosts).
 *
 * @param age of each page at the start, Infinity for never fetched
 */
export function planWarnings(
  { problem, age }: { readonly problem: CrawlPlanProblem; readonly age: Float64Array },
  plan: Pick<CrawlPlan, 'withoutCrawl' | 'nextFetch' | 'idleSlots' | 'fetchInterval' | 'crawls' | 'givenUp'>,
): Warning[] {
  const { idleSlots, withoutCrawl, nextFetch, fetchInterval } = plan;
  return [
    ...hostWarnings(problem),
    ...swappedWarning(problem),
    ...intervalWarning(problem),
    ...rateWarning(problem),
    ...withoutCrawlWarning(problem, withoutCrawl, nextFetch),
    ...noShareWarning(problem, fetchInterval),
    ...historyWarnings(problem, age),
    ...overdueWarning(problem, age),
    ...givenUpWarning(problem, plan),
    ...warningFor(
      idleSlots,
      'idle-slots',
      'slots stay empty: minInterval and minDelay allow no fetch then',
      'slot stays empty: minInterval and minDelay allow no fetch then',
    ),
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
    if (to - from < fewestChecks) continue;
    let changes = to - from;
    for (let k = from; k < to && changes >= mostlyChanged * (to - from); k++) {
      if (history.outcome[k] === unchanged) changes--;
    }
    if (changes >= mostlyChanged * (to - from)) unidentified.push(i);
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

function hostWarnings({ host, hostName }: CrawlPlanProblem): Warning[] {
  if (hostName.length === 0) return [];
  const pages = new Uint32Array(hostName.length);
  let unlisted = 0;
  for (const h of host) {
    if (h < 0) unlisted++;
    else pages[h]++;
  }
  const empty = hostName.filter((_, h) => pages[h] === 0);
  const which = firstOf(empty, (name) => JSON.stringify(name));
  const warnings = warningFor(
    empty.length,
    'host-without-pages',
    `hosts have no pages${which}: their limits bind nothing; a page's host must be written the same`,
    `host has no pages${which}: its limits bind nothing; a page's host must be written the same`,
  );
  if (unlisted > 0) {
    const [have, them] = unlisted === 1 ? ['1 page has', 'it'] : [`${unlisted} pages have`, 'them'];
    warnings.push({
      code: 'host-not-listed',
      detail: `${have} no host that is listed in hosts: no host's limits bind ${them}`,
    });
  }
  return warnings;
}

/** A short interval with as many crawls as a day, an hour or a week has seconds. */
function swappedWarning({ interval, slotsByCrawler }: CrawlPlanProblem): Warning[] {
  const crawls = slotsByCrawler.reduce((sum, each) => sum + each, 0);
  if (crawls < 3600 || crawls % 3600 !== 0 || interval * 100 > crawls) return [];
  const detail = `${crawls} crawls in ${interval} s look swapped: interval ${crawls} (${duration(crawls)}) with ${interval} crawls?`;
  return [{ code: 'implausible-interval', detail }];
}

/** An interval far below every gap of the log, or one in small numbers far below the middle gap. */
function intervalWarning({ interval, history: { elapsed } }: CrawlPlanProblem): Warning[] {
  if (elapsed.length === 0) return [];
  const few = interval <= mostMinutes;
  if (!few && elapsed.some((each) => each < interval * farBelow)) return [];
  const gap = few ? elapsed.slice().sort()[elapsed.length >> 1] : elapsed.reduce((a, b) => Math.min(a, b));
  if (interval * farBelow > gap) return [];
  const near = units.map(([unit, seconds]) => `${interval * seconds} if ${unit} are meant`).join(', ');
  const which = few ? 'middle' : 'shortest';
  const detail = `an interval of ${duration(interval)} is far below the ${which} time between two fetches of a page in the log, ${duration(gap)}; interval is in seconds: ${near}`;
  return [{ code: 'implausible-interval', detail }];
}

function rateWarning({ changeRate }: CrawlPlanProblem): Warning[] {
  const given = changeRate.filter((rate) => !Number.isNaN(rate)).sort();
  const middle = given[Math.floor(given.length / 2)];
  const largest = given.at(-1);
  if (largest === undefined || (largest <= 1 && middle * day <= mostChangesADay)) return [];
  const rate = largest > 1 ? largest : middle;
  const perDay = Number((rate / day).toPrecision(4));
  const detail = `changeRate ${rate} means ${rate} changes a second; ${rate} a day is ${perDay}`;
  return [{ code: 'implausible-rate', detail }];
}
