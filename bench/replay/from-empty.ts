/**
 * How soon does a plan that begins with an empty log keep pages as fresh as it ever will?
 * `node bench/replay/from-empty.ts [SEED [WINDOWS]]`
 *
 * There are 60 pages, half of which change 30 times a day and half once in five days. There are 12 fetches a day, and
 * plans of five days. With a seed they are others, on which no constant was set: 60 pages whose rates are lognormal
 * about one change in two days (σ = 2.5). Freshness is the expected one (independent-pages.ts) in windows of 20 days.
 * Settled is the mean of the last 80 days; reached is the first window that comes within .002 of it.
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import { expectedFreshness, type IndependentPages } from './independent-pages.ts';
import { plannedAhead } from './policies.ts';
import { day } from './replay.ts';

const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
const window = 20;
const [seed = '', count = '12'] = process.argv.slice(2);
const windows = Number(count);
const random = seededRandom(Number(seed));
const rates = Float64Array.from({ length: 60 }, (_, i) => {
  if (seed === '') return (i % 2 === 0 ? 30 : 0.2) / day;
  return Math.exp(2.5 * standardNormal(random)) / (2 * day);
});

/** The same pages, up to the end of a window. */
function pagesUntil(days: number): IndependentPages {
  const end = start + days * day;
  const pages = Array.from(rates, (rate, i) => {
    const own = seededRandom(i + 1);
    const changes: number[] = [];
    for (let t = start; t < end; t += standardExponential(own) / rate) if (t > start) changes.push(t);
    return { id: `${i}`, host: `${i}`, changes: Float64Array.from(changes) };
  });
  return { pages, rates, start, end };
}

function byWindow(knownRates?: () => Float64Array): number[] {
  return Array.from({ length: windows }, (_, w) => {
    const setting = pagesUntil(window * (w + 1));
    const policy = plannedAhead(rates.length, start, {
      crawlRate: 0.2,
      firstPlan: 5 * day,
      planLength: 5 * day,
      ...(knownRates && { knownRates }),
    });
    return expectedFreshness(setting, policy, setting.end - window * day);
  });
}

for (const [name, fresh] of [
  ['rates known', byWindow(() => rates)],
  ['plan', byWindow()],
] as const) {
  const settled = fresh.slice(-4).reduce((sum, value) => sum + value / 4, 0);
  const reached = fresh.findIndex((value) => value >= settled - 0.002);
  const shown = fresh.map((value) => value.toFixed(3)).join(' ');
  console.log(`${name.padEnd(12)} ${shown}  settled ${settled.toFixed(4)}, reached by day ${window * (reached + 1)}`);
}
