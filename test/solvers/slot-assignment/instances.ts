/** Random instances of every combination of features, small enough for brute force. */
import type { Random } from '../../../src/solvers/numerics/random/random.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';

/** What an instance may have; each feature doubles the combinations. */
export interface Features {
  readonly releases: boolean;
  readonly weights: boolean;
  readonly restrictions: boolean;
  readonly windows: boolean;
  readonly dropping: boolean;
}

export const allFeatures: Features[] = Array.from({ length: 32 }, (_, bits) => ({
  releases: (bits & 1) !== 0,
  weights: (bits & 2) !== 0,
  restrictions: (bits & 4) !== 0,
  windows: (bits & 8) !== 0,
  dropping: (bits & 16) !== 0,
}));

/** A random instance; half of them have their times on a coarse grid, so that ties abound. */
export function randomInstance(random: Random, features: Features, mostTasks: number): SlotAssignmentProblem {
  const pick = (n: number): number => Math.floor(random() * n);
  const crawlers = 1 + pick(3);
  const interval = random() < 0.5 ? 12 : 0.5 + 10 * random();
  const same = random() < 0.5;
  const first = 1 + pick(3);
  const slotCounts = Int32Array.from({ length: crawlers }, () => (same ? first : pick(4)));
  const total = slotCounts.reduce((sum, count) => sum + count, 0);
  const n = Math.min(mostTasks, Math.max(0, total - pick(3) + (random() < 0.25 ? 1 + pick(2) : 0)));
  const tied = random() < 0.5;
  const time = (): number => (tied ? pick(7) * 2 - 1 : (random() * 1.3 - 0.15) * interval) * (interval / 12);
  const idealTime = Float64Array.from({ length: n }, time);
  const equal = random() < 0.2 ? 2.5 : 0;
  const weight = features.weights
    ? Float64Array.from({ length: n }, () => equal || (tied ? pick(4) : 0.1 + 5 * random()))
    : null;
  const kind = features.releases ? Uint8Array.from({ length: n }, () => (random() < 0.4 ? 1 : 0)) : null;
  let allowed = null;
  if (features.restrictions) {
    const share = random();
    const lists = Array.from({ length: n }, () =>
      random() < 0.2 ? [] : Array.from(slotCounts.keys()).filter(() => random() < share),
    );
    const affinity = random() < 0.3;
    const chosen = lists.map((list) => (affinity ? [pick(crawlers)] : list));
    const start = new Int32Array(n + 1);
    chosen.forEach((list, j) => {
      start[j + 1] = start[j] + list.length;
    });
    allowed = { start, crawlers: Int32Array.from(chosen.flat()) };
  }
  const early = random();
  const late = random();
  const earliest = features.windows
    ? Float64Array.from({ length: n }, () => (random() < early ? Number.NEGATIVE_INFINITY : time() - interval / 3))
    : null;
  const latest = features.windows
    ? Float64Array.from({ length: n }, (_, j) =>
        random() < late ? Number.POSITIVE_INFINITY : Math.max(earliest?.[j] ?? 0, time() + interval / 3),
      )
    : null;
  const dropPenalty = features.dropping
    ? random() < 0.15
      ? 0
      : (random() * interval * (features.weights ? 2 : 1)) / 2
    : Number.POSITIVE_INFINITY;
  return { interval, slotCounts, idealTime, kind, weight, allowed, earliest, latest, dropPenalty };
}

/** The instance as text for the message of a failing test. */
export function described(instance: SlotAssignmentProblem): string {
  return JSON.stringify(instance, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as unknown as Float64Array) : value,
  );
}
