/**
 * The crawlers' own classes with other settings than they ship with: `node bench/replay/tune-incumbents.ts TRACE`.
 *
 * Tries a grid of settings for each crawler on the whole trace. For each budget of --rates it shows the best that keeps
 * to it. Beside it stand all pages in turn and a plan at the very rate that it used. The settings are chosen with
 * hindsight, on the trace that judges them: what they reach is more than tuning could promise. With --compare only the
 * shipped settings run, and their fetches are counted against those of the rewritten rules.
 */
import { parseArgs } from 'node:util';
import { nutchAdaptive, stormCrawlerAdaptive } from './incumbents.ts';
import { asFetched, type OwnClass, ownClasses } from './own-classes.ts';
import { pageHistories, readTrace } from './page-history.ts';
import { plannedAhead, takingTurns } from './policies.ts';
import { day, type Policy, replay } from './replay.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '2023-01-01' },
    to: { type: 'string', default: '2026-08-01' },
    rates: { type: 'string', default: '0.0171,0.0297,0.0925' },
    compare: { type: 'boolean', default: false },
  },
});
if (positionals.length !== 1) {
  console.error('usage: node bench/replay/tune-incumbents.ts TRACE [--from …] [--to …] [--rates 0.0171,…] [--compare]');
  process.exit(2);
}
const start = Date.parse(`${values.from}T00:00:00Z`) / 1000;
const end = Date.parse(`${values.to}T00:00:00Z`) / 1000;
const pages = pageHistories(readTrace(positionals[0]), start, end);

/** Every combination of the values of each setting. */
function combinations(settings: Readonly<Record<string, readonly (string | number | boolean)[]>>) {
  let list: Record<string, string | number | boolean>[] = [{}];
  for (const [name, choices] of Object.entries(settings)) {
    list = list.flatMap((known) => choices.map((choice) => ({ ...known, [name]: choice })));
  }
  return list;
}

const adaptive = 'db.fetch.schedule.adaptive';
const grid: readonly OwnClass[] = [
  ...combinations({
    'db.fetch.interval.default': [5 * day, 15 * day, 30 * day],
    [`${adaptive}.max_interval`]: ['2592000.0', '5184000.0', '31536000.0'],
    [`${adaptive}.inc_rate`]: [0.2, 0.4],
    [`${adaptive}.dec_rate`]: [0.2, 0.4],
    [`${adaptive}.sync_delta`]: [true, false],
  }).map((settings) => ({ crawler: 'nutch', settings }) as const),
  ...combinations({
    'fetchInterval.default': [1440, 10_080, 43_200],
    'scheduler.adaptive.fetchInterval.max': [20_160, 43_200, 86_400, 172_800],
    'scheduler.adaptive.fetchInterval.rate.incr': ['0.2', '0.5', '1.0'],
    'scheduler.adaptive.fetchInterval.rate.decr': ['0.2', '0.5'],
  }).map((settings) => ({ crawler: 'stormcrawler', settings }) as const),
];

const shipped: readonly OwnClass[] = [
  { crawler: 'nutch', settings: {} },
  { crawler: 'stormcrawler', settings: {} },
];

function compare(): void {
  const rewritten = [nutchAdaptive(pages.length, start), stormCrawlerAdaptive(pages.length, start)];
  for (const [k, fetches] of ownClasses(pages, start, end, shipped).entries()) {
    const own = new Set<string>();
    for (const [time, { pages: list }] of fetches) for (const page of list) own.add(`${time} ${page}`);
    let both = 0;
    let made = 0;
    const { choose, observe } = rewritten[k];
    const counted: Policy = {
      observe,
      choose: (time) => {
        const chosen = Array.from(choose(time));
        made += chosen.length;
        both += chosen.filter((page) => own.has(`${time} ${page}`)).length;
        return chosen;
      },
    };
    replay(pages, counted, start, end);
    console.log(`${shipped[k].crawler}: own classes ${own.size} fetches, rewritten ${made}, the same ${both}`);
  }
}

function tune(): void {
  const runs = [...shipped, ...grid];
  const results = ownClasses(pages, start, end, runs).map((fetches, k) => {
    const { freshness, fetchRate } = replay(pages, asFetched(fetches), start, end);
    return { ...runs[k], freshness, fetchRate };
  });
  for (const budget of values.rates.split(',').map(Number)) {
    console.log(`at most ${budget} fetches a page and day`);
    for (const crawler of ['nutch', 'stormcrawler'] as const) {
      // What is a hundredth above the budget still counts: no setting keeps to one exactly.
      const within = results.filter((each) => each.crawler === crawler && each.fetchRate <= 1.01 * budget);
      const [best] = within.sort((a, b) => b.freshness - a.freshness);
      if (best === undefined) {
        console.log(`  ${crawler}: no setting of the grid makes so few`);
        continue;
      }
      const crawlRate = best.fetchRate;
      const turns = replay(pages, takingTurns(pages.length, crawlRate), start, end);
      const options = { crawlRate, firstPlan: 20 * day, planLength: 30 * day };
      const plan = replay(pages, plannedAhead(pages.length, start, options), start, end);
      const figures = `${crawlRate.toFixed(4)} fetches: ${best.freshness.toFixed(4)}`;
      console.log(
        `  ${crawler} ${figures}, in turn ${turns.freshness.toFixed(4)}, plan ${plan.freshness.toFixed(4)}  ${JSON.stringify(best.settings)}`,
      );
    }
  }
  console.log(`${grid.length} settings tried`);
}

if (values.compare) compare();
else tune();
