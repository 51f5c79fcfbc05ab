/**
 * The least crawls, and where a host with a limit has pages of several targets.
 *
 * Model: meet-apart.ts. A page of group g at such a host takes the f that is best for c_i(f) + p_g·(1 + ν_h)·f. The
 * host's part multiplies the price of the group, and adds over the hosts around it.
 * Method: in turn the groups' prices with the hosts' factors 1 + ν fixed, and the factors with the prices fixed. Each
 * turn climbs the dual function, which is concave. Aitken's step on the logarithms of the factors shortens the way.
 * Stopping rule: factors that move by no more than rounding. Out of reach: dual prices that prove it without the crawls
 * (Farkas), or turns that come to nothing. What is left then is that of crawls that keep the hosts' limits.
 * Complexity: pages × some 10 prices a turn.
 */
import { NothingToReturn } from '../../budget.ts';
import { areNested } from '../groups/index.ts';
import { hostsOf, outside } from './host-prices.ts';
import { meetApart } from './meet-apart.ts';
import { beyondWorth, PricedPages } from './priced-pages.ts';
import type { Groups, HostLimits, OneMissed, TargetMet, TargetMissed, TargetProblem, Wanting } from './problem.ts';
import { manyPages } from './target-price.ts';

const mostTurns = 200;
/** How little a factor moves at the end, of few pages and of many. */
const [still, stillOfMany] = [1e-13, 1e-10];
/** Turns between two of Aitken's steps. */
const settling = 3;
/** What proof and limits leave to rounding. */
const rounding = 1e-9;
/** A price for nearly nothing, beside that of a group. */
const hardly = 1e-9;

/** @throws NothingToReturn when the budget ends first */
export function meetTarget(problem: TargetProblem): TargetMet | TargetMissed {
  const { own, hosts } = problem;
  return own !== null && hosts !== null && sharesHosts(own, hosts)
    ? meetSharing({ ...problem, own, hosts })
    : meetApart(problem);
}

/** Whether a host with a limit has pages of several groups. */
function sharesHosts(own: Groups, hosts: HostLimits): boolean {
  if (hosts.around !== undefined && !areNested(hosts.around)) return false;
  const first = new Int32Array(hosts.limit.length).fill(-2);
  for (const [i, g] of own.of.entries()) {
    for (const h of hostsOf(hosts, i)) {
      if (hosts.limit[h] === Number.POSITIVE_INFINITY) continue;
      if (first[h] !== -2 && first[h] !== g) return true;
      first[h] = g;
    }
  }
  return false;
}

interface SharingProblem extends TargetProblem {
  readonly own: Groups;
  readonly hosts: HostLimits;
}

function meetSharing(problem: SharingProblem): TargetMet | TargetMissed {
  const { hosts, budget } = problem;
  let factor: Float64Array = new Float64Array(hosts.limit.length).fill(1);
  let near = problem.near === undefined ? undefined : { ...problem.near, host: [] };
  const passed: Float64Array[] = [];
  let last: Turn | null = null;
  const least = problem.wanting.pages > manyPages ? stillOfMany : still;
  for (let turn = 0; ; turn++) {
    if (budget.stopRequested()) throw new NothingToReturn('how few crawls will do was being looked for');
    const met = meetApart({ ...problem, hosts: null, near, wanting: timesFactor(problem, factor) });
    if (!met.met) {
      // steps that hosts draw out beyond every price leave nothing to look for: what was before is all that is known
      if (last !== null && problem.wanting.smoothAt !== undefined) return nearest(problem, last, false);
      return { ...met, hostPrice: new Float64Array(hosts.limit.length) };
    }
    near = { price: met.price, own: met.own.map(({ ceiling }) => ceiling), host: [] };
    const next = factorsAt(problem, { met, factor });
    if (next.every((each, h) => Math.abs(each - factor[h]) <= least * each)) return settled(problem, { met, factor });
    const isMissed = proved(problem, { met, factor: next }, false) > 0;
    if (isMissed || turn === mostTurns - 1) return nearest(problem, { met, factor: next }, isMissed);
    last = { met, factor: next };
    passed.push(factor);
    factor = passed.length % settling === 0 ? aitken(passed, next) : next;
  }
}

/** Prices that keep the targets where hosts add these factors. */
interface Turn {
  readonly met: TargetMet;
  readonly factor: Float64Array;
}

/** The highest factor of the hosts around a page. */
const factorOf = (hosts: HostLimits, factor: Float64Array, page: number): number => {
  let highest = 1;
  for (const h of hostsOf(hosts, page)) highest = Math.max(highest, factor[h]);
  return highest;
};

/** What a page's group pays. */
function paidBy({ own }: SharingProblem, met: TargetMet, page: number): number {
  const g = own.of[page];
  return Math.min(beyondWorth, met.price, g < 0 ? beyondWorth : met.own[g].ceiling);
}

const smoothOf = (wanting: Wanting): Wanting['crawlsAt'] =>
  wanting.smoothAt?.bind(wanting) ?? wanting.crawlsAt.bind(wanting);

function timesFactor({ wanting, hosts }: SharingProblem, factor: Float64Array): Wanting {
  const at = Float64Array.from({ length: wanting.pages }, (_, i) => factorOf(hosts, factor, i));
  const smooth = smoothOf(wanting);
  return { ...wanting, crawlsAt: (i, price) => smooth(i, Math.min(beyondWorth, price * at[i])) };
}

