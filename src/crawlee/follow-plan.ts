/** The fetches of a plan → requests of a Crawlee crawler, each when it is due. */
import { setTimeout as wait } from 'node:timers/promises';
import type { PlanSolution } from '../logs/plan-request.ts';
import type { CrawlLog } from './crawl-log.ts';

/** A request as Crawlee takes it. */
export interface PlannedRequest {
  readonly url: string;
  /** Of the slot, since Crawlee otherwise fetches a URL once. */
  readonly uniqueKey: string;
  readonly headers: Record<string, string>;
  readonly userData: { readonly page: string; readonly due: number };
  /** Of a page whose last fetch failed. */
  readonly noRetry?: boolean;
}

/** What is needed of Crawlee's crawlers. */
export interface RequestRunner {
  addRequests(requests: PlannedRequest[]): Promise<unknown>;
  run(requests: PlannedRequest[], options: { purgeRequestQueue: boolean }): Promise<unknown>;
}

export interface PlanOptions {
  /** Where the fetches are logged; its validators make the requests conditional. */
  readonly log?: CrawlLog;
  /** Stops before the next fetch. */
  readonly signal?: AbortSignal;
  /** A page's id → its URL; left out: the id is the URL. */
  readonly urlOf?: (page: string) => string;
}

/**
 * Runs the crawler through a plan (the `solution` of crawl-plan, in rows) and ends when its last fetch has been
 * handled. A fetch is never made before it is due. Where the plan is late, or begun again, each page's overdue fetches
 * are made once, and none that the log shows. Fetches of a host keep the least time that the plan has between them.
 * A page that fails waits: after k failures in a row 2^k − 1 of its fetches are left out. The next plan, made from the
 * log, has it once it has waited as long again as it has failed.
 */
export async function followPlan(plan: PlanSolution, crawler: RequestRunner, options: PlanOptions = {}): Promise<void> {
  const { log, signal, urlOf = (page) => page } = options;
  const lastFetch = (page: string): number => log?.lastFetch(page) ?? Number.NEGATIVE_INFINITY;
  const waits = new Waits((page) => log?.failures(page) ?? 0);
  const slots = stillToMake(plan, Date.now() / 1000, lastFetch, urlOf, waits);
  const requestOf = ({ time, page }: PlanSolution['schedule'][number]): PlannedRequest => {
    const { id } = plan.pages[page];
    const headers = log?.conditionalHeaders(id) ?? {};
    const request = { url: urlOf(id), uniqueKey: `${id}#${time}`, headers, userData: { page: id, due: time } };
    return waits.failures(id) > 0 ? { ...request, noRetry: true } : request;
  };
  const isMade = ({ page }: Slot): boolean => {
    const { id } = plan.pages[page];
    if (waits.leavesOut(id)) return false;
    waits.tried(id);
    return true;
  };
  let running: Promise<unknown> | undefined;
  let failure: unknown;
  for (let at = 0; at < slots.length && !signal?.aborted && failure === undefined; ) {
    const ahead = slots[at].time * 1000 - Date.now();
    if (ahead > 0) {
      // A timer holds at most 2³¹ − 1 ms.
      await wait(Math.min(ahead, 2 ** 31 - 1), undefined, { ...(signal && { signal }) }).catch(() => {});
      continue;
    }
    const from = at;
    while (at < slots.length && slots[at].time * 1000 <= Date.now()) at++;
    const due = slots.slice(from, at).filter(isMade).map(requestOf);
    if (due.length === 0) continue;
    if (running !== undefined) {
      await crawler.addRequests(due);
      continue;
    }
    running = crawler.run(due, { purgeRequestQueue: false }).then(
      () => {
        running = undefined;
      },
      (error: unknown) => {
        running = undefined;
        failure = error;
      },
    );
  }
  await running;
  if (failure !== undefined) throw failure;
  // What was added just as a run ended is still in the queue.
  await crawler.run([], { purgeRequestQueue: false });
}

/** A failing page's pause doubles so often at most. */
const mostDoubled = 8;

/** Pages that fail, and how many of their slots were left out since they were tried in this plan. */
export class Waits {
  readonly failures: (page: string) => number;
  readonly #leftOut = new Map<string, number>();

  /** @param failures of a page, in a row, at the time of asking */
  constructor(failures: (page: string) => number) {
    this.failures = failures;
  }

  tried(page: string): void {
    this.#leftOut.set(page, 0);
  }

  leavesOut(page: string): boolean {
    const leftOut = this.#leftOut.get(page);
    if (leftOut === undefined || leftOut >= 2 ** Math.min(this.failures(page), mostDoubled) - 1) return false;
    this.#leftOut.set(page, leftOut + 1);
    return true;
  }
}

type Slot = PlanSolution['schedule'][number];

/** No more seconds are kept between overdue fetches of a host, however far apart the plan has them. */
const longestDelay = 10;

/** What is left of a plan, in order of time: overdue fetches once a page, and apart as the plan has its host's. */
export function stillToMake(
  { pages, schedule }: PlanSolution,
  now: number,
  lastFetch: (page: string) => number,
  urlOf: (page: string) => string,
  waits: Waits,
): Slot[] {
  const slots = [...schedule].sort((a, b) => a.time - b.time);
  const hostOf = (slot: Slot): string => URL.parse(urlOf(pages[slot.page].id))?.host ?? '';
  const delays = new Map<string, number>();
  const before = new Map<string, number>();
  for (const slot of slots) {
    const host = hostOf(slot);
    const last = before.get(host);
    if (last !== undefined) delays.set(host, Math.min(delays.get(host) ?? longestDelay, slot.time - last));
    before.set(host, slot.time);
  }
  const overdue = new Set<number>();
  const free = new Map<string, number>();
  const left: Slot[] = [];
  for (const slot of slots) {
    const { id } = pages[slot.page];
    if (slot.time <= lastFetch(id)) {
      waits.tried(id);
      continue;
    }
    if (slot.time <= now) {
      if (overdue.has(slot.page) || waits.leavesOut(id)) continue;
      overdue.add(slot.page);
    }
    const host = hostOf(slot);
    const time = Math.max(slot.time, free.get(host) ?? slot.time);
    // late ones push those after them
    free.set(host, Math.max(time, now) + (delays.get(host) ?? 0));
    left.push({ ...slot, time });
  }
  return left.sort((a, b) => a.time - b.time);
}
