/**
 * An allocation: counts within the limits of pages and hosts that sum to the crawls, the staleness of every page by the
 * formula for even gaps (Wolf et al. 2002, section 2.3), its sum, and the target where there is one. The best places of
 * crawls of a page of possible times are not found again: its staleness is checked where the answer says the times.
 */
import type { Findings } from './findings.ts';
import { checkHostCounts, hostLimitsOf } from './hosts.ts';
import {
  gapCost,
  meanCost,
  meanMeasure,
  objectiveName,
  type PageProcess,
  processesOf,
  targetOf,
} from './page-costs.ts';
import { readNumber, readNumbers, readObject, sumOf, type WireObject, WireTable } from './wire.ts';

/** Tolerance of a share of time, absolute. */
const rounding = 1e-9;

export function checkAllocation(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.pages, 'pages');
  const solution = readObject(answer, 'solution');
  const pages = new WireTable(solution.pages, 'pages', rows.length);
  const crawls = pages.numbers('crawls');
  checkCounts(request, solution, rows, crawls, findings);
  const interval = readNumber(request, 'interval');
  const objective = objectiveName(request);
  const processes = processesOf(rows);
  const [age, weight] = [rows.numbers('lastCrawlAge', Number.NaN), rows.numbers('weight', 1)];
  const reportedStaleness = pages.numbers('staleness');
  const times = pages.lists('idealTimes').map((list) => (list === null ? null : readNumbers({ list }, 'list')));
  const delays = pages.has('meanDelay') ? pages.numbers('meanDelay') : null;
  const weightedCost = new Float64Array(rows.length);
  const scale = new Float64Array(rows.length);
  for (const [i, process] of processes.entries()) {
    const of = `page ${i}`;
    const own = { count: crawls[i], age: age[i], interval };
    const idealTimes = times[i];
    if (idealTimes !== null) checkTimes(idealTimes, crawls[i], interval, of, findings);
    const stale = staleness('freshness', objective, process, own, idealTimes) ?? reportedStaleness[i];
    findings.compare('solution.pages.staleness', reportedStaleness[i], stale, { of, size: 1 });
    const cost = staleness(objective, objective, process, own, idealTimes) ?? reportedStaleness[i];
    if (process.type === 'times' && idealTimes === null) findings.markUnchecked('solution.pages.staleness');
    if (idealTimes !== null && process.type === 'renewal' && !Number.isNaN(age[i])) {
      const realisedCost = meanCost(objective, process, { times: idealTimes, age: age[i], interval });
      const right = Math.abs(realisedCost - cost) <= rounding * Math.max(1, cost);
      findings.expect('solution.pages.idealTimes', right, `the times of ${of} realise ${realisedCost}, not ${cost}`);
    } else if (idealTimes !== null) findings.markUnchecked('solution.pages.idealTimes');
    if (delays !== null && process.type === 'renewal') {
      findings.compare('solution.pages.meanDelay', delays[i], cost * process.meanGap, { of });
    }
    weightedCost[i] = weight[i] * cost;
    scale[i] = objective === 'delay' && process.type === 'renewal' ? weight[i] / process.meanGap : weight[i];
  }
  const target = targetOf(request);
  const { value } = readObject(answer, 'objective');
  if (target === null) {
    findings.compare('objective.value', value, sumOf(weightedCost), { size: sumOf(weight) });
    return;
  }
  const mean = meanMeasure(weightedCost, scale);
  findings.compare('objective.value', value, sumOf(crawls));
  findings.expect(
    'solution.pages.crawls',
    mean <= target.limit * (1 + rounding) + rounding,
    `pages are left with ${mean} in the mean, above the target ${target.limit}`,
  );
}

/**
 * The mean cost of a page by a measure at the even gaps that an objective asks for: the staleness A(x) by freshness.
 * Null for a quasi-deterministic page whose crawl times are not in the answer.
 */
function staleness(
  measure: string,
  objective: string,
  process: PageProcess,
  { count, age, interval }: { readonly count: number; readonly age: number; readonly interval: number },
  idealTimes: Float64Array | null,
): number | null {
  if (process.type === 'times')
    return idealTimes === null ? null : meanCost(measure, process, { times: idealTimes, age, interval });
  const cost = gapCost(measure, process);
  // under objectives other than freshness the crawls of a page never crawled are evenly spaced from time 0
  const began = Number.isNaN(age) && objective !== 'freshness' ? 0 : age;
  if (count * began <= interval) {
    const first = (interval - count * began) / (count + 1);
    const firstCost = Number.isNaN(age) && measure === 'freshness' ? first : cost(began, first);
    return (firstCost + count * cost(0, (interval + began) / (count + 1))) / interval;
  }
  return count === 0 ? 1 : (count * cost(0, interval / count)) / interval;
}

function checkTimes(times: Float64Array, count: number, interval: number, of: string, findings: Findings): void {
  const field = 'solution.pages.idealTimes';
  findings.expect(field, times.length === count, `${of} has ${times.length} times for ${count} crawls`);
  const areOrdered = times.every((time, j) => time >= 0 && time <= interval && (j === 0 || time >= times[j - 1]));
  findings.expect(field, areOrdered, `times of ${of} do not increase within the interval`);
}

function checkCounts(
  request: WireObject,
  solution: WireObject,
  rows: WireTable,
  crawls: Float64Array,
  findings: Findings,
): void {
  const field = 'solution.pages.crawls';
  const [minCrawls, maxCrawls] = [rows.numbers('minCrawls', 0), rows.numbers('maxCrawls', Number.POSITIVE_INFINITY)];
  for (const [i, x] of crawls.entries()) {
    const inside = Number.isInteger(x) && x >= minCrawls[i] && x <= maxCrawls[i];
    findings.expect(field, inside, `page ${i} has ${x} crawls, outside ${minCrawls[i]} to ${maxCrawls[i]}`);
  }
  const sum = sumOf(crawls);
  if (solution.crawls !== undefined) findings.compare('solution.crawls', solution.crawls, sum);
  if (targetOf(request) === null) {
    const crawlTotal = readNumber(request, 'crawls');
    findings.expect(field, sum === crawlTotal, `${sum} crawls are given out instead of ${crawlTotal}`);
  }
  checkHostCounts(hostLimitsOf(request, rows), crawls, field, findings);
}
