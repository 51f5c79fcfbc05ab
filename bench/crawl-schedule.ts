/**
 * The whole scheme at the size its users have: 100,000 Poisson pages, half a million crawls, ten crawlers with a slot
 * for every crawl. Checked by its certificate first; the gap of every run is printed.
 */

import { unlimitedBudget } from '../src/solvers/budget.ts';
import { UpdateProcesses } from '../src/solvers/crawl-allocation/index.ts';
import { type CrawlScheduleProblem, solveCrawlSchedule } from '../src/solvers/crawl-schedule/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { certifyCrawlSchedule } from '../test/oracles/crawl-schedule.ts';
import type { Benchmark } from './benchmark.ts';

function problemOf(pages: number, crawls: number, slots: number): CrawlScheduleProblem {
  const random = seededRandom(1);
  const updates = new UpdateProcesses(pages);
  for (let i = 0; i < pages; i++) updates.setPoisson(i, 4 * random() + 0.1, []);
  return {
    allocation: {
      interval: 1,
      crawls,
      updates,
      weight: new Float64Array(pages).fill(1),
      minCrawls: new Int32Array(pages),
      maxCrawls: new Int32Array(pages).fill(-1),
      lastCrawlAge: Float64Array.from({ length: pages }, () => (random() * pages) / crawls),
      hosts: null,
      quasiDeterministic: 'exact',
      idealTimes: true,
      objective: 'freshness',
      baselines: true,
    },
    upTo: false,
    slotCounts: new Int32Array(10).fill(slots / 10),
    hostDelays: null,
  };
}

let gap: number | null = null;
function solve(problem: CrawlScheduleProblem) {
  const answer = solveCrawlSchedule(problem, unlimitedBudget(1));
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  gap = answer.objective.gap;
  return answer;
}

function benchmark(slots: number): Benchmark {
  const problem = problemOf(100_000, 500_000, slots);
  return {
    name: `crawl-schedule, 1e5 Poisson pages, 5e5 crawls, ${slots} slots`,
    target: 'under 3 s, gap under 1%',
    check() {
      const faults = certifyCrawlSchedule(problem, solve(problem), 20);
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '));
    },
    run: () => void solve(problem),
    repetitions: 3,
    figures: () => ({ 'gap to the bound': gap ?? 'none' }),
  };
}

export const benchmarks: readonly Benchmark[] = [benchmark(500_000), benchmark(750_000)];
