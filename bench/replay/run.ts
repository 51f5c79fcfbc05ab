/**
 * Does a plan keep copies fresher than what crawlers ship? `node bench/replay/run.ts PATH [start end]` replays a page-change
 * history (one JSON object a line: id, firstFetch, changes in Unix seconds) from 2023-01-01 to 2026-08-01 unless told otherwise:
 * the shipped schedules at their defaults, all pages in turn, and crawl-plan by both estimators, planning 30 days ahead from
 * nothing but the bits it saw. Every plan is replayed three times, the first plan lasting 10, 20 and 30 days.
 * Exits with 1 when a freshness of `expected` is missed (at the default window only).
 */
import type { Estimator } from '../../src/solvers/crawl-plan/index.ts';
import { nutchAdaptive, stormCrawlerAdaptive } from './incumbents.ts';
import { readPageHistories } from './page-history.ts';
import { plannedAhead, takingTurns } from './policies.ts';
import { day, type Policy, replay } from './replay.ts';

const [path, from = '2023-01-01', to = '2026-08-01'] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: node bench/replay/run.ts PATH [start end], e.g. … history.ndjson 2023-01-01 2026-08-01');
  process.exit(2);
}
const start = Date.parse(`${from}T00:00:00Z`) / 1000;
const end = Date.parse(`${to}T00:00:00Z`) / 1000;
const pages = readPageHistories(path, start, end);
const standard = from === '2023-01-01' && to === '2026-08-01';

/** Fetches a page and day, the last what Nutch makes here; and what online estimation is to reach at them (null: not set). */
const crawlRates = [
  { crawlRate: 0.0229, expected: 0.9011 },
  { crawlRate: 0.0981, expected: 0.9682 },
  { crawlRate: 0.0297, expected: 0.9189 },
  { crawlRate: 0.017, expected: null },
] as const;
const firstPlans = [10, 20, 30];

function show(name: string, policies: readonly Policy[]): number {
  const began = performance.now();
  const results = policies.map((policy) => replay(pages, policy, start, end));
  const mean = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length;
  const freshness = mean((result) => result.freshness);
  const each = results.map((result) => result.freshness.toFixed(4)).join(' ');
  const gap = Math.max(...results.map((result) => result.longestGap)) / day;
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${name.padEnd(48)} ${freshness.toFixed(4)}  at ${mean((result) => result.fetchRate).toFixed(4)} fetches a page and day, longest gap ${gap.toFixed(0)} days (${each}; ${seconds.toFixed(1)} s)`,
  );
  return freshness;
}

console.log(`${pages.length} pages, ${from} to ${to}`);
show('Apache Nutch AdaptiveFetchSchedule', [nutchAdaptive(pages.length, start)]);
show('StormCrawler AdaptiveScheduler', [stormCrawlerAdaptive(pages.length, start)]);
let missed = false;
for (const { crawlRate, expected } of crawlRates) {
  console.log(`at ${crawlRate} fetches a page and day:`);
  show('  all pages in turn', [takingTurns(pages.length, crawlRate)]);
  for (const estimator of ['maximum-likelihood', 'drifting-rate'] satisfies Estimator[]) {
    const policies = firstPlans.map((days) =>
      plannedAhead(pages.length, start, { estimator, crawlRate, firstPlan: days * day, planLength: 30 * day }),
    );
    const freshness = show(`  crawl-plan, ${estimator}`, policies);
    if (standard && expected !== null && freshness < expected) {
      missed = true;
      console.log(`  MISSED: ${expected} was to be reached`);
    }
  }
}
process.exitCode = missed ? 1 : 0;
