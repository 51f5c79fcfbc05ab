/** One run of a simulated queue: starts empty, the warm-up is simulated but not counted, then the duration. */

/** Counts of pages, and the sojourn times of those that left. */
export const createCounts = () => ({
  arrived: 0,
  lost: 0,
  expired: 0,
  served: 0,
  /** Sums over the pages that left. */
  servedSojourn: 0,
  expiredSojourn: 0,
});
export type PageCounts = ReturnType<typeof createCounts>;

/** What was counted in one run, after its warm-up. */
export interface RunCounts extends Readonly<PageCounts> {
  readonly time: number;
  /** Integrals over time. */
  readonly emptyTime: number;
  readonly crawlerTime: number;
  readonly pageTime: number;
  readonly events: number;
}

/** A queue with its state and its next event. */
export interface EventQueue {
  readonly level: number;
  readonly crawlers: number;
  /** Counts since this field was last replaced. */
  counts: PageCounts;
  /** Time of the next event; NaN when the run was stopped. */
  nextEvent(now: number): number;
  /** Makes that event happen. */
  happen(now: number): void;
}

/** Length of a run, and its stop condition. */
export interface RunLength {
  readonly duration: number;
  /** Simulated first, and not counted. */
  readonly warmUp: number;
  /** Polled every few thousand events; a run that is stopped returns null. */
  readonly stop: () => boolean;
}

/** Events, or changes of phase, between two polls. */
export const pollEvery = 8192;

/** Null when stopped. */
export function runQueue(queue: EventQueue, { duration, warmUp, stop }: RunLength): RunCounts | null {
  const end = warmUp + duration;
  let [now, events, emptyTime, crawlerTime, pageTime] = [0, 0, 0, 0, 0];
  let isCounting = warmUp === 0;
  for (;;) {
    if (++events % pollEvery === 0 && stop()) return null;
    const next = queue.nextEvent(now);
    if (Number.isNaN(next)) return null;
    if (!isCounting && next >= warmUp) {
      isCounting = true;
      now = warmUp;
      queue.counts = createCounts();
    }
    const span = Math.min(next, end) - now;
    if (isCounting) {
      if (queue.level === 0) emptyTime += span;
      crawlerTime += span * queue.crawlers;
      pageTime += span * queue.level;
    }
    if (next >= end) return { time: duration, ...queue.counts, emptyTime, crawlerTime, pageTime, events };
    now = next;
    queue.happen(now);
  }
}
