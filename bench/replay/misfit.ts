/**
 * What do the options of crawl-plan cost where there is nothing for them to find? `node bench/replay/misfit.ts [SEEDS]`
 *
 * For each seed 100 independent Poisson pages, from an empty log, 360 days, .05 fetches a page and day, plans of 30
 * days (the first of ten): expected freshness (independent-pages.ts) with an option over that without it. Nothing was
 * set on these pages.
 */
import { utc } from '../../src/solvers/estimation/rhythm/index.ts';
import { expectedFreshness, independentPages } from './independent-pages.ts';
import { type Learning, plannedAhead } from './policies.ts';
import { day } from './replay.ts';

const [seeds = '5'] = process.argv.slice(2);
const count = 100;
const start = Date.parse('2023-01-01T00:00:00Z') / 1000;
const hosts = Int32Array.from({ length: count }, (_, i) => Math.floor(i / 5));
const options: Readonly<Record<string, Learning>> = {
  groups: { groups: { group: hosts, names: Array.from({ length: count / 5 }, String) } },
  bursts: { bursts: true },
  rhythm: { rhythm: { wall: utc, peak: 4 } },
  exploration: { exploration: true },
};

function freshness(seed: number, learning: Learning): number {
  const plan = { estimator: 'drifting-rate', crawlRate: 0.05, firstPlan: 10 * day, planLength: 30 * day } as const;
  return expectedFreshness(
    independentPages(count, start, 360, seed),
    plannedAhead(count, start, { ...plan, learning }),
  );
}

const plain = Array.from({ length: Number(seeds) }, (_, k) => freshness(101 + k, {}));
for (const [name, learning] of Object.entries(options)) {
  const gains = plain.map((without, k) => freshness(101 + k, learning) - without);
  const mean = gains.reduce((sum, gain) => sum + gain / gains.length, 0);
  console.log(
    `${name.padEnd(12)} ${mean.toFixed(5)} in the mean of ${gains.length}, at worst ${Math.min(...gains).toFixed(5)}`,
  );
}
