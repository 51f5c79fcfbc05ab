/**
 * The whole scheme at the size its users have: 100,000 Poisson pages, half a million crawls, ten crawlers with a slot
 * for every crawl. Checked by its certificate first; the gap of every run is printed.
 */
import { verify } from '../src/certificates/verify.ts';
import { crawlSchedule } from '../src/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { Benchmark } from './benchmark.ts';

function requestOf(pages: number, crawls: number, slots: number) {
  const random = seededRandom(1);
  return {
    interval: 1,
    crawls,
    crawlers: new Array(10).fill({ slots: slots / 10 }),
    pages: {
      changeRate: Array.from({ length: pages }, () => 4 * random() + 0.1),
      lastCrawlAge: Array.from({ length: pages }, () => (random() * pages) / crawls),
    },
    options: { seed: 1 },
  };
}

function benchmark(slots: number): Benchmark {
  const request = requestOf(100_000, 500_000, slots);
  let gap: number | null | undefined;
  const solve = () => {
    const answer = crawlSchedule(request);
    gap = answer.objective?.gap;
    return answer;
  };
  return {
    name: `crawl-schedule, 1e5 Poisson pages, 5e5 crawls, ${slots} slots`,
    target: 'under 3 s, gap under 1%',
    check() {
      const { faults } = verify('crawl-schedule', request, solve());
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '));
    },
    run: () => void solve(),
    repetitions: 3,
    figures: () => ({ 'gap to the bound': gap ?? 'none' }),
  };
}

export const benchmarks: readonly Benchmark[] = [benchmark(500_000), benchmark(750_000)];
