/**
 * The cost of staleness by the formulas of the contract: C(τ), the cumulative cost of a copy up to age τ. It shares the
 * distributions with the solvers, and no method.
 *
 *   freshness  C(τ) = (τ·E min(X, τ) − ½·E min(X, τ)²)/E X, for a Poisson process and any renewal process
 *   delay      C(τ) = λτ²/2
 *   harmonic   C(τ) = τ·ln(1 + λτ)
 *
 * For a copy of great age a the difference C(a + d) − C(a) would cancel, so the cost of a gap has a formula of its own.
 */
import { createLaw } from '../solvers/laws/create-law.ts';
import { distributionOf } from './laws.ts';
import {
  isObject,
  MalformedInput,
  readNumber,
  readNumbers,
  readText,
  sumOf,
  type WireObject,
  type WireTable,
} from './wire.ts';

/** C(age + length) − C(age): the cost of a copy while its age grows by `length`. */
export type GapCost = (age: number, length: number) => number;

/** How a page changes, as the request states it. */
export type PageProcess =
  | {
      readonly type: 'renewal';
      readonly meanGap: number;
      /** Expected stale time of a gap. */
      readonly staleTime: GapCost;
    }
  | {
      readonly type: 'times';
      readonly times: Float64Array;
      readonly probabilities: Float64Array;
      /** Probability of being stale at the start; NaN if not given. */
      readonly staleAtStart: number;
    };

export const objectiveName = (request: WireObject): string => readText(request, 'objective', 'freshness');

/** The cost of a gap of a renewal page under an objective. */
export function gapCost(objective: string, { meanGap, staleTime }: Extract<PageProcess, { type: 'renewal' }>): GapCost {
  if (objective === 'freshness') return staleTime;
  if (objective === 'delay') return (age, length) => (length * (2 * age + length)) / meanGap / 2;
  if (objective === 'harmonic')
    return (age, length) => length * Math.log1p((age + length) / meanGap) + age * Math.log1p(length / (meanGap + age));
  throw new MalformedInput(`the objective is ${objective}, none that is known`);
}

const parameters = ['rate', 'shape', 'scale', 'mu', 'sigma', 'value', 'times', 'probabilities', 'staleAtStart'];

/** The process of every page: `changeRate`, `updates`, or the columns `process` with its parameters. */
export function processesOf(pages: WireTable): PageProcess[] {
  const [rates, updatesColumn, processes] = ['changeRate', 'updates', 'process'].map((name) => pages.values(name));
  const cells = parameters.map((name) => [name, pages.values(name)] as const);
  const processByText = new Map<string, PageProcess>();
  return Array.from({ length: pages.length }, (_, i) => {
    const [rate, updates, process] = [rates[i], updatesColumn[i], processes[i]];
    const own = Object.fromEntries(cells.map(([name, all]) => [name, all[i]]));
    const isLaw = process !== 'poisson' && process !== 'quasi-deterministic';
    let statedProcess: WireObject;
    if (typeof rate === 'number') statedProcess = { type: 'poisson', rate };
    else if (isObject(updates)) statedProcess = updates;
    else if (typeof process !== 'string') {
      throw new MalformedInput(`page ${i} must have changeRate, updates or process`);
    } else
      statedProcess = isLaw ? { type: 'renewal', distribution: { ...own, type: process } } : { ...own, type: process };
    const text = JSON.stringify(statedProcess);
    const pageProcess = processByText.get(text) ?? processOf(statedProcess, i);
    processByText.set(text, pageProcess);
    return pageProcess;
  });
}

function processOf(updates: WireObject, page: number): PageProcess {
  const type = readText(updates, 'type');
  if (type === 'quasi-deterministic') {
    const [times, probabilities] = ['times', 'probabilities'].map((name) => readNumbers(updates, name));
    if (times.length !== probabilities.length) throw new MalformedInput(`page ${page} has a time without a chance`);
    return { type: 'times', times, probabilities, staleAtStart: readNumber(updates, 'staleAtStart', Number.NaN) };
  }
  if (type !== 'poisson' && type !== 'renewal')
    throw new MalformedInput(`page ${page} changes in an unknown way, ${type}`);
  const law = createLaw(
    type === 'poisson'
      ? { type: 'exponential', rate: readNumber(updates, 'rate') }
      : distributionOf(updates, 'distribution'),
  );
  const staleTime = (age: number, length: number): number => {
    const [start, end] = [law.truncatedMean(age), age + length];
    // ∫ (end − v)·P(X > v) dv over the gap, which lies between ½·length²·P(X > end) and ½·length²·P(X > age)
    const excess =
      end * (law.truncatedMean(end) - start) - (law.truncatedSecondMoment(end) - law.truncatedSecondMoment(age)) / 2;
    const [lower, upper] = [end, age].map((t) => (length * length * law.survival(t)) / 2);
    return (length * start + Math.min(Math.max(excess, lower), upper)) / law.mean;
  };
  return { type: 'renewal', meanGap: law.mean, staleTime };
}

