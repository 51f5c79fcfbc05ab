/**
 * Independent replications of a simulated queue and what they say: means with 95% intervals by Student's t.
 *
 * Every replication has its own random stream (seed + r/1024: streams of xoshiro128** seeded apart) and starts empty.
 * It is warmed up for a tenth of the duration (not counted) and then observed for the duration. A mean over
 * replications that have no value of a measure (nothing expired, say) is over those that have one.
 * Known limits: the intervals cover chance, not what is left of the start after the warm-up. The duration should be
 * long against the slowest time constant of the model.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { type Random, seededRandom } from '../numerics/random/random.ts';
import { studentQuantile } from '../numerics/special/student-t.ts';
import { type ActivationQueue, simulateActivation } from './activation-queue.ts';
import { type QueueCounts, type SimulatedQueue, simulateQueue } from './controlled-queue.ts';

export interface Estimate {
  readonly mean: number;
  /** 95% confidence interval of the mean. */
  readonly interval: readonly [number, number];
}

export interface SimulationResult<Name extends string> {
  /** Null where fewer than two replications had a value. */
  readonly measures: ReadonlyMap<Name, Estimate | null>;
  readonly events: number;
  readonly pages: number;
}

const queueMeasureNames = [
  'arrivalRate',
  'lossProbability',
  'obsolescenceProbability',
  'successProbability',
  'starvationProbability',
  'activeCrawlers',
  'queueLength',
  'responseTime',
  'obsoleteSojournTime',
  'sojournTime',
] as const;
const activationMeasureNames = ['starvationProbability', 'lossRate', 'activeCrawlers', 'meanQueueLength'] as const;

export type QueueMeasureName = (typeof queueMeasureNames)[number];
export type ActivationMeasureName = (typeof activationMeasureNames)[number];

/** Share of the duration that is simulated first and not counted. */
export const warmUpShare = 0.1;
/** Fewest replications an interval needs, and the most a run may have (streams are 1/1024 of a seed apart). */
export const minReplications = 2;
export const maxReplications = 1000;

const confidence = 0.95;

interface Run<Name extends string> {
  readonly values: Readonly<Record<Name, number>>;
  readonly events: number;
  readonly pages: number;
}

/** How long replications are, and how many. */
interface Replications {
  readonly duration: number;
  readonly replications: number;
}

/** @throws NothingToReturn when the budget ends first */
export function replicateQueue(
  queue: SimulatedQueue,
  { duration, replications }: Replications,
  budget: Budget,
): SimulationResult<QueueMeasureName> {
  return replicate(queueMeasureNames, replications, budget, (random, stop): Run<QueueMeasureName> | null => {
    const counts = simulateQueue(queue, random, { duration, warmUp: warmUpShare * duration, stop });
    if (counts === null) return null;
    return { values: measuresOf(counts), events: counts.events, pages: counts.arrived };
  });
}

function measuresOf(counts: QueueCounts): Record<QueueMeasureName, number> {
  const { time, arrived, lost, expired, served } = counts;
  return {
    arrivalRate: arrived / time,
    lossProbability: lost / arrived,
    obsolescenceProbability: expired / arrived,
    successProbability: served / arrived,
    starvationProbability: counts.emptyTime / time,
    activeCrawlers: counts.crawlerTime / time,
    queueLength: counts.pageTime / time,
    responseTime: counts.servedSojourn / served,
    obsoleteSojournTime: counts.expiredSojourn / expired,
    sojournTime: (counts.servedSojourn + counts.expiredSojourn) / arrived,
  };
}

/** As {@link replicateQueue}, for the activation-policy queue. */
export function replicateActivation(
  queue: ActivationQueue,
  duration: number,
  replications: number,
  budget: Budget,
): SimulationResult<ActivationMeasureName> {
  return replicate(activationMeasureNames, replications, budget, (random, stop): Run<ActivationMeasureName> | null => {
    const counts = simulateActivation(queue, duration, warmUpShare * duration, random, stop);
    if (counts === null) return null;
    return {
      values: {
        starvationProbability: counts.emptyTime / counts.time,
        lossRate: counts.lost / counts.time,
        activeCrawlers: counts.crawlerTime / counts.time,
        meanQueueLength: counts.pageTime / counts.time,
      },
      events: counts.events,
      pages: counts.arrived,
    };
  });
}

function replicate<Name extends string>(
  names: readonly Name[],
  replications: number,
  budget: Budget,
  run: (random: Random, stop: () => boolean) => Run<Name> | null,
): SimulationResult<Name> {
  const runs: Run<Name>[] = [];
  for (let r = 0; r < replications; r++) {
    const done = run(seededRandom(budget.seed + r / 1024), () => budget.stopRequested());
    if (done === null) {
      throw new NothingToReturn(
        `${r} of ${replications} replications had ended: shorten the duration, or ask for fewer`,
      );
    }
    runs.push(done);
    budget.report({ fraction: (r + 1) / replications });
  }
  return {
    measures: new Map(
      names.map((name) => [name, estimate(runs.map(({ values }) => values[name]).filter(Number.isFinite))]),
    ),
    events: runs.reduce((sum, { events }) => sum + events, 0),
    pages: runs.reduce((sum, { pages }) => sum + pages, 0),
  };
}

/** Mean and 95% interval; null with fewer than two values. */
function estimate(values: readonly number[]): Estimate | null {
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
