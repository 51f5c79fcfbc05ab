/**
 * `access-sequence` of several crawlers against short dealings. Each crawler goes round by the index rule, the pages
 * dealt largest host first, or it goes round in turn, the hosts dealt in turn.
 */
import { accessSequence } from '../../src/index.ts';
import { bestEnd, costOf, indexOf } from './access-sequence.ts';
import { inTurn, largestFirst, type Question } from './access-teams.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { named, type Point, points, seeded } from './draws.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [8, 20, 60],
  crawlers: [2, 3, 5],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // hosts, each of which goes to one crawler; none: pages by themselves
  hosts: [0, 6],
  // accesses of a crawler by the mean change rate of a page, all together
  accesses: [0.2, 1, 5],
} as const;

export const teamSequencesContest: Contest = {
  operation: 'access-sequence',
  instances(size, seed) {
    const kept = points(axes, size === 'grid' ? 36 : 18, seed).filter(({ pages }) => size === 'grid' || pages <= 8);
    return kept.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Point<typeof axes>, seed: number): Instance {
  const pages = drawPages({ ...point, ages: 'none' }, seeded(seed));
  const question = { pages, crawlers: point.crawlers };
  const time = 1 / (point.accesses * point.pages);
  return {
    axes: named({ ...point, pages: `${point.pages}, dealt` }),
    solve: () => solved(question, time),
    rules: {
      'largest first, index rule': () => dealt(largestFirst(question), (hand) => byIndex(hand, time)),
      'in turn': () => dealt(inTurn(question), (hand) => costOf(hand, time, Array.from(hand.keys()))),
    },
  };
}

const byIndex = (hand: readonly Page[], time: number): number =>
  bestEnd(hand, time, (page, gap) => page.weight * indexOf(page.rate * time, gap));

const dealt = (hands: readonly (readonly Page[])[], cost: (hand: readonly Page[]) => number): number =>
  hands.reduce((sum, hand) => sum + (hand.length === 0 ? 0 : cost(hand)), 0);

function solved({ pages, crawlers }: Question, time: number): Outcome {
  const { objective, solution } = accessSequence({
    pages: pages.map(({ rate, weight, host }) => ({
      changeRate: rate,
      weight,
      ...(host >= 0 && { host: `h${host}` }),
    })),
    accessTime: { type: 'deterministic', value: time },
    crawlers,
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined || solution?.crawlers === undefined) throw new Error('no cycles');
  const { value, gap } = objective;
  // a page stands in its crawler's cycle, or is always stale
  const seen = new Set<number>();
  const recomputed = solution.crawlers.reduce((sum, { sequence }) => {
    const mine = [...new Set(sequence)];
    for (const i of mine) seen.add(i);
    const own = mine.map((i) => pages[i]);
    const place = new Map(mine.map((i, k) => [i, k]));
    const cycle = sequence.map((i) => place.get(i) ?? Number.NaN);
    return sum + (mine.length === 0 ? 0 : costOf(own, time, cycle));
  }, 0);
  const never = pages.reduce((sum, { weight }, i) => sum + (seen.has(i) ? 0 : weight), 0);
  return { value, gap, recomputed: recomputed + never };
}