/** A page's crawls within an interval, and the age of its copy at the start (NaN if never crawled). */
export interface CrawlHistory {
  readonly times: ArrayLike<number>;
  readonly age: number;
  readonly interval: number;
}

/** The mean cost of a page over the interval with these crawls. */
export function meanCost(objective: string, process: PageProcess, history: CrawlHistory): number {
  if (process.type === 'times') return staleByTimes(process, history);
  const cost = gapCost(objective, process);
  const { times, age, interval } = history;
  // a page never crawled is stale under freshness; under the other objectives its costs start at time 0
  let isStale = Number.isNaN(age) && objective === 'freshness';
  let sum = 0;
  let [previousTime, startAge] = [0, Number.isNaN(age) ? 0 : age];
  for (const time of [...Array.from(times), interval]) {
    const length = time - previousTime;
    sum += isStale ? length : cost(startAge, length);
    [previousTime, startAge, isStale] = [time, 0, false];
  }
  return sum / interval;
}

/** The mean staleness of a quasi-deterministic page, whose staleness is constant between update times and crawls. */
function staleByTimes(
  { times, probabilities, staleAtStart }: Extract<PageProcess, { type: 'times' }>,
  { times: crawls, age, interval }: CrawlHistory,
): number {
  let fresh = 1 - startStaleness(times, probabilities, staleAtStart, { age, interval });
  const events = [
    ...Array.from(times, (time, k) => ({ time, keptShare: 1 - probabilities[k], crawl: false })),
    ...Array.from(crawls, (time) => ({ time, keptShare: 0, crawl: true })),
  ].sort((a, b) => a.time - b.time || Number(a.crawl) - Number(b.crawl));
  let [sum, previousTime] = [0, 0];
  for (const { time, keptShare, crawl } of [...events, { time: interval, keptShare: 1, crawl: false }]) {
    sum += (time - previousTime) * (1 - fresh);
    fresh = crawl ? 1 : fresh * keptShare;
    previousTime = time;
  }
  return sum / interval;
}

/** Probability of being stale at the start: as given; else 1 if never crawled; else by the updates since the crawl. */
function startStaleness(
  times: Float64Array,
  probabilities: Float64Array,
  statedShare: number,
  { age, interval }: Pick<CrawlHistory, 'age' | 'interval'>,
): number {
  if (!Number.isNaN(statedShare)) return statedShare;
  if (Number.isNaN(age)) return 1;
  let logFresh = 0;
  for (const [k, time] of times.entries()) {
    const updateCount = Math.ceil((age + time) / interval) - 1;
    if (updateCount > 0 && probabilities[k] > 0) logFresh += updateCount * Math.log1p(-probabilities[k]);
  }
  return -Math.expm1(logFresh);
}

/** The target's measure and its upper limit (freshness as 1 − freshness); null without a target. */
export function targetOf(request: WireObject): { readonly measure: string; readonly limit: number } | null {
  const { target } = request;
  if (!isObject(target)) return null;
  const measure = Object.keys(target).find((name) => typeof target[name] === 'number');
  if (measure === undefined) throw new MalformedInput('the target has no number');
  const value = readNumber(target, measure);
  return { measure, limit: measure === 'freshness' ? 1 - value : value };
}

/**
 * The mean of a target's measure over the pages: Σ cost/Σ scale, where scale[i] is the cost of page i at measure 1.
 */
export function meanMeasure(costs: ArrayLike<number>, scale: ArrayLike<number>): number {
  const scaleTotal = sumOf(scale);
  return scaleTotal > 0 ? sumOf(costs) / scaleTotal : 0;
}
