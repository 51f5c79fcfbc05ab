import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlan,
  type CrawlPlanProblem,
  plainPages,
  solveCrawlPlan,
} from '../../../src/solvers/crawl-plan/index.ts';
import { CheckLog } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';

const day = 86_400;
const start = 1_700_000_000;
const pages = 40;

/**
 * Two hundred days of pairs; all changes of a pair are common to both, or none. Fetched in turns, every four days or
 * so.
 */
function watched(together: boolean): CheckLog {
  const random = seededRandom(5);
  const log = new CheckLog(new Float64Array(pages).fill(start));
  for (let i = 0; i < pages; i += 2) {
    const changes = [i, i + 1].map(() => {
      const times: number[] = [];
      for (let t = start; t < start + 200 * day; t += 10 * day * standardExponential(random)) times.push(t);
      return times;
    });
    for (const k of [0, 1]) {
      const own = changes[together ? 0 : k];
      let last = start;
      for (let t = start + (1 + 2 * k) * day; t < start + 196 * day; t += (3.5 + random()) * day) {
        log.record(
          i + k,
          t,
          own.some((at) => at > last && at <= t),
        );
        last = t;
      }
    }
  }
  return log;
}

function plan(log: CheckLog, groups: boolean, last?: Float64Array, slots = 60, interval = 10 * day): CrawlPlan {
  const problem: CrawlPlanProblem = {
    ...plainPages(pages),
    now: start + 200 * day,
    interval,
    slotsByCrawler: Uint32Array.of(slots),
    history: log.history(),
    lastCrawl: last ?? log.lastFetch,
    floor: 0.05,
    estimator: 'drifting-rate',
    groups: groups
      ? {
          group: Int32Array.from({ length: pages }, (_, i) => i >> 1),
          names: Array.from({ length: pages / 2 }, String),
        }
      : undefined,
  };
  const answer = solveCrawlPlan(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer.plan;
}

describe('a plan for pages that change together', () => {
  it('fetches a page sooner whose sibling was found changed after its own last fetch', () => {
    const log = watched(true);
    const quiet = new CheckLog(log.lastFetch);
    expect(quiet.lastFetch).toEqual(log.lastFetch);
    const at = start + 199 * day;
    const before = plan(log, true);
    log.record(1, at, true);
    const told = plan(log, true);
    const alone = plan(log, false);
    expect(told.siblings?.strengths.applied).toBe(true);
    // one day was unseen for page 0 when its sibling was found changed
    expect(told.staleness[0]).not.toBe(alone.staleness[0]);
    expect(told.nextFetch[0]).toBeLessThan(before.nextFetch[0]);
    expect(told.nextFetch[0]).toBeLessThan(alone.nextFetch[0]);
  });

  it('says how much sooner a page is due when its sibling is found changed', () => {
    const { siblings } = plan(watched(true), true);
    for (const [i, factor] of (siblings?.factor ?? []).entries()) {
      expect(factor).toBeLessThan(0.5);
      expect(siblings?.sooner[i]).toBeGreaterThan(day);
    }
  });

  it('never says that a page is due later when its sibling is found changed, however seldom it is fetched', () => {
    // a slot in ten thousand days: half a fetch interval is far past the ages that are told
    const { siblings, fetchInterval } = plan(watched(true), true, undefined, 1, 10_000 * day);
    expect(Math.min(...fetchInterval)).toBeGreaterThan(10_000 * day);
    expect(siblings?.strengths.applied).toBe(true);
    for (const sooner of siblings?.sooner ?? []) expect(sooner).toBeGreaterThanOrEqual(0);
  });

  it('takes a copy fetched after now for one fetched now', () => {
    const now = start + 200 * day;
    const log = watched(true);
    for (const groups of [true, false]) {
      const at = plan(log, groups, new Float64Array(pages).fill(now), 12);
      expect(at.withoutCrawl.length).toBeGreaterThan(0);
      for (const i of at.withoutCrawl) expect(at.nextFetch[i]).toBe(now + Math.max(10 * day, at.fetchInterval[i]));
      expect(plan(log, groups, new Float64Array(pages).fill(now + 5 * day), 12)).toEqual(at);
    }
  });

  it('is the plan without groups, to the bit, where pages change each by itself', () => {
    const log = watched(false);
    const { siblings, ...grouped } = plan(log, true);
    const { siblings: _, ...alone } = plan(log, false);
    expect(siblings?.strengths.applied).toBe(false);
    expect(siblings?.factor.every((factor) => factor === 1)).toBe(true);
    expect(grouped).toEqual(alone);
  });
});
