/**
 * Is a crawl by a price behind plans of a day? On many blocks: windows of one trace, which may overlap, or simulated
 * traces of several seeds.
 *
 *   node bench/replay/price-beside-plans.ts TRACE --starts 2017-11-01,2020-07-01 --months 32 --rates 0.0182,0.0865
 *   node bench/replay/price-beside-plans.ts --simulated --seeds 1-12 --starts 2023-01-01 --months 43 --rates 0.0377
 *
 * A line a block has both numbers of fetches, both freshnesses, and what the price gains ± the bootstrap's error over
 * hosts. The last line of a rate has that over the pages of all blocks: a host is drawn with its pages of every window.
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
  const all: { page: PageHistory; gain: number }[] = [];
  for (const { name, pages, start, end } of blocks()) {
    const plans = plannedAhead(pages.length, start, { crawlRate, firstPlan: day, planLength: day });
    const [planned, priced] = [plans, byPrice(pages.length, start, { crawlRate })].map((policy) =>
      replay(pages, policy, start, end),
    );
    const gains = priced.freshnessByPage.map((share, i) => share - planned.freshnessByPage[i]);
    for (const [i, page] of pages.entries()) {
      all.push({ page: { ...page, host: values.simulated ? `${name} ${page.host}` : page.host }, gain: gains[i] });
    }
    const figures = [planned.fetchRate, priced.fetchRate, planned.freshness, priced.freshness];
    console.log(
      `${name}, ${pages.length} pages: ${figures.map((figure) => figure.toFixed(4)).join('  ')}  ${gain(pages, gains)}`,
    );
  }
  const gains = Float64Array.from(all, (each) => each.gain);
  const pages = all.map(({ page }) => page);
  console.log(`${pages.length} pages of all blocks: ${gain(pages, gains)}`);
}

function gain(pages: readonly PageHistory[], gains: Float64Array): string {
  const mean = gains.reduce((sum, each) => sum + each, 0) / pages.length;
  return `${mean.toFixed(5)} ± ${standardError(pages, gains).toFixed(5)}`;
}
