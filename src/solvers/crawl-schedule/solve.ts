/**
 * Wolf et al.'s whole scheme in one call: how many crawls each page gets, when, and which crawler makes each.
 *
 * 1. Allocation (crawl-allocation): counts and ideal times, with times free; its optimum is the bound, since slots only take
 *    choices away.
 * 2. Placing (slot-assignment): slots to ideal times, crawls of possible updates only after them. Those for which no slot is left
 *    after their update (late-releases.ts) are given up.
 * 3. Filling: their slots go one by one to the page that saves most there, within its limits.
 * 4. Exchanges: two slots near in time exchange their pages (or one its emptiness) where the true cost falls, for a few passes.
 * Complexity: that of its parts, and slots × passes × crawls a page. Stopping rule: no exchange found, passes, or the budget.
 * Source: Wolf, Squillante, Yu, Sethuraman & Ozsen (2002), sections 2 and 3. Known limits: after the allocation it is a
 * heuristic; the gap says what it and the slots can have cost.
 */
import { objective, type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { quasiDeterministicProcess, refuseUncomputable, solveCrawlAllocation } from '../crawl-allocation/index.ts';
import { flexibleTask, releaseTask, slotGrid, slotTime, solveSlotAssignment } from '../slot-assignment/index.ts';
import { releasesGivenUp } from './late-releases.ts';
import type { CrawlScheduleAnswer, CrawlScheduleProblem, TimesByPage } from './problem.ts';
import { StaleTime } from './stale-time.ts';
import { Timetable } from './timetable.ts';

const mostPasses = 8;
/** Exchanges tried, at most, before the pass they are in ends. */
const mostTries = 3e6;
/** How far apart in time order two slots are that exchange. */
const reach = 3;
/** Pages looked at for a slot that became free, at most. */
const mostLooks = 2e7;

/**
 * @throws NothingToReturn when the budget ends before the crawls are placed
 * @throws ConditionNotMet where a law leaves double precision
 */
export function solveCrawlSchedule(problem: CrawlScheduleProblem, budget: Budget): CrawlScheduleAnswer {
  const { allocation, slotCounts } = problem;
  const { interval, weight, crawls } = allocation;
  const grid = slotGrid(interval, slotCounts);
  if (crawls > grid.total) {
    const detail = `${crawls} crawls are to be made and the crawlers have ${grid.total} slots`;
    const repair = `lower crawls to ${grid.total}, or add ${crawls - grid.total} slots`;
    return { status: 'infeasible', conflict: { detail, crawls, slots: grid.total, repair } };
  }
  const ideal = solveCrawlAllocation({ ...allocation, idealTimes: true, baselines: true }, budget);
  if (ideal.status === 'infeasible') {
    const { detail, least, most } = ideal.conflict;
    const repair = `let crawls be at least ${least}${most === null ? '' : ` and at most ${most}`}, or change the limits`;
    return { status: 'infeasible', conflict: { detail, crawls, slots: grid.total, repair } };
  }
  const times = ideal.idealTimes ?? { offsets: new Int32Array(weight.length + 1), times: new Float64Array(0) };
  const slots = slotsInOrder(interval, slotCounts);
  const stale = new StaleTime(allocation);
  const { page, open } = place(problem, times, slots, budget);
  const table = new Timetable(slots.time, page, weight, stale);
  fill(problem, table, open, budget);
  const { exchanges, stopped } = improve(table, budget);
  const staleness = Float64Array.from(weight, (_, i) => staleShare(stale, table, i, interval));
  refuseUncomputable(staleness);
  let value = 0;
  for (let i = 0; i < weight.length; i++) value += weight[i] * staleness[i];
  const bound = Math.min(ideal.objective.bound ?? 0, ideal.objective.value);
  const proved = objective(value, bound > value && bound - value <= 1e-9 * bound ? value : bound);
  const used = Int32Array.from(table.page.keys()).filter((s) => table.page[s] >= 0);
  const warnings: Warning[] = stopped
    ? [
        warning(
          'stopped-early',
          'the time limit came while exchanges were still lowering the cost; raise options.timeLimitMs',
        ),
      ]
    : [];
  return {
    status: proved.gap !== null && proved.gap < 1e-9 ? 'optimal' : 'feasible',
    objective: proved,
    schedule: {
      crawls: Int32Array.from(weight, (_, i) => table.timesOf(i).length),
      times: gathered(table, weight.length),
      idealTimes: times,
      idealCrawls: ideal.crawls,
      staleness,
      idealStaleness: ideal.staleness,
      slotTime: Float64Array.from(used, (s) => slots.time[s]),
      slotCrawler: used.map((s) => slots.crawler[s]),
      slotPage: used.map((s) => table.page[s]),
      idleSlots: grid.total - used.length,
      moved: open,
      exchanges,
      baselines: ideal.baselines ?? { uniform: value, proportional: value },
    },
    warnings,
  };
}

interface SlotsInOrder {
  readonly time: Float64Array;
  readonly crawler: Int32Array;
  /** Position in time order by slot number. */
  readonly position: Int32Array;
}

function slotsInOrder(interval: number, slotCounts: Int32Array): SlotsInOrder {
  const { total } = slotGrid(interval, slotCounts);
  const start = new Float64Array(total);
  const owner = new Int32Array(total);
  let number = 0;
  for (const [k, count] of slotCounts.entries()) {
    for (let l = 0; l < count; l++, number++) {
      start[number] = slotTime(interval, count, l);
      owner[number] = k;
    }
  }
  const order = Int32Array.from(start.keys()).sort((a, b) => start[a] - start[b] || a - b);
  const position = new Int32Array(total);
  for (const [p, s] of order.entries()) position[s] = p;
  return { time: Float64Array.from(order, (s) => start[s]), crawler: order.map((s) => owner[s]), position };
}

/** Slots to crawls by their ideal times; how many crawls were given up. */
function place(
  { allocation, slotCounts }: CrawlScheduleProblem,
  { offsets, times }: TimesByPage,
  slots: SlotsInOrder,
  budget: Budget,
): { readonly page: Int32Array; readonly open: number } {
  const { updates, minCrawls, weight, interval } = allocation;
  const pageOf = new Int32Array(times.length);
  for (let i = 0; i < weight.length; i++) pageOf.fill(i, offsets[i], offsets[i + 1]);
  const kind = Uint8Array.from(times, (_, j) =>
    updates.process[pageOf[j]] === quasiDeterministicProcess ? releaseTask : flexibleTask,
  );
  const releases = Int32Array.from(kind.keys()).filter((j) => kind[j] === releaseTask);
  const late = releasesGivenUp(
    Float64Array.from(releases, (j) => times[j]),
    Float64Array.from(releases, (j) => weight[pageOf[j]] * (interval - times[j])),
    slots.time,
  );
  // those a page must have are made before their update, if not after it
  const count = Int32Array.from(weight, (_, i) => offsets[i + 1] - offsets[i]);
  const dropped = new Uint8Array(times.length);
  let open = 0;
  for (const r of late) {
    const j = releases[r];
    kind[j] = flexibleTask;
    if (count[pageOf[j]] <= minCrawls[pageOf[j]]) continue;
    count[pageOf[j]]--;
    dropped[j] = 1;
    open++;
  }
  const tasks = Int32Array.from(times.keys()).filter((j) => dropped[j] === 0);
  const answer = solveSlotAssignment(
    {
      interval,
      slotCounts,
      idealTime: Float64Array.from(tasks, (j) => times[j]),
      kind: Uint8Array.from(tasks, (j) => kind[j]),
      weight: null,
      allowed: null,
      earliest: null,
      latest: null,
      dropPenalty: Number.POSITIVE_INFINITY,
    },
    budget,
  );
  const page = new Int32Array(slots.time.length).fill(-1);
  if (answer.status === 'infeasible') throw new Error(`releases were counted wrongly: ${answer.conflict.detail}`);
  for (const [k, j] of tasks.entries()) page[slots.position[answer.slotOf[k]]] = pageOf[j];
  return { page, open };
}

/** Gives `open` crawls, one by one, to free slots: each to the page that saves most there. */
function fill({ allocation }: CrawlScheduleProblem, table: Timetable, open: number, budget: Budget): void {
  const { weight, maxCrawls, hosts } = allocation;
  const pages = weight.length;
  const used = new Float64Array(hosts?.maxCrawls.length ?? 0);
  if (hosts !== null) for (const i of table.page) if (i >= 0 && hosts.of[i] >= 0) used[hosts.of[i]]++;
  const allowed = (i: number): boolean => {
    if (maxCrawls[i] >= 0 && table.timesOf(i).length >= maxCrawls[i]) return false;
    return hosts === null || hosts.of[i] < 0 || used[hosts.of[i]] < hosts.maxCrawls[hosts.of[i]];
  };
  const stride = Math.max(1, Math.ceil((pages * open) / mostLooks));
  let left = open;
  for (let s = 0; s < table.page.length && left > 0; s++) {
    if (table.page[s] >= 0) continue;
    if (budget.stopRequested()) return;
    let best = -1;
    let most = -1;
    for (let i = stride > 1 ? s % stride : 0; i < pages; i += stride) {
      if (!allowed(i)) continue;
      const saved = table.savedBy(i, s);
      if (saved > most) {
        most = saved;
        best = i;
      }
    }
    if (best < 0) continue;
    table.give(s, best);
    if (hosts !== null && hosts.of[best] >= 0) used[hosts.of[best]]++;
    left--;
  }
}

/** Passes over all pairs of near slots, in time order. */
function improve(table: Timetable, budget: Budget): { readonly exchanges: number; readonly stopped: boolean } {
  let exchanges = 0;
  const count = table.page.length;
  const passes = Math.max(1, Math.min(mostPasses, Math.floor(mostTries / (reach * count))));
  for (let pass = 0; pass < passes; pass++) {
    const before = exchanges;
    for (let s = 0; s < count; s++) {
      if ((s & 1023) === 0 && budget.stopRequested()) return { exchanges, stopped: true };
      for (let other = s + 1; other <= s + reach && other < count; other++) if (table.exchange(s, other)) exchanges++;
    }
    if (exchanges - before < count / 200) break;
  }
  return { exchanges, stopped: false };
}

function staleShare(stale: StaleTime, table: Timetable, i: number, interval: number): number {
  const times = Float64Array.from(table.timesOf(i));
  return Math.min(1, stale.of(i, times, 0, times.length) / interval);
}

function gathered(table: Timetable, pages: number): TimesByPage {
  const offsets = new Int32Array(pages + 1);
  for (let i = 0; i < pages; i++) offsets[i + 1] = offsets[i] + table.timesOf(i).length;
  const times = new Float64Array(offsets[pages]);
  for (let i = 0; i < pages; i++) times.set(table.timesOf(i), offsets[i]);
  return { offsets, times };
}
