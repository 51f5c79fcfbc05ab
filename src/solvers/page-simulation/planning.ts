/** crawl-plan as a policy: plans made every so often from what the fetches have seen. Times in seconds. */
import { unlessStopped, unlimitedBudget } from '../budget.ts';
import {
  type CrawlPlanAnswer,
  type CrawlPlanProblem,
  type PlanFor,
  plainPages,
  planCrawls,
} from '../crawl-plan/index.ts';
import type { HostGroups } from '../pages/groups/index.ts';
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { PlannedPolicy } from './problem.ts';

/** What hosts ask of plans; `of` by page, −1 for none, the others by host. */
export interface HostRules {
  readonly of: Int32Array;
  readonly names: readonly string[];
  /** Left out: none lies within another. */
  readonly around?: HostGroups | undefined;
  readonly minDelay: Float64Array;
  /** Fetches a second in the mean, Infinity for no limit. */
  readonly maxRate: Float64Array;
}

export interface PlanningOptions {
  readonly crawls: number;
  /** Seconds from one plan to the next. */
  readonly every: number;
  readonly weight: Float64Array;
  readonly evenShare: number;
  /** What staleness costs; undefined: freshness. */
  readonly objective?: ObjectiveName | undefined;
  readonly planFor?: PlanFor | undefined;
  /** Undefined: no host asks for anything. */
  readonly hosts?: HostRules | undefined;
  /** Undefined: none. */
  readonly minInterval?: number | undefined;
  readonly maxInterval?: number | undefined;
}

export function planningPolicy(options: PlanningOptions): PlannedPolicy {
  const { crawls, every, weight, hosts } = options;
  const fill = (value: number): Float64Array => new Float64Array(weight.length).fill(value);
  return {
    type: 'planned',
    every,
    crawls,
    plan(log, now, fetches, stop) {
      const problem: CrawlPlanProblem = {
        ...plainPages(weight.length),
        now,
        interval: every,
        slotsByCrawler: Uint32Array.of(fetches),
        history: log.history(),
        lastCrawl: log.lastFetch,
        weight,
        minInterval: fill(options.minInterval ?? 0),
        maxInterval: fill(options.maxInterval ?? Number.POSITIVE_INFINITY),
        evenShare: options.evenShare,
        objective: options.objective ?? 'freshness',
        planFor: options.planFor,
        ...(hosts && {
          host: hosts.of,
          hostName: hosts.names,
          hostGroups: hosts.around,
          hostDelay: hosts.minDelay,
          hostRate: hosts.maxRate.some((rate) => rate < Number.POSITIVE_INFINITY) ? hosts.maxRate : undefined,
        }),
      };
      const result = planned(problem, stop);
      if (result === null) return null;
      // A longest interval that cannot be kept leaves nothing to follow: the pages stay unfetched until the next plan.
      if (result.status === 'infeasible') return { times: new Float64Array(0), pages: new Uint32Array(0) };
      return { times: result.plan.slotTime, pages: result.plan.slotPage };
    },
  };
}

/** The plan; null when the budget ended before there was one. */
function planned(problem: CrawlPlanProblem, stop: () => boolean): CrawlPlanAnswer | null {
  return unlessStopped(null, () => planCrawls(problem, { ...unlimitedBudget(), stopRequested: stop }));
}
