/** Feeds on a record of entries: when rules and plans fetch them, and how long their entries wait for it. */
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { plainPages, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { type CheckHistory, changedAtKnownAge, unchanged } from '../../../src/solvers/estimation/index.ts';
import type { ObjectiveName } from '../../../src/solvers/pages/objectives/index.ts';
import type { FeedRule } from './feed-rules.ts';

const day = 86_400;

/** Entries by feed, rising, and the window followed; entries before it are known at its start. */
export interface FeedRecord {
  readonly entries: readonly Float64Array[];
  /** By feed: since when its entries are all on record. */
  readonly from: Float64Array;
  readonly start: number;
  readonly end: number;
}

/** Fetch times by feed in the window, rising. */
export type Fetches = readonly (readonly number[])[];

/** Positions of the first entry after a moment. */
export function entriesUpTo(entries: Float64Array, time: number, from = 0): number {
  let at = from;
  while (at < entries.length && entries[at] <= time) at++;
  return at;
}

/** A rule followed, all its times stretched by a factor; first fetches are spread over a day. */
export function byRule({ entries, start, end }: FeedRecord, rule: FeedRule, stretch: number): Fetches {
  return entries.map((own, i) => {
    const times: number[] = [];
    let known = entriesUpTo(own, start);
    let interval = Number.NaN;
    // what came before the window was found as it came
    let lastFound = known > 0 ? own[known - 1] : Number.NaN;
    for (let now = start + (day * (i + 0.5)) / entries.length; now < end; now += stretch * interval) {
      const before = known;
      known = entriesUpTo(own, now, before);
      if (known > before) lastFound = now;
      interval = rule({
        entries: own,
        known,
        found: known - before,
        now,
        again: times.length > 0,
        interval,
        lastFound,
      });
      times.push(now);
    }
    return times;
  });
}

/** The rule with all its times stretched so that it makes as many fetches a feed and day. */
export function atRate(record: FeedRecord, rule: FeedRule, rate: number): Fetches {
  let [low, high] = [Math.log(1e-3), Math.log(1e3)];
  let best: Fetches = [];
  for (let turn = 0; turn < 16; turn++) {
    const middle = 0.5 * (low + high);
    best = byRule(record, rule, Math.exp(middle));
    const made = fetchRate(record, best);
    if (Math.abs(made / rate - 1) < 0.005) break;
    if (made > rate) low = middle;
    else high = middle;
  }
  return best;
}

/** Shares of the fetches by feed, set anew each day from what is known then, each feed's fetches evenly spaced. */
export function byShares(
  { entries, start, end }: FeedRecord,
  rate: number,
  shareOf: (entries: Float64Array, now: number) => number,
): Fetches {
  const fetches = entries.map((): number[] => []);
  const saved = entries.map((_, i) => (i + 0.5) / entries.length);
  for (let now = start; now < end; now += day) {
    // known are the entries up to each feed's latest fetch
    const shares = entries.map((own, i) => shareOf(own.subarray(0, entriesUpTo(own, fetches[i].at(-1) ?? start)), now));
    const total = shares.reduce((sum, each) => sum + each, 0);
    for (const [i, share] of shares.entries()) {
      const perDay = (rate * entries.length * share) / total;
      for (let next = (1 - saved[i]) / perDay; next <= 1; next += 1 / perDay) fetches[i].push(now + next * day);
      saved[i] = (saved[i] + perDay) % 1;
    }
  }
  return fetches;
}

/** In proportion to the square roots of the numbers of entries in the last 90 days. */
export const rootOfRecent = (known: Float64Array, now: number): number => {
  let count = 0.5;
  for (let k = known.length - 1; k >= 0 && known[k] > now - 90 * day; k--) count++;
  return Math.sqrt(count);
};

/** A plan a day, from the entries that its own fetches have seen. */
export function byPlans(record: FeedRecord, rate: number, objective: ObjectiveName): Fetches {
  const { entries, start, end } = record;
  const feeds = entries.length;
  const last = new Float64Array(feeds).fill(start);
  const fetches = entries.map((): number[] => []);
  let saved = 0;
  for (let now = start; now < end; now += day) {
    saved += rate * feeds;
    const crawls = Math.floor(saved);
    saved -= crawls;
    const answer = planCrawls(
      {
        ...plainPages(feeds),
        now,
        interval: day,
        slotsByCrawler: Uint32Array.of(crawls),
        history: historyOf(record, last),
        knownEvents: new Int32Array(feeds).fill(1),
        lastCrawl: last.slice(),
        evenShare: 0.05,
        objective,
      },
      unlimitedBudget(),
    );
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    const { slotTime, slotPage } = answer.plan;
    for (const [k, time] of slotTime.entries()) {
      fetches[slotPage[k]].push(time);
      last[slotPage[k]] = time;
    }
  }
  return fetches;
}

/** What is known at the latest fetches, in the form in which crawl-plan takes events: gaps, and the time since. */
function historyOf({ entries, from }: FeedRecord, last: Float64Array): CheckHistory {
  const offsets = new Uint32Array(entries.length + 1);
  const elapsed: number[] = [];
  const outcome: number[] = [];
  for (const [i, own] of entries.entries()) {
    let before = from[i];
    for (const time of own) {
      if (time > last[i]) break;
      if (time <= before) continue;
      elapsed.push(time - before);
      outcome.push(changedAtKnownAge);
      before = time;
    }
    if (last[i] > before) {
      elapsed.push(last[i] - before);
      outcome.push(unchanged);
    }
    offsets[i + 1] = elapsed.length;
  }
  return { offsets, elapsed: Float64Array.from(elapsed), outcome: Uint8Array.from(outcome) };
}

/** Fetches a feed and day. */
export function fetchRate({ entries, start, end }: FeedRecord, fetches: Fetches): number {
  const made = fetches.reduce((sum, times) => sum + times.length, 0);
  return made / entries.length / ((end - start) / day);
}

/** By feed: how long each entry of the window waited, to the end where no fetch came. */
export function waitsOf({ entries, start, end }: FeedRecord, fetches: Fetches): Float64Array[] {
  return entries.map((own, i) => {
    const times = fetches[i];
    let next = 0;
    return own
      .filter((time) => time > start && time < end)
      .map((time) => {
        while (next < times.length && times[next] < time) next++;
        return (next < times.length ? times[next] : end) - time;
      });
  });
}
