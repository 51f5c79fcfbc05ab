/**
 * What would mend a plan's conflict, with the numbers. They are: longest intervals by how much longer, how many more
 * slots, and how much shorter the delays of hosts. With them the check which found the conflict
 * finds none.
 *
 * Each factor by bisection on that very check, to a hundredth, to a thousandth where pages are few, rounded to the safe
 * side. A repair is a list of changes that are needed together. O(twenty checks a change). Stopped early, or where no
 * factor up to a thousand will do, it names the means alone.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { PlanChange, PlanConflict } from '../problem.ts';
import { openSlots } from './allowed.ts';
import { type ConflictSearch, planConflict } from './conflict.ts';

const largestFactor = 1000;
/** More changes than that together are no advice. */
const mostChanges = 20;
/** The most crawls a plan takes. */
export const maxPlanCrawls = 5_000_000;
const fewPages = 1000;

/** What cannot be kept of the longest intervals, `why` said after it, with its repair; null for nothing. */
export function conflictIn(search: ConflictSearch, why: string, budget: Budget): PlanConflict | null {
  const conflict = planConflict(search, budget);
  return conflict && withRepair({ ...conflict, detail: `${conflict.detail}${why}` }, search, budget);
}

/** The conflict with its repairs, each of which makes the plan possible by itself. */
function withRepair(conflict: PlanConflict, search: ConflictSearch, budget: Budget): PlanConflict {
  const repairs: (readonly PlanChange[])[] = [];
  unlessStopped(undefined, () => {
    for (const repair of [longerIntervals, moreMeans]) {
      const changes = repair(search, budget);
      if (changes !== null) repairs.push(changes);
    }
  });
  const said = repairs.map((changes) => changes.map(wordsOf).join(' and '));
  if (said.length === 0) said.push('raise maxInterval of the pages named, or give more slots or wider limits');
  return {
    ...conflict,
    repair: said.join(', or '),
    repairs: repairs.map((changes, k) => ({ detail: said[k], changes })),
  };
}

const precisionOf = ({ problem }: ConflictSearch): number => (problem.weight.length <= fewPages ? 0.001 : 0.01);

/** All longest intervals longer, by one factor. */
function longerIntervals(search: ConflictSearch, budget: Budget): readonly PlanChange[] | null {
  const { problem } = search;
  const stretched = (k: number): ConflictSearch => ({
    ...search,
    problem: { ...problem, maxInterval: problem.maxInterval.map((most) => most * k) },
  });
  const factor = leastFactor((k) => planConflict(stretched(k), budget) === null, precisionOf(search));
  return factor === null ? null : [{ change: 'maxInterval', factor, to: null, host: null }];
}

/**
 * More slots, and wider limits of hosts: whatever stands in the way, one after the other, until
 * nothing does. Null where that is not enough, or takes too many changes.
 */
function moreMeans(search: ConflictSearch, budget: Budget): readonly PlanChange[] | null {
  const changes: PlanChange[] = [];
  let now = search;
  for (let clash = planConflict(now, budget); clash !== null; clash = planConflict(now, budget)) {
    if (changes.length === mostChanges) return null;
    const widened = clash.host === null ? moreSlots(now, budget) : widerHost(now, clash.host, budget);
    if (widened === null) return null;
    now = widened.search;
    changes.push(widened.change);
  }
  return changes;
}

interface Widened {
  readonly change: PlanChange;
  readonly search: ConflictSearch;
}

function moreSlots(search: ConflictSearch, budget: Budget): Widened | null {
  const { problem } = search;
  const { interval, availability } = problem;
  const scaled = (k: number): ConflictSearch | null => {
    const slotsByCrawler = problem.slotsByCrawler.map((count) => Math.ceil(count * k));
    // more slots than a plan can have are no repair, and would not fit into memory
    if (slotsByCrawler.reduce((sum, count) => sum + count, 0) > maxPlanCrawls) return null;
    const slots = openSlots({ interval, slotsByCrawler, availability });
    return { ...search, slots, problem: { ...problem, slotsByCrawler } };
  };
  const does = (k: number): boolean => {
    const more = scaled(k);
    if (more === null) return false;
    const clash = planConflict(more, budget);
    return clash === null || clash.host !== null;
  };
  const factor = leastFactor(does, precisionOf(search));
  const found = factor === null ? null : scaled(factor);
  if (factor === null || found === null) return null;
  const to = found.problem.slotsByCrawler.reduce((sum, count) => sum + count, 0);
  return { change: { change: 'crawls', factor, to, host: null }, search: found };
}

/** A shorter delay of the host, or a higher rate, where one of them will do. */
function widerHost(search: ConflictSearch, host: string, budget: Budget): Widened | null {
  const { problem } = search;
  const { hostDelay, hostRate } = problem;
  const h = problem.hostName.indexOf(host);
  const delayed = (k: number): ConflictSearch => {
    const shorter = hostDelay.map((own, g) => (g === h ? roundedDown(own / k) : own));
    return { ...search, problem: { ...problem, hostDelay: shorter } };
  };
  const paced = (k: number): ConflictSearch => {
    const faster = hostRate?.map((own, g) => (g === h ? roundedUp(own * k) : own));
    return { ...search, problem: { ...problem, hostRate: faster } };
  };
  const least = (changed: (k: number) => ConflictSearch): number | null =>
    leastFactor((k) => planConflict(changed(k), budget)?.host !== host, precisionOf(search));
  const shorter = hostDelay[h] > 0 ? least(delayed) : null;
  if (shorter !== null) {
    const found = delayed(shorter);
    return { change: { change: 'minDelay', factor: 1 / shorter, to: found.problem.hostDelay[h], host }, search: found };
  }
  if (hostRate === undefined || !(hostRate[h] < Number.POSITIVE_INFINITY)) return null;
  const faster = least(paced);
  if (faster === null) return null;
  const found = paced(faster);
  return {
    change: { change: 'maxRate', factor: faster, to: found.problem.hostRate?.[h] ?? null, host },
    search: found,
  };
}

export function wordsOf({ change, factor, to, host }: PlanChange): string {
  switch (change) {
    case 'maxInterval':
      return `raise maxInterval to ${Math.ceil(factor * 100) / 100} times what it is`;
    case 'crawls':
      return `have ${to} slots in the interval`;
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
}
