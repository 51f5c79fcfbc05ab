/**
 * Pages that change, and a policy that fetches them: freshness, age, delay and embarrassment, measured.
 *
 * Model: each page changes by its own process, alone or with the other pages of its host; a fetch makes its copy
 * current. Between 0 and its end are measured, weighted over pages. `freshness` is the share of time with a current
 * copy. `age` is the mean time since the first change that the copy lacks (0 while it lacks none). `delay` is the mean
 * time that a change waits for its fetch, by Little's formula. That is the integral of the number of changes not yet
 * fetched, over the number of changes. `embarrassment` is Σ weight × stale share. Fetches, changes and fetches that
 * found one are counted.
 *
 * Method: independent replications, each page from its copy's last fetch on; updates in equilibrium; fetch rules in
 * their steady state where they have one. Means with 95% intervals over the replications (mean-intervals.ts).
 * Complexity: about 0.3 µs a fetch and a change. Shares no code with the solvers whose plans it judges.
 */
import type { Warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { type Estimate, replicate, type SimulationResult } from '../simulation/index.ts';
import { seldomSeen, shareOf } from './mean-intervals.ts';
import { type PageMeasureName, pageMeasureNames } from './measures.ts';
import { PageSums, pageMeans } from './page-sums.ts';
import { meanLead, type PageSimulationProblem } from './problem.ts';
import { requireFewCommonChanges, simulateReplication } from './run.ts';
import { meanUpdateRate } from './update-stream.ts';

/** Nanoseconds a fetch or a change takes, roughly; a page has its streams besides. */
const eventWork = 300;
const pageWork = 1500;
/** Nanoseconds a plan takes, roughly: for itself, for each page and for each fetch. */
const planWork = { plan: 2e6, page: 1e5, fetch: 2e4 } as const;

/** Expected fetches and changes of one replication, those before time 0 included. */
function expectedEvents(problem: PageSimulationProblem): number {
  const { updates, policy, duration } = problem;
  let changes = 0;
  for (const [i, each] of updates.entries()) {
    if (each.type === 'quasi-deterministic') changes += each.times.length;
    // Every update of overlapping bursts is the least over those that run.
    const perUpdate = each.type === 'bursty' ? 1 + (each.rate * each.burstLength) / 8 : 1;
    changes += meanUpdateRate(each) * (duration + meanLead(problem, i)) * perUpdate;
  }
  switch (policy.type) {
    case 'rates':
      return changes + policy.rates.reduce((sum, rate) => sum + rate, 0) * duration;
    case 'schedule':
      return changes + policy.times.length;
    case 'sequence':
      return changes + policy.crawlRate * duration;
    case 'adaptive':
      return changes + (updates.length * duration) / policy.rule.firstInterval;
    case 'planned':
      return changes + Math.ceil(duration / policy.every) * (policy.crawls + updates.length);
  }
}

/** @throws ConditionNotMet where a host's common changes would be too many to hold */
export function pageSimulationWork(problem: PageSimulationProblem): number {
  requireFewCommonChanges(problem);
  const { policy, duration, replications, updates } = problem;
  const pages = updates.length;
  const plans = policy.type === 'planned' ? Math.ceil(duration / policy.every) : 0;
  const crawls = policy.type === 'planned' ? policy.crawls : 0;
  const planning = plans * (planWork.plan + planWork.page * pages + planWork.fetch * crawls);
  return replications * (expectedEvents(problem) * eventWork + pages * pageWork + planning);
}

/** @throws NothingToReturn when stopped before two replications had ended */
export function solvePageSimulation(problem: PageSimulationProblem, budget: Budget) {
  const { duration, replications } = problem;
  const sums = problem.perPage ? problem.updates.map(() => new PageSums()) : [];
  const result = replicate(pageMeasureNames, replications, budget, (random, stop) => {
    const run = simulateReplication(problem, random, stop);
    if (run === null) return null;
    for (const [i, counts] of run.pages.entries()) sums[i].add(counts);
    const values = run.totals.measures(duration);
    return { values, events: values.fetches + values.changes, pages: problem.updates.length };
  });
  const warnings: Warning[] = [];
  if (result.replications < replications) {
    const detail = `the time limit ended after ${result.replications} of ${replications} replications; the intervals are of these`;
    warnings.push({ code: 'stopped-early', detail, pointer: '/replications' });
  }
  return {
    status: 'evaluated' as const,
    solution: {
      measures: byName(problem, result),
      ...(problem.perPage && { pages: pageMeans(sums, duration, result.replications) }),
    },
    warnings,
    statistics: { solver: 'page-simulation', replications: result.replications, events: result.events },
  };
}

function byName(
  { weight, duration }: PageSimulationProblem,
  { measures, replications }: SimulationResult<PageMeasureName>,
): Record<PageMeasureName, Estimate | null> {
  const of = (name: PageMeasureName): Estimate | null => measures.get(name) ?? null;
  const share = (name: PageMeasureName, all: number): Estimate | null => {
    const found = of(name);
    return found && shareOf(found, replications, all);
  };
  const seldom = (name: PageMeasureName, most: number): Estimate | null => {
    const found = of(name);
    return found && seldomSeen(found, replications, most);
  };
  const all = weight.reduce((sum, w) => sum + w, 0);
  return {
    freshness: share('freshness', 1),
    staleness: share('staleness', 1),
    embarrassment: all > 0 ? share('embarrassment', all) : of('embarrassment'),
    age: seldom('age', duration),
    delay: seldom('delay', duration),
    fetches: of('fetches'),
    changes: seldom('changes', 1),
    changesSeen: seldom('changesSeen', 1),
  };
}
