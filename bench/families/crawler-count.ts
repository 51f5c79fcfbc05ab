/**
 * `crawler-count` against counts that a short formula names: a load of one, nine tenths and eleven tenths
 * of that. Indexing takes a fixed time.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { solveCrawlerCount } from '../../src/solvers/crawler-count/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { named, type Point, points } from './draws.ts';

const axes = {
  capacity: [1, 3, 20, 100],
  // of one crawler, in the time of one page
  rate: [0.5, 0.01, 1e-4],
  starvation: [0.1, 1, 10, 1000],
  crawler: [0, 0.001, 0.1],
} as const;
type Case = Point<typeof axes>;

export const crawlerCountContest: Contest = {
  operation: 'crawler-count',
  instances: (size, seed) => points(axes, size === 'grid' ? 72 : 16, seed).map(instanceOf),
};

function instanceOf(point: Case): Instance {
  const ofLoad = (load: number) => () => costOf(point, Math.max(1, Math.round(load / point.rate)));
  return {
    axes: named(point),
    solve: () => solved(point),
    rules: { 'load one': ofLoad(1), 'nine tenths': ofLoad(0.9), 'eleven tenths': ofLoad(1.1) },
  };
}

function solved(point: Case): Outcome {
  const { capacity, rate, starvation, crawler } = point;
  const { objective, solution } = solveCrawlerCount(
    {
      crawlerRate: rate,
      service: { type: 'deterministic', value: 1 },
      capacity,
      costs: { loss: 1, starvation, crawler },
    },
    unlimitedBudget(),
  );
  if (objective === undefined || solution === undefined) throw new Error('no count');
  return { value: objective.value, gap: objective.gap, recomputed: costOf(point, solution.crawlers) };
}

/** An M/D/1/K queue by the lengths that indexed pages leave behind. */
function costOf({ capacity, rate, starvation, crawler }: Case, crawlers: number): number {
  const load = rate * crawlers;
  // chances of so many arrivals while one page is indexed, and the lengths' chances in units of that of 0
  const arrive = [Math.exp(-load)];
  for (let k = 1; k <= capacity; k++) arrive.push((arrive[k - 1] * load) / k);
  const lengths = [1];
  for (let k = 0; k + 1 < capacity; k++) {
    let next = lengths[k] - arrive[k] * lengths[0];
    for (let i = 1; i <= k; i++) next -= arrive[k - i + 1] * lengths[i];
    lengths.push(next / arrive[0]);
  }
  const empty = 1 / lengths.reduce((sum, each) => sum + each, 0);
  const idle = empty / (empty + load);
  const full = 1 - 1 / (empty + load);
  return starvation * idle + load * full + crawler * crawlers;
}
