/** Small helpers to state allocation problems in tests as one would on the wire, and to solve them. */
import { expect } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  allocateCrawls,
  type CrawlAllocation,
  type CrawlAllocationProblem,
  UpdateProcesses,
} from '../../../src/solvers/crawl-allocation/index.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import type { ObjectiveName } from '../../../src/solvers/pages/objectives/index.ts';
import { faultsOf } from '../../certificates/faults-of.ts';

/** How a page changes. */
export type PageUpdates =
  | { readonly type: 'poisson'; readonly rate: number }
  | { readonly type: 'renewal'; readonly distribution: Distribution }
  | {
      readonly type: 'quasi-deterministic';
      readonly times: readonly number[];
      readonly probabilities: readonly number[];
      readonly staleAtStart?: number;
    };

export interface Page {
  readonly updates: PageUpdates;
  readonly weight?: number;
  readonly minCrawls?: number;
  readonly maxCrawls?: number;
  readonly lastCrawlAge?: number;
  readonly host?: string;
}

export interface Problem {
  readonly interval: number;
  readonly crawls: number;
  readonly pages: readonly Page[];
  readonly hosts?: readonly { readonly host: string; readonly maxCrawls: number }[];
  readonly quasiDeterministic?: 'exact' | 'greedy';
  readonly idealTimes?: boolean;
  readonly baselines?: boolean;
  readonly objective?: ObjectiveName;
}

/** The problem in the solver's form. */
export function allocationRequest(problem: Problem): CrawlAllocationProblem {
  const { pages, interval, crawls, hosts } = problem;
  const updates = new UpdateProcesses(pages.length);
  pages.forEach((page, i) => {
    const process = page.updates;
    if (process.type === 'poisson') updates.setPoisson(i, process.rate, ['pages', i]);
    else if (process.type === 'renewal') updates.setRenewal(i, process.distribution, ['pages', i]);
    else {
      const { times, probabilities, staleAtStart = Number.NaN } = process;
      const quasi = { times, probabilities, staleAtStart, interval };
      updates.setQuasiDeterministic(i, quasi, (name) => ['pages', i, name]);
    }
  });
  const names = hosts?.map(({ host }) => host) ?? [];
  return {
    interval,
    crawls,
    updates,
    weight: Float64Array.from(pages, (page) => page.weight ?? 1),
    minCrawls: Int32Array.from(pages, (page) => page.minCrawls ?? 0),
    maxCrawls: Int32Array.from(pages, (page) => page.maxCrawls ?? -1),
    lastCrawlAge: Float64Array.from(pages, (page) => page.lastCrawlAge ?? Number.NaN),
    hosts:
      hosts === undefined
        ? null
        : {
            of: Int32Array.from(pages, (page) => (page.host === undefined ? -1 : names.indexOf(page.host))),
            maxCrawls: Float64Array.from(hosts, ({ maxCrawls }) => maxCrawls),
            names,
          },
    quasiDeterministic: problem.quasiDeterministic ?? 'exact',
    idealTimes: problem.idealTimes ?? false,
    baselines: problem.baselines ?? false,
    objective: problem.objective ?? 'freshness',
  };
}

/** A page that changes as a Poisson process. */
export const poissonPage = (rate: number, more: Partial<Page> = {}): Page => ({
  updates: { type: 'poisson', rate },
  ...more,
});

/** The answer, certified. */
export function certifiedAnswer(problem: Problem, seed = 7) {
  const answer = allocateCrawls(allocationRequest(problem), unlimitedBudget(seed));
  expect(faultsOf('crawl-allocation', problem, answer.status === 'infeasible' ? answer : onTheWire(answer))).toEqual(
    [],
  );
  return answer;
}

/** The parts of an answer that its certificate reads. */
function onTheWire({ status, objective, crawls, staleness, meanDelay, idealTimes }: CrawlAllocation) {
  const lists = idealTimes && {
    idealTimes: Array.from(crawls, (_, i) =>
      idealTimes.times.subarray(idealTimes.offsets[i], idealTimes.offsets[i + 1]),
    ),
  };
  return { status, objective, solution: { pages: { crawls, staleness, ...(meanDelay && { meanDelay }), ...lists } } };
}

/** The answer to a problem that has one, certified. */
export function certifiedAllocation(problem: Problem, seed = 7): CrawlAllocation {
  const answer = certifiedAnswer(problem, seed);
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}
