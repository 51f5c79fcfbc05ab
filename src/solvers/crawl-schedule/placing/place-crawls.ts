/**
 * Slots to crawls by their ideal times: the exact sweep of slot-assignment, possible updates as releases, then hosts'
 * delays.
 *
 * Possible updates for which no slot is left after them (late-releases.ts) are given up, or, where a page must have
 * them, made before. Delays of hosts are kept as in host-spacing.ts.
 * O(n log n). Exact without delays; with them a heuristic, which the bound knows nothing of.
 */
import type { Budget } from '../../budget.ts';
import { quasiDeterministicProcess, type TimesByPage } from '../../crawl-allocation/index.ts';
import { assignSlots, flexibleTask, releaseTask } from '../../slot-assignment/index.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import { keepDelays, spreadByHost } from './host-spacing.ts';
import { releasesGivenUp } from './late-releases.ts';
import type { SlotsInOrder } from './slots-in-order.ts';

/** Page of each slot (−1 for none), and how many crawls found none. */
export interface Placed {
  readonly page: Int32Array;
  readonly open: number;
}

export function placeCrawls(
  problem: CrawlScheduleProblem,
  ideal: TimesByPage,
  slots: SlotsInOrder,
  budget: Budget,
): Placed {
  const { interval } = problem.allocation;
  const pageOf = new Int32Array(ideal.times.length);
  for (let i = 0; i + 1 < ideal.offsets.length; i++) pageOf.fill(i, ideal.offsets[i], ideal.offsets[i + 1]);
  const { kind, dropped, open } = releasesOf(problem, ideal, pageOf, slots.time);
  const tasks = positions(ideal.times.length, (j) => dropped[j] === 0);
  const times = Float64Array.from(tasks, (j) => ideal.times[j]);
  const pages = tasks.map((j) => pageOf[j]);
  const idealTime = wanted(problem, times, pages, slots);
  const kinds = Uint8Array.from(tasks, (j) => kind[j]);
  if (problem.hostDelays !== null) freeLateReleases(kinds, idealTime, slots.time);
  const answer = assignSlots(
    {
      interval,
      slotCounts: problem.slotCounts,
      idealTime,
      kind: kinds,
      weight: null,
      allowed: null,
      earliest: null,
      latest: null,
      dropPenalty: Number.POSITIVE_INFINITY,
    },
    budget,
  );
  if (answer.status === 'infeasible') throw new Error(`releases were counted wrongly: ${answer.conflict.detail}`);
  const page = new Int32Array(slots.time.length).fill(-1);
  for (let k = 0; k < tasks.length; k++) page[slots.position[answer.slotOf[k]]] = pageOf[tasks[k]];
  if (problem.hostDelays === null) return { page, open };
  return { page, open: open + keepDelays(page, slots.time, problem.hostDelays) };
}

/** The times of crawls, those of a host its delay apart. */
function wanted(
  { hostDelays }: CrawlScheduleProblem,
  times: Float64Array,
  pages: Int32Array,
  { time }: SlotsInOrder,
): Float64Array {
  if (hostDelays !== null && time.length > 0) spreadByHost(times, pages, hostDelays, time[time.length - 1]);
  return times;
}

/** Which crawls wait for an update, and which are given up since no slot is left after theirs. */
function releasesOf(
  { allocation }: CrawlScheduleProblem,
  { offsets, times }: TimesByPage,
  pageOf: Int32Array,
  slotTime: Float64Array,
) {
  const { updates, minCrawls, weight, interval } = allocation;
  const kind = new Uint8Array(times.length).fill(flexibleTask);
  const dropped = new Uint8Array(times.length);
  let open = 0;
  if (updates.quasi.count === 0) return { kind, dropped, open };
  const releases = positions(times.length, (j) => updates.process[pageOf[j]] === quasiDeterministicProcess);
  for (const j of releases) kind[j] = releaseTask;
  const late = releasesGivenUp(
    Float64Array.from(releases, (j) => times[j]),
    Float64Array.from(releases, (j) => weight[pageOf[j]] * (interval - times[j])),
    slotTime,
  );
  // those a page must have are made before their update, if not after it
  const count = Int32Array.from(weight, (_, i) => offsets[i + 1] - offsets[i]);
  for (const r of late) {
    const j = releases[r];
    kind[j] = flexibleTask;
    if (count[pageOf[j]] <= minCrawls[pageOf[j]]) continue;
    count[pageOf[j]]--;
    dropped[j] = 1;
    open++;
  }
  return { kind, dropped, open };
}

/** Crawls that their host's delay has put off to where too few slots are left need not wait so long. */
function freeLateReleases(kinds: Uint8Array, time: Float64Array, slotTime: Float64Array): void {
  const releases = positions(kinds.length, (k) => kinds[k] === releaseTask);
  const released = Float64Array.from(releases, (k) => time[k]);
  const latestFirst = released.map((each) => -each);
  for (const r of releasesGivenUp(released, latestFirst, slotTime)) kinds[releases[r]] = flexibleTask;
}

function positions(length: number, wanted: (j: number) => boolean): Int32Array {
  const list = new Int32Array(length);
  let count = 0;
  for (let j = 0; j < length; j++) if (wanted(j)) list[count++] = j;
  return list.subarray(0, count);
}