/** By host: the least factor at which it keeps its limit, at the groups' prices. */
function factorsAt(problem: SharingProblem, { met, factor }: Turn): Float64Array {
  const { wanting, hosts, budget } = problem;
  const paid = Float64Array.from({ length: wanting.pages }, (_, i) => paidBy(problem, met, i));
  const smooth = smoothOf(wanting);
  const times: Wanting = { ...wanting, crawlsAt: (i, price) => smooth(i, Math.min(beyondWorth, paid[i] * price)) };
  const near = factor.map((each) => (each > 1 ? each : 0));
  const prices = new PricedPages(times, budget).keepHosts(hosts, { start: 1, lowest: 1, near });
  return prices.map((each) => Math.max(1, each));
}

/** Where the logarithms of factors go to, if each step is as much shorter as the last was. */
function aitken(passed: readonly Float64Array[], next: Float64Array): Float64Array {
  const [first, second] = passed.slice(-2);
  return next.map((each, h) => {
    const [before, now, then] = [first[h], second[h], each].map(Math.log);
    const [step, following] = [now - before, then - now];
    const ratio = following / step;
    if (!(ratio > 0 && ratio < 1)) return each;
    return Math.max(1, Math.exp(then + (following * ratio) / (1 - ratio)));
  });
}

/** What one more crawl a unit of time at each host would save, in crawls. */
function savedBy({ hosts }: SharingProblem, factor: Float64Array): Float64Array {
  const least = outside(factor, hosts, 1);
  return factor.map((each, h) => Math.max(0, each - least[h]));
}

/**
 * What prices prove by weak duality: no crawls that keep targets and limits sum to less. Without counting the crawls
 * themselves: above 0 where no crawls keep them.
 */
function proved(problem: SharingProblem, { met, factor }: Turn, counting: boolean): number {
  const { wanting, hosts, own, whole } = problem;
  const saved = savedBy(problem, factor);
  const common = met.price < beyondWorth ? 1 / met.price : 0;
  let limits = common > 0 ? whole * common : 0;
  for (const [g, { ceiling }] of met.own.entries()) limits += own.limit[g] * Math.max(0, 1 / ceiling - common);
  for (const [h, each] of saved.entries()) if (each > 0) limits += each * hosts.limit[h];
  let [sum, crawlsOfAll] = [0, 0];
  for (let i = 0; i < wanting.pages; i++) {
    const paid = paidBy(problem, met, i);
    const times = factorOf(hosts, factor, i);
    const crawls = wanting.crawlsAt(i, Math.min(beyondWorth, paid * (counting ? times : Math.max(times - 1, hardly))));
    if (paid < beyondWorth) sum += wanting.leftAt(i, crawls) / paid;
    sum += crawls * (counting ? times : times - 1);
    crawlsOfAll += crawls;
  }
  return sum - limits - (counting ? 0 : hardly * crawlsOfAll + rounding * limits);
}

/** The answer at prices that keep all: what a host adds is told as the price of all times its factor. */
function settled(problem: SharingProblem, turn: Turn, crawls = turn.met.crawls): TargetMet {
  const { met, factor } = turn;
  let total = 0;
  for (const each of crawls) total += each;
  const highest = Math.max(
    ...[met.price, ...met.own.map(({ price }) => price)].filter((each) => each < beyondWorth),
    0,
  );
  const saved = savedBy(problem, factor);
  return {
    ...met,
    crawls,
    total,
    bound: Math.min(total, Math.max(0, proved(problem, turn, true))),
    hostPrice: factor.map((each, h) => (saved[h] > 0 ? highest * each : 0)),
    factor,
  };
}

/**
 * What crawls leave that keep the hosts' limits at the last prices; the answer itself, where that is little enough. Whole
 * crawls may do where those without steps do not: only proof tells that they miss a target.
 */
function nearest(problem: SharingProblem, { met, factor }: Turn, isMissed: boolean): TargetMet | TargetMissed {
  const { wanting, hosts, own, whole } = problem;
  const crawls = new Float64Array(wanting.pages);
  const left = new Float64Array(own.limit.length);
  const smooth = smoothOf(wanting);
  let sum = 0;
  for (let i = 0; i < wanting.pages; i++) {
    const price = Math.min(beyondWorth, paidBy(problem, met, i) * factorOf(hosts, factor, i));
    crawls[i] = smooth(i, price);
    const each = wanting.leftAt(i, crawls[i]);
    if (own.of[i] >= 0) left[own.of[i]] += each;
    sum += each;
  }
  const missed: OneMissed[] = [];
  const ask = (group: number, target: number, least: number): void => {
    if (least > target * (1 + rounding)) missed.push({ group, target, least });
  };
  for (const [g, target] of own.limit.entries()) ask(g, target, left[g]);
  ask(-1, whole, sum);
  const [first, ...others] = missed;
  const mayDo = !isMissed && wanting.smoothAt !== undefined;
  if (first === undefined || mayDo) return settled(problem, { met, factor }, crawls);
  const price = first.group < 0 ? met.price : met.own[first.group].ceiling;
  const saved = savedBy(problem, factor);
  return { met: false, ...first, others, hostPrice: factor.map((each, h) => (saved[h] > 0 ? price * each : 0)) };
}
