/**
 * How long do entries of feeds wait for a fetch? `node bench/replay/main.ts --events RECORD`, or with the record's path in
 * REPLAY_EVENTS.
 *
 * The record has a feed a line: id, firstFetch (since when its entries are known) and changes (when entries came out,
 * epoch seconds). Feeds known before the window take part; what came before it is known to all. Each rule makes as many
 * fetches a feed and day as --rates says (its own times stretched by one factor); `as shipped` it makes its own.
 * Errors: bootstrap over feeds, 1,000 resamples; differences are paired.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { readTrace } from '../page-history.ts';
import { feedRules } from './feed-rules.ts';
import {
  atRate,
  byPlans,
  byRule,
  byShares,
  type FeedRecord,
  type Fetches,
  fetchRate,
  rootOfRecent,
  waitsOf,
} from './follow-feeds.ts';
import { meanWait, waitError } from './wait-error.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    events: { type: 'boolean', default: true },
    from: { type: 'string', default: '2026-06-01' },
    to: { type: 'string', default: '2026-08-01' },
    rates: { type: 'string', default: '0.2,1,12' },
    shipped: { type: 'boolean', default: true },
  },
});
const path = positionals[0] ?? process.env.REPLAY_EVENTS;
if (path === undefined) {
  console.error(
    'usage: node bench/replay/main.ts --events RECORD [--from 2026-06-01] [--to 2026-08-01] [--rates 0.2,1,12] [--no-shipped]',
  );
  process.exit(2);
}
const start = Date.parse(`${values.from}T00:00:00Z`) / 1000;
const end = Date.parse(`${values.to}T00:00:00Z`) / 1000;
const lines = readTrace(path).filter(({ firstFetch }) => firstFetch < start);
/** What plans know of the time before the window, seconds. */
const longestKnown = 2 * 365 * 86_400;
const record: FeedRecord = {
  start,
  end,
  from: Float64Array.from(lines, ({ firstFetch, changes }) =>
    Math.max(start - longestKnown, Math.min(firstFetch, ...changes)),
  ),
  entries: lines.map(({ changes }) => Float64Array.from(changes.filter((time) => time < end)).sort()),
};
const hours = (seconds: number): string => (seconds / 3600).toFixed(2).padStart(7);

/** A line of the table; the difference is to the plan under delay. */
function show(name: string, fetches: Fetches, reference: readonly Float64Array[] | null): Float64Array[] {
  const waits = waitsOf(record, fetches);
  const all = waits.flatMap((own) => [...own]).sort((a, b) => a - b);
  const late = all[Math.floor(0.95 * all.length)];
  const random = seededRandom(1);
  const error = waitError(waits, null, random);
  const over = reference === null ? null : meanWait(waits) - meanWait(reference);
  const told =
    over === null || reference === null
      ? ''
      : `${over >= 0 ? '+' : '−'}${(Math.abs(over) / 3600).toFixed(2)} ± ${(waitError(waits, reference, seededRandom(1)) / 3600).toFixed(2)}`;
  const rate = fetchRate(record, fetches).toFixed(3).padStart(7);
  console.log(
    `${name.padEnd(30)} ${rate} ${hours(meanWait(waits))} ± ${(error / 3600).toFixed(2)}  ${hours(late)}   ${told}`,
  );
  return waits;
}

const count = record.entries.reduce((sum, own) => sum + own.filter((time) => time > start).length, 0);
console.log(`${lines.length} feeds, ${count} entries, ${values.from} to ${values.to}; hours`);
console.log(`${''.padEnd(30)} fetches  mean wait          95% less   over the plan under delay`);
for (const rate of values.rates
  .split(',')
  .filter((text) => text !== '')
  .map(Number)) {
  console.log(`at ${rate} fetches a feed and day`);
  const delay = show('plan, delay', byPlans(record, rate, 'delay'), null);
  for (const objective of objectiveNames) {
    if (objective !== 'delay') show(`plan, ${objective}`, byPlans(record, rate, objective), delay);
  }
  show(
    'all in turn',
    byShares(record, rate, () => 1),
    delay,
  );
  show('√rate of the last 90 days', byShares(record, rate, rootOfRecent), delay);
  for (const [name, rule] of Object.entries(feedRules)) show(name, atRate(record, rule, rate), delay);
}
if (values.shipped) console.log('as shipped, and plans of as many fetches');
for (const [name, rule] of Object.entries(values.shipped ? feedRules : {})) {
  const own = byRule(record, rule, 1);
  const plan = show('plan, delay', byPlans(record, fetchRate(record, own), 'delay'), null);
  show(name, own, plan);
}
