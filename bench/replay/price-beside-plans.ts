/**
 * Is a crawl by a price behind plans of a day? On blocks that have no page-time in common: windows of one trace one
 * after the other, or simulated traces of several seeds.
 *
 *   node bench/replay/price-beside-plans.ts TRACE --starts 2017-11-01,2020-07-01 --months 32 --rates 0.0182,0.0865
 *   node bench/replay/price-beside-plans.ts --simulated --seeds 1-12 --starts 2023-01-01 --months 43 --rates 0.0377
 *
 * A line a block has both numbers of fetches, both freshnesses, and what the price gains ± the bootstrap's error over
 * hosts. The last line of a rate has the mean over the blocks ± its error from their errors, and ± that from how the
 * gains differ.
 */
import { parseArgs } from 'node:util';
import { standardError } from './bootstrap.ts';
import { byPrice } from './by-price.ts';
import { type PageHistory, pageHistories, readTrace } from './page-history.ts';
import { plannedAhead } from './policies.ts';
import { day, replay } from './replay.ts';
import { simulateTrace } from './simulated-trace.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    simulated: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '1-1' },
    hosts: { type: 'string', default: '30' },
    starts: { type: 'string', default: '2023-01-01' },
    months: { type: 'string', default: '43' },
    rates: { type: 'string', default: '0.0297' },
  },
});

interface Block {
  readonly name: string;
  readonly pages: readonly PageHistory[];
  readonly start: number;
  readonly end: number;
}

function* blocks(): Generator<Block> {
  const lines = values.simulated ? null : readTrace(positionals[0]);
  const [first, last] = values.seeds.split('-').map(Number);
  for (const from of values.starts.split(',')) {
    const date = new Date(`${from}T00:00:00Z`);
    const start = date.getTime() / 1000;
    const end = date.setUTCMonth(date.getUTCMonth() + Number(values.months)) / 1000;
    if (lines !== null) yield { name: from, pages: pageHistories(lines, start, end), start, end };
    else {
      for (let seed = first; seed <= last; seed++) {
        const trace = simulateTrace({ hosts: Number(values.hosts), pagesPerHost: 10, seed }, start, end);
        yield { name: `seed ${seed}`, pages: pageHistories(trace, start, end), start, end };
      }
    }
  }
}

for (const crawlRate of values.rates.split(',').map(Number)) {
  console.log(`at ${crawlRate} fetches a page and day: fetches of plans and price, freshness, gain of the price`);
  const gains: { gain: number; error: number }[] = [];
  for (const { name, pages, start, end } of blocks()) {
    const plans = plannedAhead(pages.length, start, { crawlRate, firstPlan: day, planLength: day });
    const [planned, priced] = [plans, byPrice(pages.length, start, { crawlRate })].map((policy) =>
      replay(pages, policy, start, end),
    );
    const gain = priced.freshness - planned.freshness;
    const error = standardError(
      pages,
      priced.freshnessByPage.map((share, i) => share - planned.freshnessByPage[i]),
    );
    gains.push({ gain, error });
    const figures = [planned.fetchRate, priced.fetchRate, planned.freshness, priced.freshness, gain];
    console.log(
      `${name}, ${pages.length} pages: ${figures.map((figure) => figure.toFixed(4)).join('  ')} ± ${error.toFixed(4)}`,
    );
  }
  const blocksMade = gains.length;
  if (blocksMade === 1) continue;
  const mean = gains.reduce((sum, { gain }) => sum + gain, 0) / blocksMade;
  const within = Math.sqrt(gains.reduce((sum, { error }) => sum + error ** 2, 0)) / blocksMade;
  const between = Math.sqrt(
    gains.reduce((sum, { gain }) => sum + (gain - mean) ** 2, 0) / (blocksMade - 1) / blocksMade,
  );
  console.log(
    `mean of ${blocksMade}: ${mean.toFixed(4)} ± ${within.toFixed(4)} (± ${between.toFixed(4)} between blocks)`,
  );
}
