/**
 * Plans for one interval alone: against brute force, against plans for ever, and within all that plans have to keep.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { restWorth } from '../../../src/solvers/crawl-plan/place/by-index/rest-worth.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { costOf, modelsOf, now, randomProblem } from './small-plans.ts';

function planOf(problem: CrawlPlanProblem) {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}

const ofInterval = (problem: CrawlPlanProblem) => planOf({ ...problem, planFor: 'interval' });

/** Slots as a list of pages, −1 for none. */
function pagesOf({ plan }: ReturnType<typeof planOf>, { interval }: CrawlPlanProblem, slots: number): number[] {
  const page = new Array<number>(slots).fill(-1);
  for (const [k, time] of plan.slotTime.entries()) {
    page[Math.round(((time - now) / interval) * slots)] = plan.slotPage[k];
  }
  return page;
}

describe('a plan for this interval alone', () => {
  it.each(objectiveNames.flatMap((objective) => [true, false].map((known) => ({ objective, known }))))(
    'of $objective is the best of all schedules of tiny plans, or next to it (rates known: $known)',
    ({ objective, known }) => {
      const random = seededRandom(21);
      let missed = 0;
      for (let round = 0; round < 10; round++) {
        const pages = 2 + Math.floor(2 * random());
        const slots = 2 + Math.floor(4 * random());
        const problem = { ...randomProblem(random, pages, slots, known), objective };
        const working = modelsOf(problem);
        let best = Number.POSITIVE_INFINITY;
        for (let code = 0; code < (pages + 1) ** slots; code++) {
          const page = Array.from({ length: slots }, (_, s) => (Math.floor(code / (pages + 1) ** s) % (pages + 1)) - 1);
          best = Math.min(best, costOf(problem, working(), page));
        }
        const { value, bound } = ofInterval(problem).objective;
        expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
        expect(bound).toBeLessThanOrEqual(best * (1 + 1e-9));
        if (value > best * (1 + 1e-9)) missed++;
        expect(value).toBeLessThan(1.05 * best);
      }
      expect(missed).toBeLessThanOrEqual(1);
    },
  );

  it.each([true, false])(
    'costs less than one for ever, and closes the gap on many slots (rates known: %s)',
    (known) => {
      const random = seededRandom(22);
      const slots = 200;
      const problem = randomProblem(random, 100, slots, known);
      const alone = ofInterval(problem);
      expect(certifyCrawlPlan({ ...problem, planFor: 'interval' }, alone)).toEqual([]);
      expect(alone.objective.value).toBeLessThan(0.97 * planOf(problem).objective.value);
      // a bound that knows of slots is there where rates are known
      if (known) expect(alone.objective.gap).toBeLessThan(0.02);
      expect(alone.plan.idleSlots).toBe(0);
      const working = modelsOf(problem);
      const recomputed = costOf(problem, working(), pagesOf(alone, problem, slots));
      expect(recomputed / alone.objective.value).toBeCloseTo(1, 9);
    },
  );

  it('has a bound that none of many schedules about it exceeds', () => {
    const random = seededRandom(23);
    for (let round = 0; round < 2; round++) {
      const slots = 24;
      const problem = randomProblem(random, 20, slots, true);
      const answer = ofInterval(problem);
      const bound = answer.objective.bound ?? Number.NaN;
      const planned = pagesOf(answer, problem, slots);
      const working = modelsOf(problem);
      for (let trial = 0; trial < 300; trial++) {
        const change = [0.03, 0.2, 1][trial % 3];
        const page = planned.map((i) => (random() < change ? Math.floor(random() * 8) : i));
        expect(costOf(problem, working(), page)).toBeGreaterThanOrEqual(bound * (1 - 1e-12));
      }
    }
  });

  it('keeps delays, largest rates, windows and intervals, and costs no more than the plan for ever', () => {
    const random = seededRandom(24);
    let bettered = 0;
    for (let round = 0; round < 8; round++) {
      const free = randomProblem(random, 30, 60, round % 2 === 0);
      const { interval } = free;
      const share = (of: number) => of * interval;
      const problem: CrawlPlanProblem = {
        ...free,
        host: Int32Array.from({ length: 30 }, (_, i) => (i % 6 < 3 ? i % 6 : -1)),
        hostName: ['a', 'b', 'c'],
        hostDelay: Float64Array.of(share(1 / 30), share(1 / 12), 0),
        hostRate:
          round % 4 < 2 ? undefined : Float64Array.of(Number.POSITIVE_INFINITY, 1 / share(1 / 8), 1 / share(1 / 20)),
        minInterval: free.minInterval.map((_, i) => (i % 5 === 0 ? share(1 / 6) : 0)),
        maxInterval: free.maxInterval.map((none, i) => (i % 7 === 0 ? share(0.8) : none)),
        availability:
          round < 4
            ? undefined
            : {
                spans: null,
                pageFrom: Float64Array.from({ length: 30 }, (_, i) => (i % 9 === 0 ? share(0.3) : 0)),
                hostSpans: [null, Float64Array.of(0, share(0.4), share(0.7), interval), null],
              },
      };
      const forEver = planOf(problem);
      const alone = ofInterval(problem);
      const faults = certifyCrawlPlan({ ...problem, planFor: 'interval' }, alone);
      const missed = (answer: typeof alone): boolean =>
        answer.warnings.some(({ code }) => code === 'max-interval-missed');
      // longest intervals that the plan for ever misses as well are no faults of the horizon's
      const others = faults.filter((fault) => !/waits until|is not fetched by/.test(fault));
      expect(others).toEqual([]);
      expect(missed(alone) && !missed(forEver)).toBe(false);
      if (!missed(forEver)) expect(faults).toEqual([]);
      if (missed(forEver) !== missed(alone)) continue;
      expect(alone.objective.value).toBeLessThanOrEqual(forEver.objective.value);
      if (alone.objective.value < 0.97 * forEver.objective.value) bettered++;
    }
    expect(bettered).toBeGreaterThan(2);
  });

  it('takes a page never fetched for one fetched at the start, where that is what it costs', () => {
    const problem = { ...randomProblem(seededRandom(26), 40, 60, true), objective: 'delay' as const };
    const model = modelsOf(problem)();
    const worth = restWorth(model, problem);
    const { interval } = problem;
    for (const i of problem.lastCrawl.keys()) {
      for (const passed of [0, 0.1, 0.5, 0.9]) {
        const age = passed * interval;
        // λa²/2 for ever, λa(T − a) until the end
        const rate = problem.weight[i] * problem.changeRate[i];
        const least = Math.min((rate * age * age) / 2, rate * age * (interval - age));
        expect(worth(i, Number.POSITIVE_INFINITY, interval - age)).toBeCloseTo(least, 6);
      }
    }
  });

  it('plans for ever where nothing else is said', () => {
    const problem = randomProblem(seededRandom(25), 30, 60, true);
    expect(planOf({ ...problem, planFor: 'ever' })).toEqual(planOf(problem));
  });
});
