/**
 * What would mend a plan's conflict, with the numbers: by how much longer the longest intervals would have to be, or
 * how many more slots, or how much more to spend, or how much shorter a host's delay, so that the check which found the
 * conflict finds none.
 *
 * Each by bisection on that very check, to a hundredth, to a thousandth where pages are few, rounded to the safe side;
 * other means stay as they are. O(twenty checks a means). Stopped early, or where no factor up to a thousand will do,
 * it names the means alone.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { openSlots } from './availability.ts';
import { budgetConflict } from './budget-conflict.ts';
import { type CrawlSlots, mergeSlots } from './crawl-slots.ts';
import { deadlineConflict } from './deadline-conflict.ts';
import type { CrawlPlanProblem, PlanConflict, PlanRepair } from './plan-problem.ts';

const largestFactor = 1000;
/** The most crawls a plan takes. */
export const maxPlanCrawls = 5_000_000;
const fewPages = 1000;

/** What a conflict is looked for in. */
export interface ConflictSearch {
  readonly problem: CrawlPlanProblem;
  readonly slots: CrawlSlots;
  readonly age: Float64Array;
  /** By page; null where rates are not estimated yet, and no fetch has a cost. */
  readonly rate: Float64Array | null;
}

/** What cannot be kept of the longest intervals, without its repair: by the budget, by the slots, by a host. */
export function planConflict({ problem, slots, age, rate }: ConflictSearch, budget: Budget): PlanConflict | null {
  const unpaid = rate === null ? null : budgetConflict(problem, rate, slots, age);
  return unpaid ?? deadlineConflict(problem, slots, age, budget);
}

/** The conflict with its repair. */
export function withRepair(conflict: PlanConflict, search: ConflictSearch, budget: Budget): PlanConflict {
  const { problem } = search;
  const clashWith = (changed: Partial<ConflictSearch>): PlanConflict | null =>
    planConflict({ ...search, ...changed }, budget);
  const precision = problem.weight.length <= fewPages ? 0.001 : 0.01;
  const longer = leastFactor(
    (k) => clashWith({ problem: { ...problem, maxInterval: problem.maxInterval.map((m) => m * k) } }) === null,
    precision,
  );
  const intervals: PlanRepair[] =
    longer === null ? [] : [{ change: 'maxInterval', factor: longer, to: null, host: null }];
  const means =
    conflict.host === null
      ? repairsByMeans(conflict, search, clashWith, precision)
      : repairsByHost(conflict, search, clashWith, precision);
  const repairs = [...intervals, ...means.repairs];
  const said = repairs.map(wordsOf);
  if (longer === null) said.unshift('raise maxInterval of the pages named');
  if (means.repairs.length === 0) said.push(means.otherwise);
  return { ...conflict, repair: said.join(', or '), repairs };
}

interface Means {
  readonly repairs: readonly PlanRepair[];
  /** What to say where no number was found. */
  readonly otherwise: string;
}

type ClashWith = (changed: Partial<ConflictSearch>) => PlanConflict | null;

/** More slots, or more to spend. */
function repairsByMeans(
  { costNeeded }: PlanConflict,
  { problem }: ConflictSearch,
  clashWith: ClashWith,
  precision: number,
): Means {
  const { costs, interval, availability } = problem;
  const scaled = (k: number): CrawlPlanProblem => ({
    ...problem,
    slotsByCrawler: problem.slotsByCrawler.map((count) => Math.ceil(count * k)),
    costs: costs && { ...costs, budget: costs.budget * k },
  });
  const total = (k: number): number => scaled(k).slotsByCrawler.reduce((sum, count) => sum + count, 0);
  const factor = leastFactor((k) => {
    // more slots than a plan can have are no repair, and would not fit into memory
    if (total(k) > maxPlanCrawls) return false;
    const more = scaled(k);
    const slots = openSlots(mergeSlots(interval, more.slotsByCrawler), availability?.spans ?? null);
    const clash = clashWith({ problem: more, slots });
    return clash === null || clash.host !== null;
  }, precision);
  if (factor === null) return { repairs: [], otherwise: costNeeded === undefined ? 'have more slots' : 'spend more' };
  const repair: PlanRepair = costs
    ? { change: 'budget', factor, to: roundedUp(costs.budget * factor), host: null }
    : { change: 'crawls', factor, to: total(factor), host: null };
  return { repairs: [repair], otherwise: '' };
}

/** A shorter delay of the host, or a higher rate: each by itself, where it has one. */
function repairsByHost(
  { host }: PlanConflict,
  { problem }: ConflictSearch,
  clashWith: ClashWith,
  precision: number,
): Means {
  const h = problem.hostName.indexOf(host ?? '');
  const { hostDelay, hostRate } = problem;
  const keeps = (changed: Partial<CrawlPlanProblem>): boolean => {
    const clash = clashWith({ problem: { ...problem, ...changed } });
    return clash === null || clash.host !== host;
  };
  const delayBy = (k: number): Float64Array => hostDelay.map((own, g) => (g === h ? own / k : own));
  const rateBy = (k: number): Float64Array | undefined => hostRate?.map((own, g) => (g === h ? own * k : own));
  const limited = hostRate !== undefined && hostRate[h] < Number.POSITIVE_INFINITY;
  const shorter = hostDelay[h] > 0 ? leastFactor((k) => keeps({ hostDelay: delayBy(k) }), precision) : null;
  const faster = limited ? leastFactor((k) => keeps({ hostRate: rateBy(k) }), precision) : null;
  const repairs: PlanRepair[] = [];
  if (shorter !== null) {
    repairs.push({ change: 'minDelay', factor: 1 / shorter, to: roundedDown(hostDelay[h] / shorter), host });
  }
  if (faster !== null && limited) {
    repairs.push({ change: 'maxRate', factor: faster, to: roundedUp(hostRate[h] * faster), host });
  }
  const asked = [hostDelay[h] > 0 ? 'lower minDelay' : '', limited ? 'raise maxRate' : ''].filter(
    (part) => part !== '',
  );
  return { repairs, otherwise: `${asked.join(' and ')} of host ${host}` };
}

function wordsOf({ change, factor, to, host }: PlanRepair): string {
  switch (change) {
    case 'maxInterval':
      return `raise maxInterval to ${Math.ceil(factor * 100) / 100} times what it is`;
    case 'crawls':
      return `have ${to} slots in the interval`;
    case 'budget':
      return `raise the budget to ${to}`;
    case 'minDelay':
      return `lower minDelay of host ${host} to ${to} s`;
    case 'maxRate':
      return `raise maxRate of host ${host} to ${to}`;
  }
}

/** To three digits, no smaller, and no larger. */
const roundedUp = (value: number): number => -roundedDown(-value);

function roundedDown(value: number): number {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  return Number((Math.floor(value / step + 1e-9) * step).toPrecision(6));
}

/** The least factor above 1, to a precision, with which it will do; null where none is known to. */
function leastFactor(does: (factor: number) => boolean, precision: number): number | null {
  return unlessStopped(null, () => {
    let high = 2;
    while (!does(high)) {
      high *= 2;
      if (high > largestFactor) return null;
    }
    let low = high / 2;
    while (high - low > precision * low) {
      const middle = (low + high) / 2;
      if (does(middle)) high = middle;
      else low = middle;
    }
    return high;
  });
}
