/**
 * Values that fit the model and are surely not meant: hosts that no page has, an interval or rates in another unit,
 * interval and crawls in each other's place. A plan is made all the same; the warning says what was likely meant.
 */
import type { Warning } from '../../answer.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { duration } from '../spans.ts';

/** An interval so many times below the time between two fetches is in another unit. */
const farBelow = 100;
/** The minutes of a day: people who count in minutes, hours or days write no larger number. */
const mostMinutes = 1440;
/** More changes a day than this are no page's, in the middle of all pages with a given rate. */
const mostChangesADay = 1000;
const day = 86_400;
const units = [
  ['minutes', 60],
  ['hours', 3600],
  ['days', day],
] as const;

/** The warnings of a problem as a whole. Time O(pages + checks + hosts). */
export function suspectInputs(problem: CrawlPlanProblem): Warning[] {
  return [...hostWarnings(problem), ...swappedWarning(problem), ...intervalWarning(problem), ...rateWarning(problem)];
}

function hostWarnings({ host, hostName, hostWithin }: CrawlPlanProblem): Warning[] {
  if (hostName.length === 0) return [];
  const pages = new Uint32Array(hostName.length);
  let unlisted = 0;
  for (const h of host) {
    for (let g = h; g >= 0; g = hostWithin?.[g] ?? -1) pages[g]++;
    if (h < 0) unlisted++;
  }
  const empty = hostName.filter((_, h) => pages[h] === 0);
  const warnings: Warning[] = [];
  if (empty.length > 0) {
    const named = empty
      .slice(0, 5)
      .map((name) => JSON.stringify(name))
      .join(', ');
    const more = empty.length > 5 ? ` and ${empty.length - 5} more` : '';
    warnings.push({
      code: 'host-without-pages',
      detail: `no page has the host ${named}${more}: its limits bind nothing; a page's host must be written the same`,
    });
  }
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
function swappedWarning({ interval, slotsByCrawler, costs }: CrawlPlanProblem): Warning[] {
  const crawls = slotsByCrawler.reduce((sum, each) => sum + each, 0);
  if (costs !== undefined || crawls < 3600 || crawls % 3600 !== 0 || interval * 100 > crawls) return [];
  const detail = `${crawls} crawls in ${interval} s look swapped: interval ${crawls} (${duration(crawls)}) with ${interval} crawls?`;
  return [{ code: 'implausible-interval', detail }];
}

/** An interval far below every gap of the log, or one in small numbers far below the middle gap. */
function intervalWarning({ interval, history: { elapsed } }: CrawlPlanProblem): Warning[] {
  if (elapsed.length === 0) return [];
  const few = interval <= mostMinutes;
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
