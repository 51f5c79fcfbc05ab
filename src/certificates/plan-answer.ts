/**
 * An answer of crawl-plan, checked from its request. The schedule must keep what was asked. The stated costs of pages
 * must follow by quadrature from the schedule and from their rates, or from what is believed of these.
 */

import { costDefinition } from '../solvers/pages/objectives/cost-definition.ts';
import type { ObjectiveName } from '../solvers/pages/objectives/index.ts';
import { certifyConflictOf, certifyPlan } from './crawl-plan.ts';
import { beliefsOf, changedBy, type Memory, meanOf } from './pages/belief.ts';
import { type PlanRequest, planRequest } from './pages/plan-request.ts';
import { meanOfGaps, meanOverInterval, overAges, type PageFetches } from './pages/schedule-cost.ts';
import { ageBySignals } from './pages/signals.ts';
import { asksForCrawls, targetFaults } from './pages/targets.ts';
import { isObject, numberIn, numbersIn, objectAt, objectiveOf, textIn, type WireObject, WireTable } from './wire.ts';

/** What quadrature and the planner's tables may differ by, as a share of a cost. */
const tolerance = 1e-6;
/** The rate of a page without any evidence beside it: one change in 30 days. */
const unheardOf = 1 / (30 * 86_400);

export function verifyCrawlPlan(request: WireObject, answer: WireObject): string[] {
  const asks = asksForCrawls(request);
  const conflict = answer.status === 'infeasible' ? objectAt(answer, 'conflict') : null;
  if (asks && conflict?.reachable !== undefined) return [];
  if (answer.status === 'infeasible')
    return certifyConflictOf(planRequest(request, 1).problem, objectAt(answer, 'conflict'));
  const solution = objectAt(answer, 'solution');
  const schedule = new WireTable(solution.schedule, 'schedule');
  const asked = planRequest(request, schedule.length + numberIn(solution, 'idleSlots'));
  const { problem } = asked;
  const pages = new WireTable(solution.pages, 'pages', problem.weight.length);
  const byPage = fetchesOf(asked, schedule);
  if (byPage === null) return ['the schedule names a page that is none'];
  const told = asks ? undefined : { status: textIn(answer, 'status'), ...provedIn(answer) };
  const plan = {
    changeRate: pages.numbers('changeRate'),
    crawls: Uint32Array.from(pages.numbers('crawls')),
    fetchInterval: pages.numbers('fetchInterval', Number.NaN),
    nextFetch: pages.numbers('nextFetch', Number.NaN),
    slotTime: schedule.numbers('time'),
    slotCrawler: Uint32Array.from(schedule.numbers('crawler')),
    slotPage: Uint32Array.from(schedule.numbers('page')),
    idleSlots: numberIn(solution, 'idleSlots'),
    withoutCrawl: Uint32Array.from(numbersIn(solution, 'withoutCrawl')),
  };
  const faults = certifyPlan(asked, plan, told);
  const value = asks ? Number.NaN : objectiveOf(answer).value;
  const forEver = longRunFaults(problem, pages, told?.longRun?.value);
  const wrong = [...faults, ...forEver, ...costFaults(asked, pages, byPage, value)];
  return asks ? [...wrong, ...neededFaults(asked, { request, answer, pages })] : wrong;
}

/** The plan's objective and that of the long run. */
function provedIn(answer: WireObject) {
  const { longRun } = answer;
  return { objective: objectiveOf(answer), longRun: isObject(longRun) ? objectiveOf({ objective: longRun }) : null };
}

interface Believed {
  readonly rate: number;
  /** At an age. */
  readonly stale: (age: number) => number;
  readonly isBelieved: boolean;
}

/** Objectives whose cost under a belief follows from its mean and its chance to have changed. */
const averaged: ReadonlySet<ObjectiveName> = new Set<ObjectiveName>(['freshness', 'delay']);

interface Told {
  readonly request: WireObject;
  readonly answer: WireObject;
  readonly pages: WireTable;
}

/** The fetch intervals keep the target for ever, by what is known or believed of the rates, and no more than the crawls. */
function neededFaults({ problem }: PlanRequest, { request, answer, pages }: Told): string[] {
  const { weight, objective = 'freshness', interval } = problem;
  const gaps = pages.numbers('fetchInterval', Number.POSITIVE_INFINITY);
  const fetches = gaps.reduce((sum, gap) => sum + interval / gap, 0);
  const { value } = objectiveOf(answer);
  const many = fetches > value * (1 + tolerance) + 1 ? [`the intervals take ${fetches} fetches, not ${value}`] : [];
  // long-run costs of these are not told by the fetch intervals alone
  if (problem.signals !== undefined || !averaged.has(objective) || value === 0) return many;
  const believed = ratesOf(problem, pages);
  if (believed === null) return many;
  const cost = costsForEver(believed, gaps, objective);
  const left = Float64Array.from(weight, (own, i) => (own === 0 ? 0 : own * cost[i]));
  const scale = objective === 'delay' ? weight.map((own, i) => own * believed[i].rate) : weight;
  return [...many, ...targetFaults(request, answer, { left, scale })];
}

