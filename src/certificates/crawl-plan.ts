/**
 * A plan: slots used once and at their times, minInterval, maxInterval to within one slot, delays and notBefore of
 * hosts and pages, counts and next fetches as scheduled. Where change rates are given the staleness of every page
 * follows from its fetches by the formula. Where rates are estimated the answer's staleness is taken as given: the
 * rates are not estimated again. The objective is the sum over the pages either way.
 */
import { checkObjective, type Findings } from './findings.ts';
import { checkDelays, type HostLimits, hostLimitsOf } from './hosts.ts';
import { meanCost, objectiveName, type PageProcess, processesOf, targetOf } from './page-costs.ts';
import { checkSlots } from './slots.ts';
import { isObject, readList, readNumber, readNumbers, readObject, type WireObject, WireTable } from './wire.ts';

/** Relative tolerance for costs that the solver interpolates in tables. */
const tolerance = 1e-6;

export function checkPlan(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.pages, 'pages');
  const solution = readObject(answer, 'solution');
  const schedule = new WireTable(solution.schedule, 'schedule');
  const pages = new WireTable(solution.pages, 'pages', rows.length);
  const [now, interval] = ['now', 'interval'].map((name) => readNumber(request, name));
  const counts = slotsOf(request, solution, schedule.length);
  const times = checkSlots(schedule, { counts, start: now, interval }, rows.length, findings);
  if (times === null) return;
  const rules = rulesOf(request, rows, now);
  // windows close slots: how long the pauses between the open ones are is not computed again
  const slotGap = Math.max(...Array.from(counts, (count) => interval / Math.max(1, count)));
  const pause = request.windows === undefined ? slotGap : Number.POSITIVE_INFINITY;
  const plan = { times, now, interval, pause };
  checkIntervals(plan, rules, findings);
  checkDelays(rules.hosts, times, rules.lastCrawl, slackOf(plan), findings);
  checkPages(plan, pages, solution, findings);
  if (isObject(answer.longRun)) checkObjective(findings, answer.longRun, 'longRun');
  checkCosts(request, { rows, pages, lastCrawl: rules.lastCrawl }, plan, answer, findings);
}

interface Plan {
  /** Fetches by page. */
  readonly times: readonly (readonly number[])[];
  readonly now: number;
  readonly interval: number;
  /** Longest time between two slots: the tolerance of deadlines. Infinity: deadlines are not checked. */
  readonly pause: number;
}

interface Rules {
  readonly lastCrawl: Float64Array;
  readonly minInterval: Float64Array;
  readonly maxInterval: Float64Array;
  readonly notBefore: Float64Array;
  readonly hosts: HostLimits;
}

/** The slots of every crawler; a plan for a target has as many as are used and idle. */
function slotsOf(request: WireObject, solution: WireObject, usedSlots: number): Float64Array {
  if (request.crawlers !== undefined) {
    return Float64Array.from(readList(request, 'crawlers'), (crawler) => readNumber(readObject(crawler), 'slots'));
  }
  return Float64Array.of(readNumber(request, 'crawls', usedSlots + readNumber(solution, 'idleSlots', 0)));
}

function rulesOf(request: WireObject, rows: WireTable, now: number): Rules {
  const own = (name: string, absent: number): Float64Array => {
    const common = readNumber(request, name, absent);
    return rows.numbers(name, Number.NaN).map((value) => (Number.isNaN(value) ? common : value));
  };
  const lastSuccesses = rows.lists('observations').map((list) => lastSuccess(list ?? []));
  const hosts = hostLimitsOf(request, rows);
  const hostFrom = hosts.limit('notBefore', Number.NEGATIVE_INFINITY);
  const notBefore = rows.numbers('notBefore', Number.NEGATIVE_INFINITY).map((time, i) => {
    const host = hosts.of[i];
    return Math.max(now, time, host < 0 ? Number.NEGATIVE_INFINITY : hostFrom[host]);
  });
  return {
    lastCrawl: rows
      .numbers('lastCrawl', Number.NaN)
      .map((time, i) => Math.min(Number.isNaN(time) ? lastSuccesses[i] : time, now)),
    minInterval: own('minInterval', 0),
    maxInterval: own('maxInterval', Number.POSITIVE_INFINITY),
    notBefore,
    hosts,
  };
}

/** Time of the last successful fetch of a page; NaN if there is none. */
function lastSuccess(observations: readonly unknown[]): number {
  return observations.filter(isObject).reduce((last: number, observation) => {
    const status = readNumber(observation, 'status', 200);
    const time = readNumber(observation, 'time');
    return (status === 304 || (status >= 200 && status <= 299)) && !(last >= time) ? time : last;
  }, Number.NaN);
}

/** Rounding of the clock, in seconds. */
const slackOf = ({ now, interval }: Plan): number => 1e-9 * interval + 1e-14 * Math.abs(now) + 1e-9;

