import type * as z from 'zod';
import type { Answer } from '../schemas/contract/answer.ts';
import {
  type CheckedCrawlPlan,
  crawlPlanBeside,
  crawlPlanConflict,
  crawlPlanLimits,
  crawlPlanRequest,
  crawlPlanSentence,
  crawlPlanSolution,
  missedPlanTarget,
  repairsAt,
} from '../schemas/crawl-plan/index.ts';
import { checksOfPages } from '../schemas/parts/checks/checks-column.ts';
import type { Budget } from '../solvers/budget.ts';
import {
  type CrawlPlan,
  type LesserTarget,
  type NeededCrawls,
  type PlanConflict,
  type PlanTarget,
  solveCrawlPlan,
  solvePlanCurve,
  solvePlanTarget,
} from '../solvers/crawl-plan/index.ts';
import { siteEditsSaid } from '../solvers/estimation/index.ts';
import { stalenessCost } from '../solvers/pages/objectives/index.ts';
import {
  type AskedTarget,
  easilyKept,
  leftOf,
  measureOf,
  toldCurve,
  toldOf,
  toldTargets,
} from '../solvers/pages/targets/index.ts';
import { defineOperation } from './operation.ts';

/** From a crawl log and a number of fetches to a plan, in one call. */
export const crawlPlan = defineOperation({
  name: 'crawl-plan',
  tag: 'plans',
  summary: 'From a crawl log to a plan: what to fetch, when, and how often',
  description: [
    'You have a log (when each page was fetched, and whether it had changed) and a number of fetches. One call estimates every page’s',
    'change rate, finds the fetch intervals that the fetches can keep up for ever, and fills the slots of this interval. All times are',
    'seconds.',
    '',
    'The log may come as it is, as `text/csv`, `text/plain`, lines of JSON (`application/x-ndjson`) or `application/gzip`. The rest of the',
    'request then stands in the query: `?crawls=300&interval=1d&options.seed=3`.',
    '',
    'Every plan keeps `minInterval` and a host’s `minDelay`, and `maxInterval` to within one slot. A plan that misses a `maxInterval` says',
    'so in a warning; if counting proves that no schedule can keep it, the answer is `infeasible` with a `conflict`. `evenShare` bounds',
    'every page’s wait. `intervalIfUnchanged` and `intervalIfChanged` let a controller act on a fetch before the next plan. Send',
    '`lastCrawl` with the next request.',
    '',
    'The schedule is the index rule of restless bandits, planned for ever; `planFor: "interval"` plans this interval alone.',
    '`objective.bound` is what no schedule of this interval can beat; `longRun` has the bound for ever.',
    '',
    'Source: J. L. Wolf et al., WWW 2002; J. Cho, H. Garcia-Molina, *Effective page refresh policies for web crawlers*, ACM TODS 28 (2003);',
    'Y. Azar et al., *Tractable near-optimal policies for crawling*, PNAS 115 (2018); A. Kolobov et al., NeurIPS 2019.',
  ].join('\n'),
  request: crawlPlanRequest,
  solution: crawlPlanSolution,
  timeUnit: 'seconds',
  sentence: crawlPlanSentence,
  objective: ({ problem, asked }) =>
    asked === null ? stalenessCost(problem.objective ?? 'freshness').measured : { measure: 'crawls', unit: 'crawls' },
  beside: crawlPlanBeside,
  conflict: crawlPlanConflict,
  examples: [
    {
      name: 'crawl-plan',
      summary: 'A day of six pages on three hosts: checks, a log with 304s and a failure, a new page, a known rate',
    },
    { name: 'crawl-plan-columns', summary: 'Columns, two crawlers, a longest interval' },
    { name: 'crawl-plan-feeds', summary: 'A feed reader’s day: the least delay of items, from the feeds’ own entries' },
    {
      name: 'crawl-plan-quiet-hours',
      summary: 'An archive with quiet hours: nights in Berlin, one of them with the change of the clocks',
    },
    {
      name: 'crawl-plan-signals',
      summary: 'Pages with sitemaps: what their hosts say of changes, and how far that can be trusted',
    },
    {
      name: 'crawl-plan-spending',
      summary: 'So many megabytes to spend: pages that a browser must render beside plain ones, and cheaper 304s',
    },
    {
      name: 'crawl-plan-interval',
      summary: 'The last day before a migration, planned by itself: what comes after it does not count',
    },
    {
      name: 'crawl-plan-target',
      summary: 'How few fetches a day keep copies current 90% of the time, the news 95%, by what the log tells',
    },
    { name: 'crawl-plan-infeasible', summary: 'A longest interval that the crawls cannot keep' },
  ],
  limits: crawlPlanLimits,
  pairs: checksOfPages,
  work({ problem, pages }) {
    const slots = problem.slotsByCrawler.reduce((sum, count) => sum + count, 0);
    return (
      (problem.signals === undefined ? 400 : 3000) * problem.history.elapsed.length +
      20_000 * pages.length +
      1000 * slots +
      100_000
    );
  },
  solve(request, budget) {
    const { problem, pages, asked, curve } = request;
    if (asked !== null) return targetAnswer(request, asked, budget);
    const answer = solveCrawlPlan(problem, budget);
    const sizes = { pages: pages.length, checks: problem.history.elapsed.length };
    if (answer.status === 'infeasible') {
      const { conflict } = answer;
      return {
        status: 'infeasible',
        conflict: wireConflict(conflict, request),
        statistics: { solver: 'index-rule', ...sizes },
      };
    }
    const { plan } = answer;
    return {
      status: answer.status,
      objective: answer.objective,
      solution: solutionOf(plan),
      beside: {
        longRun: answer.longRun,
        baselines: { uniform: plan.uniformObjective },
        ...(curve && { curve: curveOf(request, budget) }),
      },
      warnings: [...answer.warnings, ...siteEditsSaid(request.sites, budget)],
      statistics: { solver: 'index-rule', ...sizes, crawls: plan.slotTime.length },
    };
  },
});

