/**
 * What hosts that limit their callers serve and refuse of 10⁵ requests: `node scripts/coverage/host-back-off.ts`.
 *
 * Two hosts that say nothing of when to come back: a bucket of tokens, and so many requests a clock hour. Crawlers:
 *
 * - StormCrawler 2.4, as its default configuration has it: a fixed delay of 1 s.
 * - Nutch 1.20 (FetchItemQueues): 5 s, and after the k-th failure of a fetch job `fetcher.exceptions.per.queue.delay`
 *   times 2^(k−1) on top. Its default is 0; here 1 s. A job lasts three hours.
 * - `estimates/host-limits` after every 1,000 requests, from the last 5,000: nextDelay, at least period/count of a quota.
 */
import { estimatesHostLimits } from '../../src/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';

const requests = 100_000;
const start = 1_770_000_000;
const job = 3 * 3600;

type Host = (time: number) => boolean;

/** Whether a request is refused; a token comes every 1/rate seconds, `burst` at most. */
function bucket(rate: number, burst: number): Host {
  let tokens = burst;
  let last = start;
  return (time) => {
    tokens = Math.min(burst, tokens + (time - last) * rate);
    last = time;
    if (tokens < 1) return true;
    tokens--;
    return false;
  };
}

function hourly(count: number): Host {
  let hour = Number.NaN;
  let used = 0;
  return (time) => {
    const own = Math.floor(time / 3600);
    if (own !== hour) [hour, used] = [own, 0];
    return ++used > count;
  };
}

/** Seconds until the next request, after one that was refused or not. */
type Crawler = (time: number, refused: boolean) => number;

function nutch(): Crawler {
  let failures = 0;
  let ends = start + job;
  return (time, refused) => {
    if (time >= ends) {
      failures = 0;
      ends = time + job;
    }
    if (refused) failures++;
    return 5 + (refused ? 2 ** Math.min(failures - 1, 31) : 0);
  };
}

function byLimits(): Crawler {
  const log: { time: number; status: number }[] = [];
  let delay = 1;
  let since = start;
  let seen = 0;
  return (time, refused) => {
    log.push({ time, status: refused ? 429 : 200 });
    if (++seen % 1000 === 0) {
      log.splice(0, Math.max(0, log.length - 5000));
      const { solution } = estimatesHostLimits({ hosts: [{ host: 'a.example', requests: log, delay, since }] });
      const [found] = Array.isArray(solution?.hosts) ? solution.hosts : [];
      const { quota = null, nextDelay = null } = found ?? {};
      delay = Math.max(nextDelay ?? delay, quota === null ? 0 : quota.period / quota.count);
      since = time;
    }
    return delay;
  };
}

for (const [name, allowed, host] of [
  ['a bucket of 1,200 an hour, burst 20', 1200, () => bucket(1 / 3, 20)],
  ['1,000 a clock hour', 1000, () => hourly(1000)],
] as const) {
  console.log(name);
  for (const [who, crawler] of [
    ['StormCrawler', () => () => 1],
    ['Nutch', nutch],
    ['host-limits', byLimits],
  ] as const) {
    const [refuses, next, random] = [host(), crawler(), seededRandom(1)];
    let time = start;
    let refused = 0;
    for (let k = 0; k < requests; k++) {
      const turnedAway = refuses(time);
      if (turnedAway) refused++;
      // answers take a tenth of a second in the mean
      time += next(time, turnedAway) + 0.1 * standardExponential(random);
    }
    const share = ((requests - refused) * 3600) / (time - start) / allowed;
    console.log(
      `  ${who.padEnd(13)} served ${requests - refused}, refused ${refused}, ${(100 * share).toFixed(0)}% of what is allowed`,
    );
  }
}
