/**
 * Independent replications of a simulated queue and what they say: means with 95% intervals by Student's t.
 *
 * Every replication has its own random stream (seed + r/1024: streams of xoshiro128** seeded apart) and starts empty.
 * It is warmed up for a tenth of the duration (not counted) and then observed for the duration. A mean over
 * replications that have no value of a measure (nothing expired, say) is over those that have one.
 * Known limits: the intervals cover sampling error, not the bias of the empty start that remains after the warm-up. The
 * duration should be long against the slowest time constant of the model.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { type Random, seededRandom } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import { studentQuantile } from '../numerics/special/student-t.ts';

/** Counts of pages, and the sums of the sojourn times of those that left. */
export const createCounts = () => ({ arrived: 0, lost: 0, expired: 0, served: 0, servedSojourn: 0, expiredSojourn: 0 });
type PageCounts = ReturnType<typeof createCounts>;

/** A queue with its state: what happens next, by two exponential clocks and at a time that is known. */
export interface EventQueue {
  readonly level: number;
  readonly crawlers: number;
  /** Counts since this field was last replaced. */
  counts: PageCounts;
  /** Rates of the next change of the arrival process, with pages or without, and of the next event of service. */
  readonly changeRate: number;
  readonly serviceRate: number;
  /** When the next page expires; infinite when none does. */
  readonly nextExpiry: number;
  change(now: number): void;
  serve(now: number): void;
  expire(now: number): void;
}

/** What was counted in one run, after its warm-up, and integrals over time. */
interface RunCounts extends Readonly<PageCounts> {
  readonly emptyTime: number;
  readonly crawlerTime: number;
  readonly pageTime: number;
  readonly events: number;
}

export interface Estimate {
  readonly mean: number;
  /** 95% confidence interval of the mean. */
  readonly interval: readonly [number, number];
}

/** Every measure of one run; NaN for a mean over pages where the run had no such page. */
const measuresOf = (counts: RunCounts, duration: number) => ({
  arrivalRate: counts.arrived / duration,
  lossProbability: counts.lost / counts.arrived,
  lossRate: counts.lost / duration,
  obsolescenceProbability: counts.expired / counts.arrived,
  successProbability: counts.served / counts.arrived,
  starvationProbability: counts.emptyTime / duration,
  activeCrawlers: counts.crawlerTime / duration,
  queueLength: counts.pageTime / duration,
  meanQueueLength: counts.pageTime / duration,
  responseTime: counts.servedSojourn / counts.served,
  obsoleteSojournTime: counts.expiredSojourn / counts.expired,
  sojournTime: (counts.servedSojourn + counts.expiredSojourn) / counts.arrived,
});
export type MeasureName = keyof ReturnType<typeof measuresOf>;

/** Share of the duration that is simulated first and not counted. */
export const warmUpShare = 0.1;
/** Fewest replications an interval needs, and the most a run may have (streams are 1/1024 of a seed apart). */
export const minReplications = 2;
export const maxReplications = 1000;
/** Events, or changes of phase, between two polls. */
export const eventsPerPoll = 8192;

const confidence = 0.95;

/** How long replications are, and how many. */
export interface ReplicationPlan {
  /** Time units observed in each replication. */
  readonly duration: number;
  readonly replications: number;
}

/**
 * Runs independent replications of a queue and estimates the named measures.
 *
 * @param createQueue makes a queue in its initial state
 * @throws NothingToReturn when the budget ends first
 */
export function replicate(
  names: readonly MeasureName[],
  createQueue: (random: Random, poll: () => void) => EventQueue,
  { duration, replications }: ReplicationPlan,
  budget: Budget,
) {
  const runs: RunCounts[] = [];
  const poll = (): void => {
    if (!budget.stopRequested()) return;
    const message = `${runs.length} of ${replications} replications had ended: shorten the duration, or ask for fewer`;
    throw new NothingToReturn(message);
  };
  for (let r = 0; r < replications; r++) {
    const random = seededRandom(budget.seed + r / 1024);
    runs.push(runQueue(createQueue(random, poll), random, duration, poll));
    budget.report({ fraction: (r + 1) / replications });
  }
  const values = runs.map((counts) => measuresOf(counts, duration));
  return {
    measures: Object.fromEntries(names.map((name) => [name, estimate(values.map((each) => each[name]))])),
    events: runs.reduce((sum, { events }) => sum + events, 0),
    pages: runs.reduce((sum, { arrived }) => sum + arrived, 0),
  };
}

/** One run: the warm-up, then the duration, which alone counts. The clocks are drawn anew at every event. */
function runQueue(queue: EventQueue, random: Random, duration: number, poll: () => void): RunCounts {
  const warmUp = warmUpShare * duration;
  const end = warmUp + duration;
  let [now, events, emptyTime, crawlerTime, pageTime] = [0, 0, 0, 0, 0];
  let isCounting = false;
  for (;;) {
    if (++events % eventsPerPoll === 0) poll();
    const { changeRate, serviceRate, nextExpiry } = queue;
    const rate = changeRate + serviceRate;
    const next = Math.min(now + standardExponential(random) / rate, nextExpiry);
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
    if (next >= end) return { ...queue.counts, emptyTime, crawlerTime, pageTime, events };
    now = next;
    if (next === nextExpiry) queue.expire(now);
    else if (random() * rate < changeRate) queue.change(now);
    else queue.serve(now);
  }
}

/** Mean and 95% interval of the finite values; null with fewer than two of them. */
function estimate(replicationValues: readonly number[]): Estimate | null {
  const values = replicationValues.filter(Number.isFinite);
  const n = values.length;
  if (n < minReplications) return null;
  const mean = values.reduce((sum, value) => sum + value / n, 0);
  // In units of the largest deviation: squares of very large or very small ones leave the range of doubles.
  const unit = values.reduce((largest, value) => Math.max(largest, Math.abs(value - mean)), 0);
  const variance = unit === 0 ? 0 : values.reduce((sum, value) => sum + ((value - mean) / unit) ** 2, 0) / (n - 1);
  const half = studentQuantile(confidence, n - 1) * Math.sqrt(variance / n) * unit;
  if (!(half < Number.POSITIVE_INFINITY)) return null;
  return { mean, interval: [mean - half, mean + half] };
}
