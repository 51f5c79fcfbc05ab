/**
 * How fresh does each policy keep the pages of a trace? `node bench/replay/run.ts TRACE` or `node bench/replay/run.ts --simulated`.
 *
 * The protocol is in docs/maintainers/replay.md: the window and its 12-hour grid, and the budgets, those that the
 * incumbents use here and those of --rates. The policies go from all pages in turn to an oracle of the true rates.
 * Each policy runs three times, with first plans of 10, 20 and 30 days and later ones of 30. Standard errors are by a
 * bootstrap over hosts, those of gains of the differences page by page. The incumbents' rules are written anew from
 * their sources. With --hold RATE=FRESHNESS (may be repeated) it ends with 1 where the plan at that rate falls short.
 */
import { parseArgs } from 'node:util';
import { standardError } from './bootstrap.ts';
import { nutchAdaptive, stormCrawlerAdaptive } from './incumbents.ts';
import { localRates, meanRates } from './oracles.ts';
import { pageHistories, readTrace, type TraceLine } from './page-history.ts';
import { type PlanOptions, planPolicy, turnsPolicy } from './policies.ts';
import { pricePolicy } from './price-policy.ts';
import { day, type Policy, type ReplayResult, replay } from './replay.ts';
import { simulateTrace } from './simulated-trace.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '2023-01-01' },
    to: { type: 'string', default: '2026-08-01' },
    rates: { type: 'string', default: '' },
    hold: { type: 'string', multiple: true, default: [] },
    simulated: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    hosts: { type: 'string', default: '30' },
  },
});
if ((positionals.length === 0) !== values.simulated) {
  console.error(
    'usage: node bench/replay/run.ts TRACE | --simulated [--seed 1] [--hosts 30] [--from 2023-01-01] [--to 2026-08-01]',
  );
  console.error('         [--rates 0.0297,0.0981] [--hold 0.0297=0.9189]');
  process.exit(2);
}
const start = Date.parse(`${values.from}T00:00:00Z`) / 1000;
const end = Date.parse(`${values.to}T00:00:00Z`) / 1000;
/** Lengths of the first plan of each run, and of later plans, days. */
const firstPlans = [10, 20, 30];
const planDays = 30;

function trace(): TraceLine[] {
  if (!values.simulated) return readTrace(positionals[0]);
  return simulateTrace({ hosts: Number(values.hosts), pagesPerHost: 10, seed: Number(values.seed) }, start, end);
}
const pages = pageHistories(trace(), start, end);

/** Means over the runs: the freshness in all and of each page. */
interface Outcome {
  readonly freshness: number;
  readonly fetchRate: number;
  readonly byPage: Float64Array;
}

function meanOutcome(policies: readonly Policy[]): Outcome & { readonly longestGap: number } {
  const results = policies.map((policy) => replay(pages, policy, start, end));
  const mean = (of: (result: ReplayResult) => number): number =>
    results.reduce((sum, result) => sum + of(result) / results.length, 0);
  return {
    freshness: mean(({ freshness }) => freshness),
    fetchRate: mean(({ fetchRate }) => fetchRate),
    byPage: Float64Array.from(pages, (_, i) => mean(({ freshnessByPage }) => freshnessByPage[i])),
    longestGap: Math.max(...results.map(({ longestGap }) => longestGap)),
  };
}

/** Policies for paired comparisons, page by page. */
interface References {
  readonly turns?: Outcome;
  /** The plan with estimated rates. */
  readonly plan?: Outcome;
}

/** The gain over another policy and its standard error, paired by page; blanks of the same width without a policy. */
function gainOver(outcome: Outcome, reference: Outcome | undefined): string {
  if (reference === undefined) return ' '.repeat(17);
  const gain = outcome.byPage.map((value, i) => value - reference.byPage[i]);
  const mean = (outcome.freshness - reference.freshness).toFixed(4);
  return `${mean.padStart(8)} ± ${standardError(pages, gain).toFixed(4)}`;
}

/** One row of the table, as text. */
function show(name: string, policies: readonly Policy[], over: References): Outcome {
  const outcome = meanOutcome(policies);
  const fresh = `${outcome.freshness.toFixed(4)} ± ${standardError(pages, outcome.byPage).toFixed(4)}`;
  const gains = [over.turns, over.plan].map((reference) => gainOver(outcome, reference));
  const gap = `${(outcome.longestGap / day).toFixed(0)} d`;
  console.log(`${name.padEnd(34)} ${outcome.fetchRate.toFixed(4)}  ${fresh}  ${gains.join('  ')} ${gap.padStart(6)}`);
  return outcome;
}

function showPlans(name: string, options: Omit<PlanOptions, 'firstPlan' | 'planLength'>, over: References): Outcome {
  const lives = firstPlans.map((days) =>
    planPolicy(pages.length, start, { ...options, firstPlan: days * day, planLength: planDays * day }),
  );
  return show(name, lives, over);
}

function showOracles(crawlRate: number, over: References): void {
  const mean = meanRates(pages, start, end);
  showPlans('  oracle: true mean rates', { crawlRate, knownRates: () => mean }, over);
  showPlans('  oracle: rates of the last 90 days', { crawlRate, knownRates: localRates(pages, start, end) }, over);
}

console.log(
  `${pages.length} pages of ${new Set(pages.map(({ host }) => host)).size} hosts, ${values.from} to ${values.to}`,
);
if (values.simulated) console.log(`simulated trace, seed ${values.seed}`);
console.log(`${'policy'.padEnd(34)} fetches  freshness         over all in turn   over the plan     longest`);
const incumbents = [
  show('Apache Nutch, rewritten', [nutchAdaptive(pages.length, start)], {}),
  show('StormCrawler, rewritten', [stormCrawlerAdaptive(pages.length, start)], {}),
];
const floors = values.hold.map((text) => text.split('=').map(Number));
const rateTexts = values.rates.split(',').filter((text) => text !== '');
const rates = [
  ...incumbents.map(({ fetchRate }) => fetchRate),
  ...rateTexts.map(Number),
  ...floors.map(([rate]) => rate),
];
for (const crawlRate of new Set(rates)) {
  console.log(`at ${crawlRate.toFixed(4)} fetches a page and day`);
  const turns = show('  all pages in turn', [turnsPolicy(pages.length, crawlRate)], {});
  const plan = showPlans('  plan', { crawlRate }, { turns });
  show('  by a price, without plans', [pricePolicy(pages.length, start, { crawlRate })], { turns, plan });
  showOracles(crawlRate, { turns });
  const floor = floors.find(([rate]) => rate === crawlRate);
  if (floor === undefined || plan.freshness >= floor[1]) continue;
  process.exitCode = 1;
  console.log(`  MISSED: ${floor[1]} was to be reached`);
}
