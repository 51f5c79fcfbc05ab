/** Whether a schedule is what it says, by code that shares nothing with the finder: integrals are taken point by point. */
import { relativeGap } from '../answer.ts';
import { lomaxProcess, poissonProcess, quasiDeterministicProcess } from '../crawl-allocation/index.ts';
import type { CrawlScheduleAnswer, CrawlScheduleProblem } from './problem.ts';

const points = 400;

/**
 * What an answer violates, in words. Slots are the crawlers' own and used once, counts keep their limits, the objective is the
 * sum of the pages' and at least its bound; and pages' staleness, by numerical integration, for up to `compared` pages.
 */
export function certifyCrawlSchedule(
  problem: CrawlScheduleProblem,
  answer: CrawlScheduleAnswer,
  compared = 200,
): string[] {
  const { allocation, slotCounts } = problem;
  const { interval, weight, minCrawls, maxCrawls, crawls } = allocation;
  if (answer.status === 'infeasible') {
    const least = minCrawls.reduce((sum, m) => sum + m, 0);
    const slots = slotCounts.reduce((sum, count) => sum + count, 0);
    const most = maxCrawls.some((m) => m < 0) ? Number.POSITIVE_INFINITY : maxCrawls.reduce((sum, m) => sum + m, 0);
    const clash = crawls > slots || least > crawls || most < crawls || allocation.hosts !== null;
    return clash ? [] : ['there is no conflict'];
  }
  const { schedule, objective } = answer;
  const faults: string[] = [];
  const taken = new Set<string>();
  const times = Array.from(weight, (): number[] => []);
  for (const [k, time] of schedule.slotTime.entries()) {
    const c = schedule.slotCrawler[k];
    const l = Math.round((time / interval) * slotCounts[c]);
    if (!(l >= 0 && l < slotCounts[c]) || Math.abs((l * interval) / slotCounts[c] - time) > 1e-9 * interval)
      faults.push(`no slot of crawler ${c} at ${time}`);
    if (taken.has(`${c} ${l}`)) faults.push(`slot ${l} of crawler ${c} is used twice`);
    taken.add(`${c} ${l}`);
    times[schedule.slotPage[k]].push(time);
  }
  const hostCounts = new Float64Array(allocation.hosts?.maxCrawls.length ?? 0);
  let value = 0;
  for (const [i, list] of times.entries()) {
    if (list.length !== schedule.crawls[i])
      faults.push(`page ${i} has ${list.length} slots, not ${schedule.crawls[i]}`);
    if (list.length < minCrawls[i] || (maxCrawls[i] >= 0 && list.length > maxCrawls[i]))
      faults.push(`page ${i} has ${list.length} crawls, outside its limits`);
    const host = allocation.hosts?.of[i] ?? -1;
    if (host >= 0) hostCounts[host]++;
    value += weight[i] * schedule.staleness[i];
    if (i >= compared) continue;
    const stale = integrated(problem, i, list);
    if (Math.abs(stale - schedule.staleness[i]) > 2e-4) faults.push(`page ${i} is stale for ${stale}`);
  }
  if (Math.abs(value - objective.value) > 1e-9 * value) faults.push(`the objective is ${value}`);
  if (objective.bound === null || objective.bound > value * (1 + 1e-9)) faults.push('the bound is above the value');
  if (objective.bound !== null && objective.gap !== relativeGap(objective.value, objective.bound))
    faults.push('the gap is not that of value and bound');
  return faults;
}

/** Mean chance of a stale copy over the interval, at midpoints between crawls and updates. */
function integrated({ allocation }: CrawlScheduleProblem, i: number, crawls: readonly number[]): number {
  const { interval, updates, lastCrawlAge } = allocation;
  const k = updates.slot[i];
  const quasi = updates.process[i] === quasiDeterministicProcess;
  const [from, to] = quasi ? [updates.quasi.offsets[k], updates.quasi.offsets[k + 1]] : [0, 0];
  const breaks = [0, ...crawls, ...Array.from(updates.quasi.times.slice(from, to)), interval].sort((a, b) => a - b);
  const age = lastCrawlAge?.[i] ?? Number.NaN;
  let sum = 0;
  for (let b = 0; b + 1 < breaks.length; b++) {
    const width = breaks[b + 1] - breaks[b];
    for (let p = 0; width > 0 && p < points; p++) {
      const t = breaks[b] + ((p + 0.5) / points) * width;
      const last = crawls.filter((time) => time <= t).at(-1);
      sum += (width / points) * (quasi ? staleQuasi(allocation, i, last, t) : staleAfter(allocation, i, last, age, t));
    }
  }
  return sum / interval;
}

function staleAfter(
  { updates }: CrawlScheduleProblem['allocation'],
  i: number,
  last: number | undefined,
  age: number,
  t: number,
): number {
  if (last === undefined && Number.isNaN(age)) return 1;
  const s = last === undefined ? age + t : t - last;
  const mean = updates.meanGap[i];
  if (updates.process[i] === poissonProcess) return 1 - Math.exp(-s / mean);
  const a = updates.alpha[i];
  if (updates.process[i] === lomaxProcess) return 1 - (1 + s / (mean * (a - 1))) ** (1 - a);
  const { law, mean: unit } = updates.laws[updates.slot[i]];
  return law.truncatedMean((s * unit) / mean) / unit;
}

function staleQuasi(
  { updates, lastCrawlAge, interval }: CrawlScheduleProblem['allocation'],
  i: number,
  last: number | undefined,
  t: number,
): number {
  const k = updates.slot[i];
  const { times, probabilities, offsets, staleAtStart } = updates.quasi;
  let fresh = 1;
  for (let at = offsets[k]; at < offsets[k + 1]; at++) {
    if (times[at] <= t && (last === undefined || times[at] > last)) fresh *= 1 - probabilities[at];
  }
  if (last !== undefined) return 1 - fresh;
  if (!Number.isNaN(staleAtStart[k])) return 1 - fresh * (1 - staleAtStart[k]);
  const age = lastCrawlAge?.[i] ?? Number.NaN;
  if (Number.isNaN(age)) return 1;
  for (let at = offsets[k]; at < offsets[k + 1]; at++) {
    for (let back = times[at] - interval; back > -age; back -= interval) fresh *= 1 - probabilities[at];
  }
  return 1 - fresh;
}