/** What pages cost a second, fetched at these gaps for ever; NaN where that is without end. */
function costsForEver(believed: readonly Believed[], gaps: Float64Array, objective: ObjectiveName): readonly number[] {
  return believed.map(({ stale, rate }, i) => {
    const gap = gaps[i];
    if (gap === Number.POSITIVE_INFINITY) return objective === 'freshness' ? 1 : Number.NaN;
    if (objective === 'delay') return (rate * gap) / 2;
    if (!averaged.has(objective)) return costDefinition(objective).over(rate, gap) / gap;
    return overAges(stale, 0, gap) / gap;
  });
}

/** Where every page has a fetch interval: what the long run is said to cost follows from these. */
function longRunFaults(problem: PlanRequest['problem'], pages: WireTable, told: number | undefined): string[] {
  const { weight, objective = 'freshness', signals } = problem;
  const gaps = pages.numbers('fetchInterval', Number.NaN);
  const believed = ratesOf(problem, pages);
  if (told === undefined || signals !== undefined || believed === null || gaps.some(Number.isNaN)) return [];
  if (!averaged.has(objective) && believed.some(({ isBelieved }) => isBelieved)) return [];
  const cost = costsForEver(believed, gaps, objective);
  const sum = weight.reduce((all, own, i) => all + own * cost[i], 0);
  return Math.abs(sum - told) <= tolerance * sum ? [] : [`the long run costs ${sum}, not ${told}`];
}

/**
 * Each page's rate and its chance of being stale at an age; null where beliefs are not told by the request alone. Of a
 * page with signals the rate is the one it is said to have.
 */
function ratesOf({ changeRate, history, signals }: PlanRequest['problem'], pages: WireTable): Believed[] | null {
  const told = pages.numbers('changeRate');
  const given = changeRate.filter((rate) => !Number.isNaN(rate));
  const expected = given.length > 0 ? given.reduce((sum, rate) => sum + rate / given.length, 0) : unheardOf;
  const beliefs = given.length === changeRate.length ? null : beliefsOf(history, expected);
  if (beliefs === null && given.length < changeRate.length) return null;
  return Array.from(changeRate, (own, i) => {
    const known = Number.isNaN(own) && !Number.isNaN(signals?.precision[i] ?? Number.NaN) ? told[i] : own;
    const memories: readonly Memory[] = Number.isNaN(known) ? (beliefs?.[i] ?? []) : [];
    const rate = memories.length > 0 ? meanOf(memories) : known;
    const stale = (age: number): number => (memories.length > 0 ? changedBy(memories, age) : -Math.expm1(-rate * age));
    return { rate, stale, isBelieved: memories.length > 0 };
  });
}

/** Every page's fetches; null where the schedule names a page that is none. */
function fetchesOf({ problem }: PlanRequest, schedule: WireTable): PageFetches[] | null {
  const { now, interval, lastCrawl, objective } = problem;
  const times = Array.from(lastCrawl, (): number[] => []);
  const at = schedule.numbers('time');
  for (const [k, page] of schedule.numbers('page').entries()) {
    if (!(page >= 0 && page < times.length)) return null;
    times[page].push(at[k] - now);
  }
  const never = objective === 'freshness' ? Number.POSITIVE_INFINITY : 0;
  return Array.from(lastCrawl, (last, i) => ({
    times: times[i],
    age: Number.isNaN(last) ? never : Math.max(0, now - last),
    interval,
  }));
}

/** Staleness, delay and age page by page, and their sum, against the schedule. */
function costFaults(
  { problem }: PlanRequest,
  pages: WireTable,
  fetches: readonly PageFetches[],
  value: number,
): string[] {
  const { weight, objective = 'freshness', lastCrawl, signals } = problem;
  const believed = ratesOf(problem, pages);
  if (believed === null) return [];
  const staleness = pages.numbers('staleness');
  const waiting = pages.numbers('meanDelay', Number.NaN);
  const faults: string[] = [];
  let sum = 0;
  for (const [i, plain] of fetches.entries()) {
    const { rate, stale, isBelieved } = believed[i];
    const never = Number.isNaN(lastCrawl[i]);
    const copy = { since: never ? Number.POSITIVE_INFINITY : plain.age, rate };
    const share = meanOverInterval(stale, { ...plain, age: ageBySignals(signals, i, copy, 'staleness') }, 1);
    const own = never ? plain : { ...plain, age: ageBySignals(signals, i, copy, 'changes') };
    const off = Math.abs(share - staleness[i]) > tolerance;
    if (off) faults.push(`page ${i} is stale for ${share} of the interval, not ${staleness[i]}`);
    if (objective === 'freshness') sum += weight[i] * share;
    if (objective === 'delay') {
      sum += weight[i] * meanOverInterval((age) => rate * age, own, 0);
      const waits = meanOverInterval((age) => age, plain, 0);
      if (!(Math.abs(waits - waiting[i]) <= tolerance * waits)) faults.push(`changes of page ${i} wait ${waits}`);
    }
    if (averaged.has(objective)) continue;
    if (isBelieved) return faults;
    const { over } = costDefinition(objective);
    sum += weight[i] * meanOfGaps((from, to) => over(rate, to) - over(rate, from), own, 0);
  }
  // the objective of a target is its crawls
  if (!Number.isNaN(value) && Math.abs(sum - value) > tolerance * Math.abs(value))
    faults.push(`the objective is ${sum}, not ${value}`);
  return faults;
}
