/**
 * A schedule of one interval: slots are the crawlers' own and used once, pages and hosts keep their limits and delays,
 * the staleness of every page follows from its crawls by the formula, and the objective is the sum.
 */
import type { Findings } from './findings.ts';
import { checkDelays, checkHostCounts, hostLimitsOf } from './hosts.ts';
import { meanCost, processesOf } from './page-costs.ts';
import { checkSlots } from './slots.ts';
import {
  readList,
  readNumber,
  readNumbers,
  readObject,
  sumOf,
  type WireObject,
  WireTable,
  warningCodes,
} from './wire.ts';

export function checkSchedule(request: WireObject, answer: WireObject, findings: Findings): void {
  const interval = readNumber(request, 'interval');
  const counts = Float64Array.from(readList(request, 'crawlers'), (crawler) => {
    const { slots, crawlTime } = readObject(crawler);
    return typeof slots === 'number' ? slots : Math.floor((interval / Number(crawlTime)) * (1 + 1e-12));
  });
  const rows = new WireTable(request.pages, 'pages');
  const solution = readObject(answer, 'solution');
  const schedule = new WireTable(solution.schedule, 'schedule');
  const pages = new WireTable(solution.pages, 'pages', rows.length);
  const times = checkSlots(schedule, { counts, start: 0, interval }, rows.length, findings);
  if (times === null) return;
  findings.compare('solution.idleSlots', solution.idleSlots, sumOf(counts) - schedule.length);
  checkPages(request, { rows, pages, times, interval }, answer, findings);
  const hosts = hostLimitsOf(request, rows);
  const last = rows.numbers('lastCrawlAge', Number.NaN).map((age) => -age);
  const crawlCounts = times.map(({ length }) => length);
  checkHostCounts(hosts, crawlCounts, 'solution.schedule.page', findings);
  checkDelays(hosts, times, last, 1e-9 * interval, findings);
}

interface ScheduledPages {
  readonly rows: WireTable;
  readonly pages: WireTable;
  readonly times: readonly (readonly number[])[];
  readonly interval: number;
}

function checkPages(
  request: WireObject,
  { rows, pages, times, interval }: ScheduledPages,
  answer: WireObject,
  findings: Findings,
): void {
  const [minCrawls, maxCrawls] = [rows.numbers('minCrawls', 0), rows.numbers('maxCrawls', Number.POSITIVE_INFINITY)];
  const [age, weight] = [rows.numbers('lastCrawlAge', Number.NaN), rows.numbers('weight', 1)];
  const [crawls, staleness] = [pages.numbers('crawls'), pages.numbers('staleness')];
  const answerTimes = pages.lists('times').map((list) => readNumbers({ list: list ?? [] }, 'list'));
  const short = warningCodes(answer).includes('crawls-unplaced');
  const processes = processesOf(rows);
  let sum = 0;
  for (const [i, own] of times.entries()) {
    const of = `page ${i}`;
    findings.compare('solution.pages.crawls', crawls[i], own.length, { of });
    const inside = own.length <= maxCrawls[i] && (short || own.length >= minCrawls[i]);
    const limits = `${minCrawls[i]} to ${maxCrawls[i]}`;
    findings.expect('solution.pages.crawls', inside, `${of} has ${own.length} crawls, outside ${limits}`);
    const areTimes = own.join() === answerTimes[i].join();
    findings.expect('solution.pages.times', areTimes, `${of} is crawled at ${own}, not at ${answerTimes[i]}`);
    const stale = meanCost('freshness', processes[i], { times: own, age: age[i], interval });
    findings.compare('solution.pages.staleness', staleness[i], stale, { of, size: 1 });
    sum += weight[i] * stale;
  }
  findings.compare('objective.value', readObject(answer, 'objective').value, sum, { size: sumOf(weight) });
  const crawlGoal = request.crawls;
  const crawlCount = sumOf(times.map(({ length }) => length));
  if (typeof crawlGoal === 'number' && !short) {
    const fault = `${crawlCount} crawls are made instead of ${crawlGoal}`;
    findings.expect('solution.schedule.page', crawlCount === crawlGoal, fault);
  }
}
