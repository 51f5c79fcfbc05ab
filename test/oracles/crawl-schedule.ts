/**
 * Whether a schedule is what it says, by code that shares nothing with the finder: slots and hosts by the certificate of
 * answers, integrals point by point.
 */

import { Findings } from '../../src/certificates/findings.ts';
import { checkDelays, checkHostCounts } from '../../src/certificates/hosts.ts';
import { checkSlots } from '../../src/certificates/slots.ts';
import { WireTable } from '../../src/certificates/wire.ts';
import type { Objective, Warning } from '../../src/solvers/answer.ts';
import type { CrawlScheduleProblem } from '../../src/solvers/crawl-schedule/problem.ts';
import type { CheckedProblem as CheckedAllocation } from './pages/allocation-request.ts';
import { poisson, quasiDeterministic } from './pages/updates.ts';

type Problem = Omit<CrawlScheduleProblem, 'allocation'> & { readonly allocation: CheckedAllocation };
interface Feasible {
  readonly status: 'optimal' | 'feasible';
  readonly objective: Objective;
  readonly solution: {
    readonly pages: { readonly crawls: Int32Array; readonly staleness: Float64Array };
    readonly schedule: { readonly time: Float64Array; readonly crawler: Int32Array; readonly page: Int32Array };
  };
  readonly warnings: readonly Pick<Warning, 'code'>[];
}

const points = 400;

/**
 * What an answer violates, in words. Slots are the crawlers' own and used once, pages and hosts keep their limits and
 * delays. The objective is the sum of the pages' and at least its bound. The pages' staleness is computed by numerical
 * integration, for up to `compared` pages. Of an infeasible answer: whether the numbers of its conflict follow from the
 * problem.
 */
export function certifyCrawlSchedule(
  problem: Problem,
  answer: Feasible | { readonly status: 'infeasible' },
  compared = 200,
): string[] {
  if (answer.status === 'infeasible') return certifyConflict(problem);
  const { weight } = problem.allocation;
  const { objective, solution } = answer;
  const { crawls, staleness } = solution.pages;
  const findings = new Findings();
  const slots = { counts: problem.slotCounts, start: 0, interval: problem.allocation.interval };
  const times = checkSlots(new WireTable({ ...solution.schedule }, 'schedule'), slots, weight.length, findings);
  if (times === null) return findings.faults;
  checkHosts(problem, times, findings);
  const { faults } = findings;
  let value = 0;
  const short = answer.warnings.some(({ code }) => code === 'crawls-unplaced');
  for (const [i, list] of times.entries()) {
    faults.push(...checkCounts(problem, i, list.length, crawls[i], short));
    value += weight[i] * staleness[i];
    if (i >= compared) continue;
    const stale = integrated(problem, i, list);
    if (Math.abs(stale - staleness[i]) > 2e-4) faults.push(`page ${i} is stale for ${stale}`);
  }
  const { bound, gap } = objective;
  if (Math.abs(value - objective.value) > 1e-9 * value) faults.push(`the objective is ${value}`);
  const keepsLeast = times.every((list, i) => list.length >= problem.allocation.minCrawls[i]);
  if (!keepsLeast && bound !== null) faults.push('there is a bound, of schedules that keep limits this one does not');
  if (keepsLeast && (bound === null || bound > value * (1 + 1e-9))) faults.push('the bound is above the value');
  if (bound !== null && gap !== (objective.value - bound) / Math.max(Math.abs(bound), 1e-12))
    faults.push('the gap is not that of value and bound');
  return faults;
}

function checkCounts({ allocation }: Problem, i: number, found: number, said: number, short: boolean) {
  const { minCrawls, maxCrawls } = allocation;
  const faults: string[] = [];
  if (found !== said) faults.push(`page ${i} has ${found} slots, not ${said}`);
  if ((found < minCrawls[i] && !short) || (maxCrawls[i] >= 0 && found > maxCrawls[i]))
    faults.push(`page ${i} has ${found} crawls, outside its limits`);
  return faults;
}

/** Limits and delays of hosts, by the certificate of answers. */
function checkHosts({ allocation, hostDelays }: Problem, times: readonly number[][], findings: Findings): void {
  const { hosts, interval } = allocation;
  if (hosts === null) return;
  const { names, of, maxCrawls } = hosts;
  const delay = hostDelays?.delay ?? new Float64Array(names.length);
  const limits = { names, of, limit: (name: string) => (name === 'minDelay' ? delay : Float64Array.from(maxCrawls)) };
  checkHostCounts(
    limits,
    times.map(({ length }) => length),
    'schedule',
    findings,
  );
  const last = Float64Array.from(of, (h) => (h < 0 || hostDelays === null ? NaN : hostDelays.from[h] - delay[h]));
  checkDelays(limits, times, last, 1e-9 * interval, findings);
}

/** The most crawls of all pages within limits, delays and slots, and the least, by counting. */
function certifyConflict({ allocation, slotCounts, hostDelays, upTo }: Problem): string[] {
  const { minCrawls, maxCrawls, crawls, hosts, interval } = allocation;
  const slots = Array.from(slotCounts, (count) => Array.from({ length: count }, (_, l) => (l * interval) / count))
    .flat()
    .sort((a, b) => a - b);
  if (crawls > slots.length && !upTo) return [];
  const most = (i: number): number => (maxCrawls[i] < 0 ? slots.length : maxCrawls[i]);
  const pages = Array.from(minCrawls.keys());
  let possible = 0;
  for (let h = 0; h < (hosts?.maxCrawls.length ?? 0); h++) {
    const own = pages.filter((i) => hosts?.of[i] === h);
    const delay = hostDelays?.delay[h] ?? 0;
    let last = (hostDelays?.from[h] ?? Number.NEGATIVE_INFINITY) - delay;
    let apart = 0;
    for (const time of slots) {
      if (delay > 0 && time - last < delay * (1 - 1e-12)) continue;
      last = time;
      apart++;
    }
    const limit = Math.min(hosts?.maxCrawls[h] ?? 0, apart);
    if (own.reduce((sum, i) => sum + minCrawls[i], 0) > limit) return [];
    possible += Math.min(
      limit,
      own.reduce((sum, i) => sum + most(i), 0),
    );
  }
  for (const i of pages) if (hosts === null || hosts.of[i] < 0) possible += most(i);
  if (minCrawls.reduce((sum, m) => sum + m, 0) > Math.min(crawls, slots.length)) return [];
  return possible < crawls && !upTo ? [] : ['there is no conflict'];
}

/** Mean chance of a stale copy over the interval, at midpoints between crawls and updates. */
function integrated({ allocation }: Problem, i: number, crawls: readonly number[]): number {
  const { interval, updates, lastCrawlAge } = allocation;
  const k = updates.entry[i];
  const quasi = updates.process[i] === quasiDeterministic;
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
  { updates }: CheckedAllocation,
  i: number,
  last: number | undefined,
  age: number,
  t: number,
): number {
  if (last === undefined && Number.isNaN(age)) return 1;
  const s = last === undefined ? age + t : t - last;
  const mean = updates.meanGap[i];
  if (updates.process[i] === poisson) return 1 - Math.exp(-s / mean);
  const { law, mean: unit } = updates.laws[updates.entry[i]];
  return law.truncatedMean((s * unit) / mean) / unit;
}

function staleQuasi(
  { updates, lastCrawlAge, interval }: CheckedAllocation,
  i: number,
  last: number | undefined,
  t: number,
): number {
  const k = updates.entry[i];
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
