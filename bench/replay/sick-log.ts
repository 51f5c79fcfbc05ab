/**
 * A sick log: two weeks of 5,000 pages on 60 hosts, each fetched once a day and a half. Answers 304 have a hash of their
 * own, timeouts stand as empty status and hash, 3% of the pages go away on the way (404 or 410), 2% of the fetches fail,
 * one host is down for the last day. Each page changes as a Poisson process whose changes are known here, and not to the
 * plan of one day, which is made from the log alone.
 *
 *     node bench/replay/sick-log.ts [seed ...]
 *
 * Written for each seed: what the first 50 fetches of the plan go to, and the share of the day for which the living
 * pages' copies are stale: as the plan forecasts, and in truth under the plan and with all pages in turn.
 */
import { crawlPlan } from '../../src/index.ts';
import { type PlanSolution, planRequest } from '../../src/logs/plan-request.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';

const day = 86_400;
const pages = 5000;
const hosts = 60;
const logDays = 14;
const fetchInterval = 1.5 * day;
const crawls = 3000;
const start = Date.UTC(2026, 4, 1) / 1000;
const now = start + logDays * day;
/** The host that answers 503 on the last day. */
const hostDown = 7;
const shareGone = 0.03;
const shareFailed = 0.02;
/** Changes a day, lognormal: the median and the standard deviation of the logarithm. */
const medianRate = 0.2;
const spread = 1.5;

interface Page {
  readonly url: string;
  readonly host: number;
  /** Changes a second. */
  readonly rate: number;
  /** Time at which the page goes away; infinite for a page that stays. */
  readonly goneAt: number;
  readonly changes: readonly number[];
}

function simulatedPage(i: number, random: Random): Page {
  const host = Math.floor(hosts * random() ** 2);
  const rate = (medianRate * Math.exp(spread * standardNormal(random))) / day;
  const goneAt = random() < shareGone ? start + random() * logDays * day : Number.POSITIVE_INFINITY;
  const changes: number[] = [];
  for (let time = start - day; ; changes.push(time)) {
    time += standardExponential(random) / rate;
    if (time > now + day) break;
  }
  return { url: `https://host${host}.example/${i}`, host, rate, goneAt, changes };
}

const versionAt = ({ changes }: Page, time: number): number => changes.filter((each) => each <= time).length;

/** The log, and for each page the time of the last answer with its content. */
function sickLog(list: readonly Page[], random: Random): { readonly text: string; readonly copies: Float64Array } {
  const copies = new Float64Array(list.length).fill(Number.NaN);
  const rows: [time: number, line: string][] = [];
  for (const [i, page] of list.entries()) {
    const first = start + random() * fetchInterval;
    for (let time = first; time < now; time += fetchInterval) {
      const copiedVersion = Number.isNaN(copies[i]) ? -1 : versionAt(page, copies[i]);
      const version = versionAt(page, time);
      const line = (status: number | '', hash: string): void => {
        rows.push([time, `${page.url},${new Date(1000 * time).toISOString()},${status},${hash}`]);
      };
      if (time >= page.goneAt) line(i % 2 === 0 ? 404 : 410, 'error-page');
      else if (page.host === hostDown && time > now - day) line(503, '');
      else if (random() < shareFailed) line(i % 3 === 0 ? 500 : '', '');
      else {
        if (copiedVersion === version) line(304, 'of-no-body');
        else line(200, `p${i}v${version}`);
        copies[i] = time;
      }
    }
  }
  rows.sort((a, b) => a[0] - b[0]);
  return { text: ['url,time,status,hash', ...rows.map(([, line]) => line)].join('\n'), copies };
}

/** Mean stale share of the next day over the living pages. */
function staleShare(
  list: readonly Page[],
  copies: Float64Array,
  fetches: readonly (readonly [number, number])[],
): number {
  const times = list.map((): number[] => []);
  for (const [time, page] of fetches) times[page].push(time);
  let [stale, living] = [0, 0];
  for (const [i, page] of list.entries()) {
    if (page.goneAt <= now || Number.isNaN(copies[i])) continue;
    living++;
    let copyTime = copies[i];
    let from = now;
    for (const to of [...times[i].sort((a, b) => a - b), now + day]) {
      const changed = page.changes.find((each) => each > copyTime) ?? Number.POSITIVE_INFINITY;
      stale += Math.max(0, to - Math.max(from, changed)) / day;
      [copyTime, from] = [to, to];
    }
  }
  return stale / living;
}

interface Answer {
  readonly objective: { readonly value: number };
  readonly solution: PlanSolution;
}

/** A plan from the log of a seed, compared with the truth. Stale shares are means over the living pages. */
interface SickOutcome {
  readonly seed: number;
  /** Numbers of fetches to pages that are gone and to the host that is down, among the first 50 and among all. */
  readonly first: { readonly gone: number; readonly down: number };
  readonly all: { readonly fetches: number; readonly gone: number; readonly down: number };
  readonly stale: {
    readonly forecast: number;
    readonly plan: number;
    /** All pages of the log in turn, the longest not fetched first. */
    readonly inTurn: number;
    /** All living pages in turn, which needs to know the pages that are gone. */
    readonly livingInTurn: number;
  };
}

export function planSickLog(seed: number): SickOutcome {
  const random = seededRandom(seed);
  const list = Array.from({ length: pages }, (_, i) => simulatedPage(i, random));
  const { text, copies } = sickLog(list, random);
  const log = readLog([text]);
  const request = JSON.parse(JSON.stringify(planRequest(log, { now, interval: day, crawls })));
  const answer: Answer = JSON.parse(JSON.stringify(crawlPlan(request)));
  const position = new Map(list.map(({ url }, i) => [url, i]));
  const fetches = answer.solution.schedule.map(({ time, page }): [number, number] => [
    time,
    position.get(answer.solution.pages[page].id) ?? -1,
  ]);
  const isGone = (i: number): boolean => list[i].goneAt <= now;
  const countFetches = (fetches: readonly (readonly [number, number])[]) => ({
    gone: fetches.filter(([, i]) => isGone(i)).length,
    down: fetches.filter(([, i]) => !isGone(i) && list[i].host === hostDown).length,
  });
  const order = Array.from(list.keys()).sort((a, b) => (copies[a] || 0) - (copies[b] || 0));
  const turnFetches = (own: readonly number[]): [number, number][] =>
    own.slice(0, crawls).map((i, k) => [now + (k * day) / crawls, i]);
  return {
    seed,
    first: countFetches(fetches.slice(0, 50)),
    all: { fetches: fetches.length, ...countFetches(fetches) },
    stale: {
      forecast: answer.objective.value / answer.solution.pages.length,
      plan: staleShare(list, copies, fetches),
      inTurn: staleShare(list, copies, turnFetches(order)),
      livingInTurn: staleShare(list, copies, turnFetches(order.filter((i) => !isGone(i)))),
    },
  };
}

if (import.meta.main) {
  const seeds = process.argv.slice(2).map(Number);
  for (const seed of seeds.length > 0 ? seeds : [1, 2, 3]) console.log(JSON.stringify(planSickLog(seed)));
}
