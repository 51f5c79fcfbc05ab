/** Large questions, parts of which other threads do: the answer is the same to the bit for any number of them. */
import { expect, it } from 'vitest';
import { PartThreads } from '../../../src/dispatch/parts/thread-hands.ts';
import { crawlAllocationRequest } from '../../../src/schemas/crawl-allocation/index.ts';
import { type Budget, type Hands, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls } from '../../../src/solvers/crawl-allocation/index.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { type ChangeRatesProblem, solveChangeRates } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { partsFile } from '../../../src/worker-file.ts';
import { manyPages, paperMix } from '../../solvers/crawl-allocation/many-pages.ts';

/** Hands that count what they are given, and that do it or fail. */
function counted(threads: PartThreads, others: number) {
  const given: string[] = [];
  const hands: Hands = {
    others,
    start(part, input, budget) {
      given.push(part.name);
      const run = (): never => {
        throw new Error(`${part.name} was not done there`);
      };
      return threads.hands(others)?.start({ name: part.name, run }, input, budget) ?? run;
    },
  };
  return { given, hands };
}

/**
 * Checks of pages, irregular at every tenth; some pages have none, some changes are known by their age, and count less.
 */
function problem(pages: number, checks: number): ChangeRatesProblem {
  const random = seededRandom(11);
  const offsets = new Uint32Array(pages + 1);
  for (let i = 0; i < pages; i++) offsets[i + 1] = offsets[i] + (i % 97 === 5 ? 0 : Math.floor(2 * checks * random()));
  const elapsed = new Float64Array(offsets[pages]);
  for (let i = 0; i < pages; i++) {
    const gap = 0.2 + 2 * random();
    for (let k = offsets[i]; k < offsets[i + 1]; k++) elapsed[k] = i % 10 === 0 ? 0.2 + 2 * random() : gap;
  }
  const outcome = Uint8Array.from(elapsed, (gap) => (random() < 0.3 * gap ? 1 + Math.floor(1.1 * random()) : 0));
  const matters = Float64Array.from(elapsed, () => 1 - 0.5 * random());
  const skip = Uint8Array.from({ length: pages }, (_, i) => (i % 31 === 0 ? 1 : 0));
  const history = { offsets, elapsed, outcome, matters };
  return { history, method: 'bias-reduced', prior: 'none', confidence: 0.9, skip };
}

it.each([
  ['none', 'bias-reduced'],
  [{ shape: 0.8, rate: 3 }, 'maximum-likelihood'],
] as const)('change rates, prior %o, %s', (prior, method) => {
  const asked = { ...problem(2_000, 850), prior, method };
  const alone = solveChangeRates(asked, unlimitedBudget());
  const threads = new PartThreads(partsFile);
  for (const others of [1, 2]) {
    const { given, hands } = counted(threads, others);
    expect(solveChangeRates(asked, { ...unlimitedBudget(), hands })).toEqual(alone);
    expect(given).toEqual(new Array(others).fill('change-rates'));
  }
});

it.each([
  [16_500, ['beliefs', 'rate-intervals', 'probes', 'plan-bounds', 'intervals-after']],
  // few enough for bounds to look at the schedule
  [9_000, ['rate-intervals', 'plan-bounds']],
])('a plan of %i pages', (pages, parts) => {
  const { history } = problem(pages, 34);
  const random = seededRandom(12);
  const day = 86_400;
  const asked: CrawlPlanProblem = {
    ...plainPages(pages),
    now: 1_760_000_000,
    interval: day,
    slotsByCrawler: Uint32Array.of(pages / 4),
    history: { ...history, elapsed: history.elapsed.map((gap) => gap * day) },
    changeRate: Float64Array.from({ length: pages }, (_, i) => (i % 40 === 7 ? 0.1 / day : Number.NaN)),
    lastCrawl: Float64Array.from({ length: pages }, () => Math.round(1_760_000_000 - 2 * day * random())),
    evenShare: 0.05,
  };
  const alone = planCrawls(asked, unlimitedBudget());
  const { given, hands } = counted(new PartThreads(partsFile), 1);
  expect(planCrawls(asked, { ...unlimitedBudget(), hands })).toEqual(alone);
  expect(given).toEqual(parts);
});

it('an allocation', () => {
  const pages = 600_000;
  const mix = { ...paperMix, weighted: true, bounds: true, start: 'ages' } as const;
  const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls: 3 * pages, pages: manyPages(pages, mix) });
  const answer = (budget: Budget) => {
    const told = allocateCrawls(problem, budget);
    if (told.status === 'infeasible') throw new Error(told.conflict.detail);
    const { crawls, staleness, objective, certificate } = told;
    // millions of numbers are compared as text in no time
    return { crawls: crawls.join(), staleness: staleness.join(), objective, certificate };
  };
  const alone = answer(unlimitedBudget());
  for (const others of [1, 2]) {
    const { given, hands } = counted(new PartThreads(partsFile), others);
    expect(answer({ ...unlimitedBudget(), hands })).toEqual(alone);
    expect(given[0]).toBe('quasi-gains');
    // counted once roughly, then exactly
    expect(given.filter((part) => part === 'allocation-counts').length).toBeGreaterThanOrEqual(2 * others);
    expect(given.slice(-others)).toEqual(new Array(others).fill('allocation-reports'));
  }
});
