/** Random plans, and what any schedule of one costs by the plan's own model of the pages. */
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { pageRates } from '../../../src/solvers/crawl-plan/evidence.ts';
import type { CrawlPlanProblem } from '../../../src/solvers/crawl-plan/index.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';
import { pagesByEvidence } from '../../../src/solvers/pages/models/index.ts';
import type { PageModel } from '../../../src/solvers/pages/models/page-model.ts';
import { checkHistory } from '../../check-history.ts';

const day = 86_400;
export const now = 1_760_000_000;

/** Random pages: with rates known, or with histories and beliefs; some never fetched. */
export function randomProblem(random: Random, pages: number, slots: number, known: boolean): CrawlPlanProblem {
  const column = (of: () => number): Float64Array => Float64Array.from({ length: pages }, of);
  const interval = day * 10 ** (2 * random() - 0.5);
  return {
    now,
    interval,
    slotsByCrawler: Uint32Array.of(slots),
    history: checkHistory(
      Array.from({ length: pages }, () =>
        known
          ? []
          : Array.from({ length: Math.floor(6 * random()) }, () => [day * 10 ** random(), random() < 0.4 ? 1 : 0]),
      ),
    ),
    changeRate: column(() => (known ? 10 ** (3 * random() - 1.5) / interval : Number.NaN)),
    lastCrawl: column(() => (random() < 0.2 ? Number.NaN : now - interval * 10 ** (3 * random() - 2))),
    weight: column(() => 10 ** (2 * random())),
    minInterval: column(() => 0),
    maxInterval: column(() => Number.POSITIVE_INFINITY),
    host: new Int32Array(pages).fill(-1),
    hostName: [],
    hostDelay: new Float64Array(0),
    evenShare: 0,
  };
}

/** The plan's own models of a problem's pages, a new one each time it is asked for. */
export function modelsOf(problem: CrawlPlanProblem): () => PageModel {
  const age = problem.lastCrawl.map((last) => (Number.isNaN(last) ? Number.POSITIVE_INFINITY : problem.now - last));
  return pagesByEvidence(problem, pageRates(problem, unlimitedBudget()), age).createModel;
}

/**
 * Σ weight·staleness when slot s fetches page[s]. It is by the definition where a page's rate is known. Else it is by
 * the plan's own model of what is believed, which evidence.test.ts holds against quadrature.
 */
export function costOf(problem: CrawlPlanProblem, model: PageModel, page: readonly number[]) {
  const { interval, weight, lastCrawl } = problem;
  const last = lastCrawl.map((time) => (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time - now));
  let cost = 0;
  const account = (i: number, time: number): void => {
    const from = last[i];
    const rate = problem.changeRate[i];
    if (model.costTime === null && !Number.isNaN(rate)) {
      const stale = (age: number): number => age + Math.expm1(-rate * age) / rate;
      cost += weight[i] * (from === Number.NEGATIVE_INFINITY ? time : stale(time - from) - stale(Math.max(0, -from)));
      return;
    }
    if (model.costTime !== null) {
      const begun = from === Number.NEGATIVE_INFINITY ? 0 : from;
      cost += weight[i] * model.costTime(i, Math.max(0, -begun), time - begun);
      return;
    }
    cost +=
      weight[i] * (from === Number.NEGATIVE_INFINITY ? time : model.staleTime(i, Math.max(0, -from), time - from));
  };
  page.forEach((i, s) => {
    if (i < 0) return;
    const time = (s * interval) / page.length;
    account(i, time);
    model.recordFetch(i, time);
    last[i] = time;
  });
  for (const i of last.keys()) account(i, interval);
  return cost / interval;
}
