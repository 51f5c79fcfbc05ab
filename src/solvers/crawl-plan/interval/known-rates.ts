/**
 * A plan's pages as the Poisson pages of crawl-schedule, whose bound knows that a slot is had once.
 *
 * Free times flatter where many copies are overdue together. Under freshness, with all rates taken as known, that bound
 * holds for plans too, whose other limits only take choices away; beliefs over rates, other objectives, signals and
 * news of siblings have none.
 */
import type { Budget } from '../../budget.ts';
import { UpdateProcesses } from '../../crawl-allocation/index.ts';
import { type CrawlScheduleProblem, StaleTime, slotBound, Timetable } from '../../crawl-schedule/index.ts';
import type { CrawlPlanProblem } from '../model/plan-problem.ts';
import type { PricedPlan } from '../priced-plan.ts';

/** Mean times between changes that this is tried for, in seconds. */
const meanTimes = { least: 1e-9, most: 1e15 };

/** Σ weight·staleness that no schedule can beat, from the prices that this one shows; 0 where none is known. */
export function boundBySlots(priced: PricedPlan, page: Int32Array, budget: Budget): number {
  const problem = budget.stopRequested() ? null : poissonPages(priced);
  if (problem === null) return 0;
  const { slots, steady } = priced;
  const { interval, weight } = problem.allocation;
  const stale = new StaleTime(problem.allocation);
  const table = new Timetable({ slotTime: slots.time, interval, weight, stale, hosts: null }, page);
  return slotBound({ problem, table, stale, shadowPrice: steady.price }, budget);
}

/** Whether all rates are known or taken as known, and nothing else tells of changes. */
export function ratesKnown({ changeRate, estimator, signals }: CrawlPlanProblem): boolean {
  if (signals !== undefined) return false;
  return estimator === 'maximum-likelihood' || changeRate.every((each) => !Number.isNaN(each));
}

function poissonPages({ problem, age, beliefs, slots }: PricedPlan): CrawlScheduleProblem | null {
  const { interval, weight, objective = 'freshness', slotsByCrawler } = problem;
  const { rate, siblings } = beliefs;
  if (!ratesKnown(problem) || objective !== 'freshness' || siblings !== null) return null;
  if (!rate.every((each) => 1 / each >= meanTimes.least && 1 / each <= meanTimes.most)) return null;
  const updates = new UpdateProcesses(rate.length);
  for (let i = 0; i < rate.length; i++) updates.setPoisson(i, rate[i], ['pages', i, 'changeRate']);
  return {
    allocation: {
      interval,
      crawls: slots.time.length,
      updates,
      weight,
      minCrawls: new Int32Array(rate.length),
      maxCrawls: new Int32Array(rate.length).fill(-1),
      lastCrawlAge: age.map((own) => (own === Number.POSITIVE_INFINITY ? Number.NaN : own)),
      hosts: null,
      objective: 'freshness',
      quasiDeterministic: 'exact',
      idealTimes: false,
      baselines: false,
    },
    upTo: true,
    slotCounts: Int32Array.from(slotsByCrawler),
    hostDelays: null,
  };
}
