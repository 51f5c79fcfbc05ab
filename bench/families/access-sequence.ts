/** `access-sequence` against cycles of short rules: the index rule, the most overdue by square roots, and all in turn. */
import { accessSequence } from '../../src/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { axisTexts, drawPoints, type Point, seededDraw } from './draws.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [3, 6, 12, 25, 40, 100],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // accesses of a page in its mean time between changes, where all take turns
  accesses: [0.5, 2, 10],
} as const;

export const accessSequenceContest: Contest = {
  operation: 'access-sequence',
  instances(size, seed) {
    const cases = drawPoints(axes, size === 'grid' ? 60 : 16, seed).filter(
      ({ pages }) => size === 'grid' || pages <= 12,
    );
    return cases.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Point<typeof axes>, seed: number): Instance {
  const pages = drawPages({ ...point, ages: 'none', hosts: 0 }, seededDraw(seed));
  const time = 1 / (point.accesses * point.pages);
  return {
    axes: axisTexts(point),
    solve: () => solve(pages, time),
    rules: {
      'index rule': () => bestEnd(pages, time, (page, gap) => page.weight * indexOf(page.rate * time, gap)),
      'most overdue': () => bestEnd(pages, time, ({ rate, weight }, gap) => gap * Math.sqrt(rate * weight)),
      'in turn': () =>
        costOf(
          pages,
          time,
          pages.map((_, i) => i),
        ),
    },
  };
}

function solve(pages: readonly Page[], time: number): Outcome {
  const { objective, solution } = accessSequence({
    pages: pages.map(({ rate, weight }) => ({ changeRate: rate, weight })),
    accessTime: { type: 'deterministic', value: time },
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined || solution === undefined || !('sequence' in solution)) throw new Error('no cycle');
  const { value, gap } = objective;
  return { value, gap, recomputed: costOf(pages, time, solution.sequence) };
}

/** Stale share of the time: of a gap of d accesses of length x, a time of (1 − e^−λdx)/λ is fresh. */
export function costOf(pages: readonly Page[], time: number, cycle: ArrayLike<number>): number {
  const last = pages.map(() => -1);
  const fresh = pages.map(() => 0);
  for (let t = 0; t < 2 * cycle.length; t++) {
    const i = cycle[t % cycle.length];
    const load = pages[i].rate * time;
    if (t >= cycle.length) fresh[i] -= Math.expm1(-(t - last[i]) * load) / load;
    last[i] = t;
  }
  return pages.reduce((sum, { weight }, i) => sum + weight * (1 - fresh[i] / cycle.length), 0);
}

/** Whittle index of a page: the long-run saving of an access after a gap, per change. */
export function indexOf(load: number, gap: number): number {
  const stale = (d: number): number => d + Math.expm1(-d * load) / load;
  return gap * (stale(gap + 1) - stale(gap)) - stale(gap);
}

/** Plays a rule for a while, each access going to the page of largest value; the best cycle that the end makes. */
function bestEnd(pages: readonly Page[], time: number, priority: (page: Page, gap: number) => number): number {
  const last = pages.map(() => -1);
  const sequence = Array.from({ length: 60 * pages.length }, (_, t) => {
    let best = 0;
    for (const i of pages.keys()) {
      if (priority(pages[i], t - last[i]) > priority(pages[best], t - last[best])) best = i;
    }
    last[best] = t;
    return best;
  });
  let minimum = Number.POSITIVE_INFINITY;
  const step = Math.max(1, Math.floor(pages.length / 10));
  for (let length = pages.length; length <= 30 * pages.length; length += step) {
    minimum = Math.min(minimum, costOf(pages, time, sequence.slice(-length)));
  }
  return minimum;
}
