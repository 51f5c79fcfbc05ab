/**
 * `access-frequencies` of several crawlers against short dealings of the pages. The hosts that ask for most go to the
 * crawler that has least so far. Each crawler is at its best frequencies, and in turn at equal ones.
 */
import { accessFrequencies } from '../../src/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { named, type Point, points, seeded } from './draws.ts';
import { costAt, costOfRates, halved, rateAt, totalOf } from './long-run.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [12, 50, 200, 1000],
  crawlers: [2, 3, 8],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // hosts, each of which goes to one crawler; none: pages by themselves
  hosts: [0, 10, 40],
  // accesses of a crawler by the mean change rate of a page, all together
  accesses: [0.2, 1, 5],
} as const;
type Case = Point<typeof axes>;

/** Accesses of a unit of time each. */
export interface Question {
  readonly pages: readonly Page[];
  readonly crawlers: number;
}

export const accessTeamsContest: Contest = {
  operation: 'access-frequencies',
  instances(size, seed) {
    const kept = points(axes, size === 'grid' ? 72 : 12, seed);
    return kept.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Case, seed: number): Instance {
  const drawn = drawPages({ ...point, ages: 'none' }, seeded(seed));
  const pages = drawn.map((page) => ({ ...page, rate: page.rate / (point.accesses * point.pages) }));
  const question = { pages, crawlers: point.crawlers };
  return {
    axes: named(point),
    solve: () => solved(question),
    rules: {
      'largest first': () => dealt(largestFirst(question), bestCost),
      'in turn': () => dealt(inTurn(question), equalCost),
    },
  };
}

function solved({ pages, crawlers }: Question): Outcome {
  const { objective, solution } = accessFrequencies({
    pages: pages.map(({ rate, weight, host }) => ({
      changeRate: rate,
      weight,
      ...(host >= 0 && { host: `h${host}` }),
    })),
    accessTime: { type: 'deterministic', value: 1 },
    policy: 'deterministic',
    crawlers,
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined || solution === undefined || !Array.isArray(solution.pages)) throw new Error('no shares');
  const { value, gap } = objective;
  const recomputed = solution.pages.reduce((sum, { frequency }, i) => sum + costAt(pages[i], frequency * crawlers), 0);
  return { value, gap, recomputed };
}

const dealt = (hands: readonly (readonly Page[])[], cost: (pages: readonly Page[]) => number): number =>
  hands.reduce((sum, pages) => sum + cost(pages), 0);

/** The pages of each host, or each page by itself. */
function groupsOf(pages: readonly Page[]): Page[][] {
  const groups = new Map<number, Page[]>();
  for (const [i, page] of pages.entries()) {
    const key = page.host < 0 ? -1 - i : page.host;
    groups.set(key, [...(groups.get(key) ?? []), page]);
  }
  return [...groups.values()];
}

export function largestFirst({ pages, crawlers }: Question): Page[][] {
  const asked = (group: readonly Page[]): number =>
    group.reduce((sum, { rate, weight }) => sum + Math.sqrt(rate * weight), 0);
  const hands = Array.from({ length: crawlers }, (): Page[] => []);
  for (const group of groupsOf(pages).sort((a, b) => asked(b) - asked(a)))
    hands.reduce((least, hand) => (asked(hand) < asked(least) ? hand : least)).push(...group);
  return hands;
}

export function inTurn({ pages, crawlers }: Question): Page[][] {
  const hands = Array.from({ length: crawlers }, (): Page[] => []);
  for (const [k, group] of groupsOf(pages).entries()) hands[k % crawlers].push(...group);
  return hands;
}

const equalCost = (pages: readonly Page[]): number =>
  pages.reduce((sum, page) => sum + costAt(page, 1 / pages.length), 0);

/** At the shares that a price leaves every page, where all of them take the crawler's time. */
function bestCost(pages: readonly Page[]): number {
  const shares = (price: number): number[] => pages.map((page) => rateAt(page, price));
  const high = pages.reduce((most, { rate, weight }) => Math.max(most, weight / rate), 0);
  const found = shares(halved(0, high, (price) => totalOf(shares(price)) > 1));
  const all = Math.max(totalOf(found), 1e-300);
  return costOfRates(
    pages,
    found.map((share) => share / all),
  );
}
