/**
 * A record like that of feeds, followed under each objective and by simple rules: rates lognormal, releases in a daily
 * rhythm and in bursts. Every rule has one fetch a feed and day; plans are made each day, 30 days of entries known at
 * the start.
 */
import { crawlPlan } from '../src/index.ts';
import { type Random, seededRandom } from '../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../src/solvers/numerics/random/random-variates.ts';
import { type ObjectiveName, objectiveNames } from '../src/solvers/pages/objectives/index.ts';
import type { Benchmark } from './benchmark.ts';

const feeds = 200;
const day = 86_400;
const known = 30 * day;
const followed = 14 * day;
const start = 1_760_000_000;
/** Chance that a release is followed by another within minutes. */
const burst = 0.3;

/** Times of one feed's entries from start − known on: thinning of the rhythm 1 + 0.9·sin, bursts after each. */
function entriesOf(rate: number, random: Random): number[] {
  const times: number[] = [];
  const first = rate * (1 - burst);
  for (let t = -known; t < followed; ) {
    t += -Math.log(1 - random()) / (1.9 * first);
    if (random() * 1.9 > 1 + 0.9 * Math.sin((2 * Math.PI * t) / day)) continue;
    let entry = t;
    times.push(start + entry);
    while (random() < burst) {
      entry -= 300 * Math.log(1 - random());
      times.push(start + entry);
    }
  }
  return times.filter((time) => time < start + followed).sort((a, b) => a - b);
}

function record(): number[][] {
  const random = seededRandom(15);
  return Array.from({ length: feeds }, () => entriesOf(Math.exp(1.5 * standardNormal(random) - 0.5) / day, random));
}

/** Fetch times by feed after `start`, the last fetch before it being at `start`. */
type Fetches = readonly (readonly number[])[];

/**
 * What a reader sees: mean wait of an entry, share of time with nothing missing, time since the first entry that is
 * missing.
 */
interface Seen {
  readonly delay: number;
  readonly late: number;
  readonly fresh: number;
  readonly age: number;
}

function measure(entries: readonly (readonly number[])[], fetches: Fetches): Seen {
  const end = start + followed;
  const waits: number[] = [];
  let stale = 0;
  let age = 0;
  for (const [i, list] of entries.entries()) {
    let from = start;
    for (const to of [...fetches[i], end]) {
      const missed = list.filter((time) => time > from && time <= to);
      for (const time of missed) waits.push(to - time);
      if (missed.length > 0) {
        stale += to - missed[0];
        age += 0.5 * (to - missed[0]) ** 2;
      }
      from = to;
    }
  }
  waits.sort((a, b) => a - b);
  const whole = feeds * followed;
  return {
    delay: waits.reduce((sum, each) => sum + each, 0) / waits.length / 3600,
    late: waits[Math.floor(0.95 * waits.length)] / 3600,
    fresh: 1 - stale / whole,
    age: age / whole / 3600,
  };
}

/** Even intervals whose rates are in proportion to a power of the rates in the known days, with a phase at random. */
function evenly(entries: readonly (readonly number[])[], power: number): Fetches {
  const random = seededRandom(4);
  const shares = entries.map((list) => (list.filter((time) => time <= start).length + 0.5) ** power);
  const total = shares.reduce((sum, each) => sum + each, 0);
  return shares.map((share) => {
    const interval = (day * total) / (feeds * share);
    const times: number[] = [];
    for (let time = start + random() * interval; time < start + followed; time += interval) times.push(time);
    return times;
  });
}

function rowsOf(list: unknown): readonly { readonly time: number; readonly page: number }[] {
  if (!Array.isArray(list)) throw new TypeError('a schedule in rows');
  return list;
}

/** A plan a day, each from the entries that its fetches have seen. */
function planned(entries: readonly (readonly number[])[], objective: ObjectiveName): Fetches {
  const last = entries.map(() => start);
  const fetches = entries.map((): number[] => []);
  for (let now = start; now < start + followed; now += day) {
    const pages = entries.map((list, i) => ({
      lastCrawl: last[i],
      observedFrom: start - known,
      events: list.filter((time) => time <= last[i]),
    }));
    const { solution } = crawlPlan({ now, interval: day, crawls: feeds, objective, pages });
    for (const { time, page } of rowsOf(solution?.schedule)) {
      fetches[page].push(time);
      last[page] = time;
    }
  }
  return fetches;
}

const rules = { 'all in turn': 0, 'in proportion to rates': 1, 'to their square roots': 0.5 } as const;
let table: Record<string, Seen> = {};

function follow(): void {
  const entries = record();
  const simple = Object.entries(rules).map(
    ([name, power]) => [name, measure(entries, evenly(entries, power))] as const,
  );
  const plans = objectiveNames.map((name) => [`plan, ${name}`, measure(entries, planned(entries, name))] as const);
  table = Object.fromEntries([...simple, ...plans]);
}

const told = ({ delay, late, fresh, age }: Seen): string =>
  `wait ${delay.toFixed(2)} h, 95% ${late.toFixed(1)} h, fresh ${fresh.toFixed(4)}, age ${age.toFixed(2)} h`;

export const benchmarks: readonly Benchmark[] = [
  {
    name: `feeds: ${feeds} feeds of a rhythm and bursts, a fetch a feed and day, 14 daily plans by each objective`,
    target: 'delay waits least of all rules, freshness is fresh longest',
    repetitions: 1,
    check() {
      follow();
      const least = Math.min(...Object.values(table).map(({ delay }) => delay));
      const most = Math.max(...Object.values(table).map(({ fresh }) => fresh));
      if (table['plan, delay'].delay > 1.03 * least) throw new Error(`items wait longer than ${least} h under delay`);
      if (table['plan, freshness'].fresh < most - 0.01) throw new Error(`${most} is fresher than under freshness`);
    },
    run: follow,
    figures: () => Object.fromEntries(Object.entries(table).map(([name, seen]) => [name, told(seen)])),
  },
];