/** How few fetches keep the targets, and the plan that makes them. */
function targetAnswer(
  request: CheckedCrawlPlan,
  asked: AskedTarget,
  budget: Budget,
): Answer<z.input<typeof crawlPlanSolution>, z.input<z.ZodObject<typeof crawlPlanBeside>>> {
  const { problem, pages, curve } = request;
  const statistics = { solver: 'clearing-price', pages: pages.length, checks: problem.history.elapsed.length };
  const found = solvePlanTarget({ problem, target: meansOf(asked), curve, less: lesserThan(asked) }, budget);
  if (found.status === 'missed') {
    return { status: 'infeasible', conflict: missedPlanTarget(request, scaledAs(asked, found), found), statistics };
  }
  const { plan: answer, needed, reweighted } = found;
  if (answer.status === 'infeasible') {
    return { status: 'infeasible', conflict: wireConflict(answer.conflict, request), statistics };
  }
  const { plan } = answer;
  const scaled = scaledAs(asked, needed);
  return {
    status: needed.objective.gap === 0 ? 'optimal' : 'feasible',
    objective: needed.objective,
    solution: {
      crawls: needed.objective.value,
      crawlRate: needed.crawlRate,
      ...(needed.interval !== null && { crawlsInterval: [...needed.interval], hangsOn: [...needed.hangsOn] }),
      ...solutionOf(plan),
    },
    beside: {
      ...(!reweighted && { longRun: answer.longRun, baselines: { uniform: plan.uniformObjective } }),
      ...(asked.owns.length > 0 && { targets: toldTargets(scaled, needed.met, problem.interval) }),
      ...(needed.curve.length > 0 && {
        curve: toldCurve(needed.curve, { ...scaled, perCrawl: problem.interval }),
      }),
    },
    warnings: answer.warnings,
    statistics: { ...statistics, crawls: plan.slotTime.length },
  };
}

/** The curve of a plan whose crawls are given. */
function curveOf({ problem }: CheckedCrawlPlan, budget: Budget) {
  const { scale, curve } = solvePlanCurve(problem, budget);
  return toldCurve(curve, { measure: measureOf(problem.objective ?? 'freshness'), scale, perCrawl: problem.interval });
}

/** Targets in the mean, as the solver takes them: it knows the rates by which items count. */
const meansOf = ({ measure, value, own, owns }: AskedTarget): PlanTarget => ({
  mean: value === null ? null : leftOf(measure, value),
  own: own === null ? null : { of: own.of, mean: Float64Array.from(owns, (each) => leftOf(each.measure, each.value)) },
});

/** What is easily kept in place of a target that is missed. */
const lesserThan =
  (asked: AskedTarget): LesserTarget =>
  (group, least, beside) => {
    const { measure } = asked.owns[group] ?? asked;
    const kept = easilyKept(measure, toldOf(measure, least), beside);
    return kept === null ? null : leftOf(measure, kept);
  };

/** The targets with the scales that the solver found. */
const scaledAs = (asked: AskedTarget, { scale, ownScale }: Pick<NeededCrawls, 'scale' | 'ownScale'>): AskedTarget => ({
  ...asked,
  scale,
  owns: asked.owns.map((own, g) => ({ ...own, scale: ownScale[g] })),
});

function wireConflict(conflict: PlanConflict, { timeZone, given }: CheckedCrawlPlan) {
  const { by, possibleBy } = conflict;
  return {
    ...conflict,
    pages: [...conflict.pages],
    repairs: repairsAt(given, conflict.repairs),
    byLocal: localTime(by, timeZone),
    possibleByLocal: possibleBy === null ? null : localTime(possibleBy, timeZone),
  };
}

/** A moment by the clock of a time zone: `2026-03-29 03:00:00 Europe/Berlin`. */
function localTime(time: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return `${clock.format(new Date(1000 * time))} ${timeZone}`;
}

function solutionOf(plan: CrawlPlan) {
  return {
    pages: {
      changeRate: plan.changeRate,
      changeRateInterval: { low: plan.changeRateLow, high: plan.changeRateHigh },
      crawls: plan.crawls,
      fetchInterval: plan.fetchInterval,
      intervalIfUnchanged: plan.intervalIfUnchanged,
      intervalIfChanged: plan.intervalIfChanged,
      nextFetch: plan.nextFetch,
      staleness: plan.staleness,
      meanDelay: plan.meanDelay,
      meanAge: plan.meanAge,
    },
    schedule: { time: plan.slotTime, crawler: plan.slotCrawler, page: plan.slotPage },
    shadowPrice: plan.shadowPrice,
    ...(plan.spent !== null && { spent: plan.spent }),
    withoutCrawl: plan.withoutCrawl,
    probed: plan.probed,
    givenUp: plan.givenUp,
    idleSlots: plan.idleSlots,
  };
}
