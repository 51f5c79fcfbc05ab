/** Simple rules that assign pages to slots. Slots are increasing times in [0, 1]. */
import { type Copies, costOf, knownCopies, type Objective } from './costs.ts';
import type { Page } from './pages.ts';

interface SlotQuestion {
  readonly pages: readonly Page[];
  readonly slots: readonly number[];
  readonly objective: Objective;
  /** Least time between two crawls of each host's pages. */
  readonly hostDelay: number;
  /** Whether the objective is that of the long run, not only of [0, 1]. */
  readonly forEver?: boolean;
  /** Cost of copies under beliefs about the rates; by default the rates are known. */
  readonly copies?: Copies;
}

/** Crawl times of every page, increasing. */
export type Times = number[][];

/**
 * The index rule: every slot goes to the page with the largest gain: the smaller of the crawl's long-run saving at even
 * gaps and its saving until the interval ends. Pages of hosts that are not ready are skipped.
 */
export function indexRule(question: SlotQuestion): Times {
  const { pages, slots, objective, hostDelay, forEver = false } = question;
  const copies = question.copies ?? knownCopies(objective, pages);
  const times: Times = pages.map(() => []);
  // In the long run a page never crawled counts as one of some age, whatever the objective.
  const startAge = objective === 'freshness' || forEver ? Number.POSITIVE_INFINITY : 0;
  const unseenAge = objective === 'freshness' ? staleAge : 1;
  const last = pages.map(({ age }) => (age === Number.POSITIVE_INFINITY ? -startAge : -age));
  const ready = readyHosts(pages, hostDelay);
  for (const time of slots) {
    let best = -1;
    let maxGain = 0;
    for (const [i, page] of pages.entries()) {
      if (page.host >= 0 && hostDelay > 0 && time < ready[page.host]) continue;
      const gain =
        page.weight * gainOf({ copies, unseenAge }, i, time - last[i], forEver ? Number.POSITIVE_INFINITY : 1 - time);
      if (gain > maxGain) [best, maxGain] = [i, gain];
    }
    if (best < 0) continue;
    times[best].push(time);
    last[best] = time;
    if (pages[best].host >= 0) ready[pages[best].host] = time + hostDelay * (1 - 1e-12);
  }
  return times;
}

/** When each host may be crawled first, from the ages of its pages. */
function readyHosts(pages: readonly Page[], hostDelay: number): number[] {
  const ready: number[] = [];
  for (const { host, age } of pages) {
    if (host >= 0) ready[host] = Math.max(ready[host] ?? Number.NEGATIVE_INFINITY, hostDelay - age);
  }
  return ready;
}

/** Saving of a crawl at an age: at even gaps for ever, or until the end of the interval if that is less. */
function gainOf(
  { copies: { cost, slope }, unseenAge }: { readonly copies: Copies; readonly unseenAge: number },
  i: number,
  age: number,
  remaining: number,
): number {
  if (age === Number.POSITIVE_INFINITY) {
    const firstSaving = unseenAge * slope(i, unseenAge) - cost(i, unseenAge);
    return remaining === Number.POSITIVE_INFINITY ? firstSaving : Math.min(firstSaving, remaining - cost(i, remaining));
  }
  const forEver = age * slope(i, age) - cost(i, age);
  return remaining === Number.POSITIVE_INFINITY
    ? forEver
    : Math.min(forEver, cost(i, age + remaining) - cost(i, age) - cost(i, remaining));
}

/** Age at which a copy counts as certainly stale. */
const staleAge = 1e3;

/** All pages in turn, in decreasing order of age. */
export function turnsRule({ pages, slots, hostDelay }: SlotQuestion): Times {
  const queue = Array.from(pages.keys()).sort((a, b) => pages[b].age - pages[a].age);
  return serve(pages, slots, hostDelay, (free) => {
    const at = queue.findIndex(free);
    if (at < 0) return -1;
    const [page] = queue.splice(at, 1);
    queue.push(page);
    return page;
  });
}

/** Crawls in proportion to a share of each page: the page with the largest deficit comes next. */
function byShares(question: SlotQuestion, share: (page: Page) => number): Times {
  const { pages, slots, hostDelay } = question;
  const shares = pages.map(share);
  const total = shares.reduce((sum, each) => sum + each, 0);
  const crawlCounts = pages.map(() => 0);
  let slotCount = 0;
  return serve(pages, slots, hostDelay, (free) => {
    slotCount++;
    let best = -1;
    let maxDeficit = Number.NEGATIVE_INFINITY;
    for (const i of pages.keys()) {
      const deficit = (slotCount * shares[i]) / total - crawlCounts[i];
      if (deficit > maxDeficit && free(i)) [best, maxDeficit] = [i, deficit];
    }
    if (best >= 0) crawlCounts[best]++;
    return best;
  });
}

function serve(
  pages: readonly Page[],
  slots: readonly number[],
  hostDelay: number,
  next: (free: (page: number) => boolean) => number,
): Times {
  const times: Times = pages.map(() => []);
  const ready = readyHosts(pages, hostDelay);
  for (const time of slots) {
    const page = next((i) => pages[i].host < 0 || hostDelay === 0 || time >= ready[pages[i].host]);
    if (page < 0) continue;
    times[page].push(time);
    if (pages[page].host >= 0) ready[pages[page].host] = time + hostDelay * (1 - 1e-12);
  }
  return times;
}

/** The rules by name, with the costs of their schedules. */
export function slotRules(question: SlotQuestion): Record<string, () => number> {
  return {
    'index rule': () => costOfTimes(question, indexRule(question)),
    'all in turn': () => costOfTimes(question, turnsRule(question)),
    'in proportion to rates': () =>
      costOfTimes(
        question,
        byShares(question, ({ rate }) => rate),
      ),
    'square roots': () =>
      costOfTimes(
        question,
        byShares(question, ({ rate, weight }) => Math.sqrt(rate * weight)),
      ),
  };
}

function costOfTimes({ objective, pages, copies }: SlotQuestion, times: Times): number {
  return costOf(objective, pages, times, copies);
}
