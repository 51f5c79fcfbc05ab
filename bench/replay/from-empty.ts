/**
 * How soon does a plan that begins with an empty log keep pages as fresh as it ever will? `node bench/replay/from-empty.ts`
 *
 * The pages are those of docs/crawl-plan.md on exploration: 60, half of which change 30 times a day and half once in five days; 12
 * fetches a day, plans of five days. Freshness is the expected one (independent-pages.ts) in windows of 20 days; settled is the
 * mean of the last 80 days, reached the first window that comes within .002 of it.
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';
import { expectedFreshness, type IndependentPages } from './independent-pages.ts';
import { type PlanOptions, plannedAhead } from './policies.ts';
import { day } from './replay.ts';

const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
const window = 20;
const windows = 12;
const rates = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 30 : 0.2) / day);

/** The same pages, up to the end of a window. */
function pagesUntil(days: number): IndependentPages {
  const end = start + days * day;
  const pages = Array.from(rates, (rate, i) => {
    const random = seededRandom(i + 1);
    const changes: number[] = [];
    for (let t = start; t < end; t += standardExponential(random) / rate) if (t > start) changes.push(t);
    return { id: `${i}`, host: `${i}`, changes: Float64Array.from(changes) };
  });
  return { pages, rates, start, end };
}

function byWindow(learning: PlanOptions['learning'], knownRates?: () => Float64Array): number[] {
  return Array.from({ length: windows }, (_, w) => {
    const setting = pagesUntil(window * (w + 1));
    const policy = plannedAhead(rates.length, start, {
      estimator: 'drifting-rate',
      crawlRate: 0.2,
      firstPlan: 5 * day,
      planLength: 5 * day,
      ...(learning && { learning }),
      ...(knownRates && { knownRates }),
    });
    return expectedFreshness(setting, policy, setting.end - window * day);
  });
}

for (const [name, fresh] of [
  ['rates known', byWindow(undefined, () => rates)],
  ['drifting', byWindow(undefined)],
  ['exploration', byWindow({ exploration: true })],
] as const) {
  const settled = fresh.slice(-4).reduce((sum, value) => sum + value / 4, 0);
  const reached = fresh.findIndex((value) => value >= settled - 0.002);
  const shown = fresh.map((value) => value.toFixed(3)).join(' ');
  console.log(`${name.padEnd(12)} ${shown}  settled ${settled.toFixed(4)}, reached by day ${window * (reached + 1)}`);
}
