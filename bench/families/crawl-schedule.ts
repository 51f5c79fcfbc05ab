/** `crawl-schedule` against the index rule, all in turn, and shares. */
import { crawlSchedule } from '../../src/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { costOf } from './costs.ts';
import { axisTexts, drawPoints, type Point, seededDraw } from './draws.ts';
import { drawPages, type Page } from './pages.ts';
import { slotRules } from './slot-rules.ts';

const axes = {
  pages: [50, 200, 1000, 3000],
  crawls: [0.1, 0.5, 1, 3, 5, 20],
  crawlers: [1, 3, 7],
  ages: ['none', 'equal', 'exponential', 'overdue', 'never', 'half never'],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  hosts: ['none', 'none', 'none', 'ten', 'crowded'],
} as const;

/** Maximum pages × slots for the index rule, a few seconds. */
const maxComparisons = 3e7;

export const crawlScheduleContest: Contest = {
  operation: 'crawl-schedule',
  instances(size, seed) {
    const grid = drawPoints(axes, size === 'grid' ? 90 : 20, seed);
    const cases = grid.filter(
      ({ pages, crawls }) => pages * pages * crawls <= (size === 'grid' ? maxComparisons : 5e4),
    );
    return cases.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Point<typeof axes>, seed: number): Instance {
  const hosts = point.hosts === 'none' ? 0 : point.hosts === 'ten' ? 10 : Math.max(2, Math.round(point.pages / 50));
  const pages = drawPages({ ...point, hosts }, seededDraw(seed));
  const perCrawler = Math.max(1, Math.round((point.pages * point.crawls) / point.crawlers));
  const slotCounts = Array.from({ length: point.crawlers }, () => perCrawler);
  const slots = slotCounts.flatMap((count) => Array.from({ length: count }, (_, l) => l / count)).sort((a, b) => a - b);
  // a crowded host takes nine tenths of an equal share of the slots
  const hostDelay = hosts === 0 ? 0 : hosts / slots.length / (point.hosts === 'crowded' ? 0.9 : 2);
  const question = { pages, slots, objective: 'freshness', hostDelay } as const;
  return {
    axes: axisTexts(point),
    solve: () => solveCase(pages, slotCounts, hosts, hostDelay),
    rules: slotRules(question),
  };
}

function solveCase(pages: readonly Page[], slotCounts: readonly number[], hosts: number, minDelay: number): Outcome {
  const { objective, solution } = crawlSchedule({
    interval: 1,
    crawlers: slotCounts.map((slots) => ({ slots })),
    pages: pages.map(({ rate, weight, age, host }) => ({
      changeRate: rate,
      weight,
      ...(age < Number.POSITIVE_INFINITY && { lastCrawlAge: age }),
      ...(host >= 0 && { host: `h${host}` }),
    })),
    ...(hosts > 0 && { hosts: Array.from({ length: hosts }, (_, h) => ({ host: `h${h}`, minDelay })) }),
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined || solution === undefined) throw new Error('no schedule');
  const times: number[][] = pages.map(() => []);
  if (Array.isArray(solution.schedule)) for (const { page, time } of solution.schedule) times[page].push(time);
  return { value: objective.value, gap: objective.gap, recomputed: costOf('freshness', pages, times) };
}
