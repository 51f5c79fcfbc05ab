/**
 * One replication: every page with its updates and fetches from before time 0 to the duration.
 *
 * Pages whose fetches depend on themselves alone are simulated one after another; under plans all pages go on together
 * from plan to plan. Each page has random streams of its own, for updates and for fetches, so that two policies under
 * one seed meet the same changes.
 */
import { CheckLog } from '../estimation/index.ts';
import { type Random, seededRandom } from '../numerics/random/random.ts';
import { requireFew, SharedMoments } from './common-updates.ts';
import { adaptiveFetches, evenRule, type FetchRule, listedRule, randomRule } from './fetch-rule.ts';
import { PageTotals } from './measures.ts';
import { type FetchPolicy, meanLead, type PageSimulationProblem, type PlannedPolicy } from './problem.ts';
import { type PageCounts, SimulatedPage } from './simulated-page.ts';
import { meanUpdateRate, type UpdateStream, updateStream } from './update-stream.ts';

/** Pages between two looks at the clock. */
const pagesBetweenPolls = 64;

/** What the fetches of a list or a cycle are, page by page: times of page i in [from[i], from[i + 1]). */
interface ListedFetches {
  readonly times: Float64Array;
  readonly from: Uint32Array;
}

interface ReplicationResult {
  readonly totals: PageTotals;
  /** By page, when asked for. */
  readonly pages: readonly PageCounts[];
}