/** Checks minInterval, notBefore, and maxInterval to within one pause between slots. */
export function checkIntervals(plan: Plan, rules: Rules, findings: Findings): void {
  const { times, now, interval, pause } = plan;
  const { lastCrawl, minInterval, maxInterval, notBefore } = rules;
  const slack = slackOf(plan);
  const field = 'solution.schedule.time';
  for (const [i, own] of times.entries()) {
    let last = lastCrawl[i];
    // a page that is new, or overdue at now, counts from now
    const from = last + maxInterval[i] >= now ? last : now;
    let due = Math.max(from + maxInterval[i], notBefore[i]);
    for (const time of own) {
      findings.expect(field, time >= notBefore[i] - slack, `page ${i} is fetched at ${time}, before ${notBefore[i]}`);
      const isSpaced = Number.isNaN(last) || time - last >= minInterval[i] - slack;
      findings.expect(field, isSpaced, `page ${i} is fetched ${time - last} s after the last`);
      findings.expect(field, time <= due + pause + slack, `page ${i} waits until ${time}, due ${due}`);
      [last, due] = [time, Math.min(time, due) + maxInterval[i]];
    }
    findings.expect(field, due + pause + slack >= now + interval, `page ${i} is not fetched by ${due}`);
  }
}

/** Checks counts, next fetches and the pages without a fetch against the schedule. */
export function checkPages(plan: Plan, pages: WireTable, solution: WireObject, findings: Findings): void {
  const { times, now, interval } = plan;
  const [crawls, next] = [pages.numbers('crawls'), pages.numbers('nextFetch', Number.NaN)];
  for (const [i, own] of times.entries()) {
    findings.compare('solution.pages.crawls', crawls[i], own.length, { of: `page ${i}` });
    const right = own.length > 0 ? next[i] === own[0] : !(next[i] < now + interval * (1 - 1e-9));
    findings.expect('solution.pages.nextFetch', right, `page ${i} is next fetched at ${own[0]}, not ${next[i]}`);
  }
  const unfetchedPages = Array.from(times.keys()).filter((i) => times[i].length === 0);
  const namedPages = readNumbers(solution, 'withoutCrawl');
  const areNamed = namedPages.join() === unfetchedPages.join();
  findings.expect('solution.withoutCrawl', areNamed, `${unfetchedPages} have no fetch, not ${namedPages}`);
}

interface ReportedPlan {
  readonly rows: WireTable;
  readonly pages: WireTable;
  readonly lastCrawl: Float64Array;
}

function checkCosts(
  request: WireObject,
  { rows, pages, lastCrawl }: ReportedPlan,
  { times, now, interval }: Plan,
  answer: WireObject,
  findings: Findings,
): void {
  const objective = objectiveName(request);
  const rates = rows.numbers('changeRate', Number.NaN);
  const staleness = pages.numbers('staleness');
  const answerRates = pages.numbers('changeRate');
  const weight = rows.numbers('weight', 1);
  const gaps = pages.numbers('fetchInterval', Number.NaN);
  const delays = pages.has('meanDelay') ? pages.numbers('meanDelay', Number.NaN) : null;
  const hasSignals = rows.has('signals');
  const isRateGiven = (i: number): boolean => !Number.isNaN(rates[i]) && !hasSignals;
  let [sum, forEver] = [0, 0];
  for (const [i, own] of times.entries()) {
    const of = `page ${i}`;
    if (isRateGiven(i)) {
      const history = { times: own.map((time) => time - now), age: now - lastCrawl[i], interval };
      const [process] = processesOf(new WireTable({ changeRate: [rates[i]] }, 'pages')) as [PageProcess];
      const stale = meanCost('freshness', process, history);
      findings.compare('solution.pages.staleness', staleness[i], stale, { of, tolerance, size: 1 });
      findings.compare('solution.pages.changeRate', answerRates[i], rates[i], { of });
      const cost = meanCost(objective, process, history);
      if (delays !== null) findings.compare('solution.pages.meanDelay', delays[i], cost / rates[i], { of, tolerance });
      sum += weight[i] * cost;
      forEver += weight[i] * meanCost(objective, process, { times: [], age: 0, interval: gaps[i] });
    } else {
      for (const field of ['changeRate', 'staleness', 'meanDelay']) findings.markUnchecked(`solution.pages.${field}`);
      sum += objective === 'freshness' ? weight[i] * staleness[i] : Number.NaN;
      forEver = Number.NaN;
    }
  }
  if (isObject(answer.longRun) && !Number.isNaN(forEver))
    findings.compare('longRun.value', answer.longRun.value, forEver, { tolerance });
  if (targetOf(request) !== null || Number.isNaN(sum)) return;
  findings.compare('objective.value', readObject(answer, 'objective').value, sum, { tolerance });
}