/** @returns null when stopped */
export function simulateReplication(
  problem: PageSimulationProblem,
  random: Random,
  stop: () => boolean,
): ReplicationResult | null {
  try {
    return replication(problem, random, stop);
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}

/** Thrown out of the middle of a page. */
class Stopped extends Error {}

/** The same stream, which looks at the clock now and then: a page may change millions of times between two fetches. */
function polled(stream: UpdateStream, stop: () => boolean): UpdateStream {
  let updates = 0;
  return () => {
    if ((++updates & 0xfff) === 0 && stop()) throw new Stopped();
    return stream();
  };
}

function replication(problem: PageSimulationProblem, random: Random, stop: () => boolean): ReplicationResult | null {
  const { policy } = problem;
  const source = new PageSource(problem, random, stop);
  if (policy.type === 'planned') return followPlans(problem, policy, source, stop);
  const totals = new PageTotals();
  const pages: PageCounts[] = [];
  const listed = listedFetches(policy, problem, random);
  for (let i = 0; i < problem.updates.length; i++) {
    if (i % pagesBetweenPolls === 0 && stop()) return null;
    const rule = ruleOf(problem, i, listed, source.fetchRandom(i));
    const page = source.page(i, rule.lastFetch);
    let count = 0;
    for (let time = rule.first; time <= problem.duration; ) {
      time = rule.next(time, page.fetch(time));
      if ((++count & 0xfff) === 0 && stop()) return null;
    }
    page.finish();
    totals.add(page.counts, problem.weight[i]);
    if (problem.perPage) pages.push(page.counts);
  }
  return { totals, pages };
}

/**
 * The host of each page, −1 for those that change by themselves; the largest rate of each host. Also how far shared
 * moments must reach back: as far as the oldest copy of a page that shares them.
 */
function sharedChanges(problem: PageSimulationProblem) {
  const { updates, commonChanges } = problem;
  const host = commonChanges > 0 ? problem.host : new Int32Array(updates.length).fill(-1);
  const fastest = new Float64Array(host.reduce((most, h) => Math.max(most, h + 1), 0));
  let oldest = 0;
  for (const [i, page] of updates.entries()) {
    const h = host[i];
    if (h < 0) continue;
    fastest[h] = Math.max(fastest[h], meanUpdateRate(page));
    oldest = Math.max(oldest, longestLead(problem, i));
  }
  return { host, fastest, start: -oldest };
}

/** @throws ConditionNotMet where a host's common changes would be too many to hold */
export function requireFewCommonChanges(problem: PageSimulationProblem): void {
  const { fastest, start } = sharedChanges(problem);
  for (const rate of fastest) requireFew(problem.commonChanges * rate, { start, duration: problem.duration });
}

/** Gives pages their updates: alone, or with the other pages of their host. */
class PageSource {
  readonly #problem: PageSimulationProblem;
  readonly #seeds: Float64Array;
  readonly #moments: readonly SharedMoments[];
  readonly #fastest: Float64Array;
  /** By page, −1 for those that change by themselves. */
  readonly #host: Int32Array;
  readonly #stop: () => boolean;

  constructor(problem: PageSimulationProblem, random: Random, stop: () => boolean) {
    this.#stop = stop;
    const { updates, commonChanges, duration } = problem;
    this.#problem = problem;
    this.#seeds = Float64Array.from({ length: updates.length }, () => random());
    const { host, fastest, start } = sharedChanges(problem);
    this.#host = host;
    this.#fastest = fastest;
    const span = { start, duration };
    let drawn = 0;
    const poll = (): void => {
      if ((++drawn & 0xfff) === 0 && stop()) throw new Stopped();
    };
    this.#moments = Array.from(
      this.#fastest,
      (fastest) => new SharedMoments(commonChanges * fastest, span, seededRandom(random()), poll),
    );
  }

  fetchRandom(i: number): Random {
    return seededRandom(this.#seeds[i] + 1);
  }

  /** A page whose copy was fetched at `lastFetch`, not after 0; NaN for one never fetched. */
  page(i: number, lastFetch: number): SimulatedPage {
    const { updates, commonChanges, duration } = this.#problem;
    const random = seededRandom(this.#seeds[i]);
    const start = Number.isNaN(lastFetch) ? 0 : lastFetch;
    const staleSince = Number.isNaN(lastFetch) ? 0 : null;
    const h = this.#host[i];
    const process = updates[i];
    if (h < 0 || process.type !== 'poisson') {
      return new SimulatedPage(polled(updateStream(process, start, random), this.#stop), duration, staleSince);
    }
    const own = updateStream({ type: 'poisson', rate: (1 - commonChanges) * process.rate }, start, random);
    const stream = this.#moments[h].stream(own, start, process.rate / this.#fastest[h], random);
    return new SimulatedPage(polled(stream, this.#stop), duration, staleSince);
  }
}

/**
 * How old a page's copy may be at time 0: randomly spaced fetches leave one copy in 10^17 older than forty mean gaps.
 */
function longestLead(problem: PageSimulationProblem, i: number): number {
  const random = problem.policy.type === 'rates' && problem.policy.spacing === 'random';
  return (random ? 40 : 1) * meanLead(problem, i);
}

function ruleOf(problem: PageSimulationProblem, i: number, listed: ListedFetches | null, random: Random): FetchRule {
  const { policy, lastCrawlAge } = problem;
  switch (policy.type) {
    case 'rates':
      return policy.spacing === 'even' ? evenRule(policy.rates[i], random) : randomRule(policy.rates[i], random);
    case 'adaptive':
      return adaptiveFetches(policy.rule, random);
    default: {
      if (listed === null) throw new TypeError('a schedule or a sequence has its fetches listed');
      const { times, from } = listed;
      if (policy.type === 'schedule') return listedRule(times, from[i], from[i + 1], -lastCrawlAge[i]);
      // A cycle's fetches before 0 stand in the list as well: the last of them is the copy's.
      let first = from[i];
      while (first < from[i + 1] && times[first] < 0) first++;
      return listedRule(times, first, from[i + 1], first > from[i] ? times[first - 1] : Number.NaN);
    }
  }
}

/** The fetches of a schedule or of a cycle in its steady state, sorted by page and time. */
function listedFetches(policy: FetchPolicy, problem: PageSimulationProblem, random: Random): ListedFetches | null {
  if (policy.type === 'schedule') return byPage(policy.times, policy.pages, problem.updates.length);
  if (policy.type !== 'sequence') return null;
  const { sequence, crawlRate } = policy;
  const phase = random();
  const before = sequence.length;
  const count = before + Math.floor(problem.duration * crawlRate) + 1;
  const times = new Float64Array(count);
  const pages = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    times[k] = (phase + k - before) / crawlRate;
    pages[k] = sequence[k % sequence.length];
  }
  return byPage(times, pages, problem.updates.length);
}

/** A counting sort by page; the order of time is kept within a page. */
function byPage(times: Float64Array, pages: Uint32Array, count: number): ListedFetches {
  const from = new Uint32Array(count + 1);
  for (const page of pages) from[page + 1]++;
  for (let i = 0; i < count; i++) from[i + 1] += from[i];
  const next = from.slice(0, count);
  const sorted = new Float64Array(times.length);
  for (let k = 0; k < times.length; k++) sorted[next[pages[k]]++] = times[k];
  return { times: sorted, from };
}

/** All pages together, from plan to plan. */
function followPlans(
  problem: PageSimulationProblem,
  policy: PlannedPolicy,
  source: PageSource,
  stop: () => boolean,
): ReplicationResult | null {
  const { updates, duration, weight, lastCrawlAge, perPage } = problem;
  const log = new CheckLog(lastCrawlAge.map((age) => -age));
  const pages = updates.map((_, i) => source.page(i, log.lastFetch[i]));
  for (let now = 0; now < duration; now += policy.every) {
    if (stop()) return null;
    const plan = policy.plan(log, now, policy.crawls, stop);
    if (plan === null || stop()) return null;
    for (let k = 0; k < plan.times.length && plan.times[k] <= duration; k++) {
      const i = plan.pages[k];
      const time = plan.times[k];
      log.record(i, time, pages[i].fetch(time));
    }
  }
  const totals = new PageTotals();
  for (const [i, page] of pages.entries()) {
    page.finish();
    totals.add(page.counts, weight[i]);
  }
  return { totals, pages: perPage ? pages.map(({ counts }) => counts) : [] };
}
