import {
  type CheckedCrawlPlan,
  crawlPlanBeside,
  crawlPlanConflict,
  crawlPlanLimits,
  crawlPlanRequest,
  crawlPlanSolution,
} from '../schemas/crawl-plan/index.ts';
import { checksOfPages } from '../schemas/parts/checks/checks-column.ts';
import { historyWarnings } from '../schemas/parts/checks/checks-reader.ts';
import { tableAnswer } from '../schemas/table/table-answer.ts';
import {
  type CrawlPlan,
  type CrawlPlanProblem,
  type PageGroups,
  type PlanConflict,
  type SiblingFigures,
  solveCrawlPlan,
} from '../solvers/crawl-plan/index.ts';
import type { CourseMeans, DescribedCourse } from '../solvers/estimation/index.ts';
import { defineOperation } from './operation.ts';

/** From a crawl log and a number of fetches to a plan, in one call. */
export const crawlPlan = defineOperation({
  name: 'crawl-plan',
  tag: 'plans',
  summary: 'From a crawl log to a plan: what to fetch, when, and how often',
  description: [
    'What a controller has is a log (when each page was fetched, whether it had changed) and a number of fetches it can afford. In one call:',
    'estimates every page’s change rate, finds the price of a fetch at which the crawls are spent for ever, and from it every page’s fetch interval,',
    'and fills the slots of this interval: each goes to the page whose fetch is worth most by then. All times are seconds.',
    '',
    'Every plan keeps `minInterval` and a host’s `minDelay`. `maxInterval` is kept to within one slot wherever a schedule is found that does; a plan',
    'that misses it carries the warning `max-interval-missed`, and where counting proves that no schedule can keep it, the answer is `infeasible` with',
    'a `conflict`. `floor` bounds every page’s wait; pages without a crawl in the interval are named in `withoutCrawl`. Send `lastCrawl` with the next',
    'request, and what this plan left over carries on. `intervalIfUnchanged` and `intervalIfChanged` let a controller act on a fetch before the next plan.',
    '',
    'Replayed on 636 real pages over 43 months, plans made 30 days ahead keep copies fresher than fetching all pages in turn on the same grid of times',
    '(docs/crawl-plan.md). The schedule is the index rule of restless bandits, planned for ever; `horizon: "interval"` plans this interval alone.',
    '`objective.bound` is what no schedule of this interval can beat (weak duality), `longRun` says the same of the fetch intervals kept for ever.',
    '',
    'Source: J. L. Wolf et al., WWW 2002; J. Cho, H. Garcia-Molina, *Effective page refresh policies for web crawlers*, ACM TODS 28 (2003); Y. Azar et al.,',
    '*Tractable near-optimal policies for crawling*, PNAS 115 (2018); A. Kolobov et al., NeurIPS 2019.',
  ].join('\n'),
  request: crawlPlanRequest,
  solution: crawlPlanSolution,
  beside: crawlPlanBeside,
  conflict: crawlPlanConflict,
  examples: [
    {
      name: 'crawl-plan',
      summary: 'A day of six pages on two hosts: checks, a log with 304s and a failure, a new page, a known rate',
    },
    { name: 'crawl-plan-columns', summary: 'Columns, two crawlers, a longest interval, by maximum likelihood' },
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
      name: 'crawl-plan-siblings',
      summary: 'Hosts whose pages change together, and pages fetched for what that teaches',
    },
    {
      name: 'crawl-plan-rhythm',
      summary: 'Pages that change in office hours: a week’s fetches at the hours at which they are worth most',
    },
    {
      name: 'crawl-plan-budget',
      summary: 'A budget of megabytes: pages that a browser must render beside plain ones, and cheaper 304s',
    },
    {
      name: 'crawl-plan-interval',
      summary: 'The last day before a migration, planned by itself: what comes after it does not count',
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
    const { problem, pages } = request;
    const answer = solveCrawlPlan(problem, budget);
    const sizes = { pages: pages.length, checks: problem.history.elapsed.length };
    if (answer.status === 'infeasible') {
      const { conflict } = answer;
      return {
        status: 'infeasible',
        conflict: conflictTold(conflict, request.timeZone),
        statistics: { solver: problem.estimator, ...sizes },
      };
    }
    const { plan } = answer;
    return {
      status: answer.status,
      objective: answer.objective,
      solution: solutionOf(request, plan),
      beside: {
        longRun: answer.longRun,
        bursts: plan.bursts === null ? undefined : burstsTold(plan.bursts),
        rhythm: rhythmTold(problem, plan.rhythm),
        groups: groupsTold(problem.groups, plan.siblings),
        baselines: { uniform: plan.uniformObjective },
      },
      warnings: [...historyWarnings(request.checks, request.observations), ...answer.warnings],
      statistics: { solver: problem.estimator, ...sizes, crawls: plan.slotTime.length },
    };
  },
});

const mostGroupsTold = 1000;

function burstsTold({ bursts, taken, evidence, intervals }: NonNullable<CrawlPlan['bursts']>) {
  return { taken, evidence, ...bursts, intervals };
}

const mostRhythmsTold = 100;

function rhythmTold({ rhythm: asked }: CrawlPlanProblem, told: CrawlPlan['rhythm']) {
  if (asked === undefined || told === null) return undefined;
  const { common, groups } = told;
  const names = asked.group?.names ?? [];
  const list = [...groups]
    .sort((a, b) => b.choice.evidence - a.choice.evidence)
    .slice(0, mostRhythmsTold)
    .map(({ group, pages, choice }) => ({
      group: names[group],
      pages,
      evidence: choice.evidence,
      ...courseTold(choice),
    }));
  return {
    taken: common.taken,
    evidence: common.evidence,
    ...courseTold(common),
    groups: asked.group === undefined ? undefined : list,
  };
}

function courseTold({ hours, days, urgency }: DescribedCourse) {
  const means = ({ rate, low, high }: CourseMeans) =>
    Array.from(rate, (each, k) => ({ rate: each, interval: [low[k], high[k]] }));
  return { hours: means(hours).map((each, h) => ({ ...each, urgency: urgency[h] })), days: means(days) };
}

function groupsTold(groups: PageGroups | undefined, siblings: SiblingFigures | null) {
  if (groups === undefined || siblings === null) return undefined;
  const { strength, low, high, common, applied } = siblings.strengths;
  const pages = new Uint32Array(groups.names.length);
  for (const g of groups.group) if (g >= 0) pages[g]++;
  const list = groups.names
    .map((group, g) => ({ group, pages: pages[g], strength: strength[g], interval: [low[g], high[g]] }))
    .filter((each) => each.pages > 1)
    .sort((a, b) => b.strength - a.strength)
    .slice(0, mostGroupsTold);
  return { applied, strength: common.strength, interval: [...common.interval], list };
}

function conflictTold(conflict: PlanConflict, timeZone: string) {
  const { by, possibleBy } = conflict;
  return {
    ...conflict,
    pages: [...conflict.pages],
    repairs: [...conflict.repairs],
    byLocal: localTime(by, timeZone),
    possibleByLocal: possibleBy === null ? null : localTime(possibleBy, timeZone),
  };
}

/** A moment by the clock of a time zone: `2026-03-29 03:00:00 Europe/Berlin`. */
function localTime(time: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return `${clock.format(new Date(1000 * time))} ${timeZone}`;
}

function solutionOf({ pages }: CheckedCrawlPlan, plan: CrawlPlan) {
  const changeRateInterval = Array.from(plan.changeRateLow, (low, i) => [
    low,
    Number.isFinite(plan.changeRateHigh[i]) ? plan.changeRateHigh[i] : null,
  ]);
  return {
    pages: tableAnswer(pages, {
      changeRate: plan.changeRate,
      changeRateInterval,
      crawls: plan.crawls,
      fetchInterval: plan.fetchInterval,
      intervalIfUnchanged: plan.intervalIfUnchanged,
      intervalIfChanged: plan.intervalIfChanged,
      nextFetch: plan.nextFetch,
      staleness: plan.staleness,
      uniformStaleness: plan.uniformStaleness,
      siblings: plan.siblings?.factor,
      siblingsSooner: plan.siblings?.sooner,
      meanDelay: plan.meanDelay ?? undefined,
      meanAge: plan.meanAge ?? undefined,
    }),
    schedule: tableAnswer(
      { form: pages.form, length: plan.slotTime.length, ids: null },
      { time: plan.slotTime, crawler: plan.slotCrawler, page: plan.slotPage },
    ),
    shadowPrice: plan.shadowPrice,
    ...(plan.spent !== null && { spent: plan.spent }),
    withoutCrawl: plan.withoutCrawl,
    probed: plan.probed ?? undefined,
    idleSlots: plan.idleSlots,
  };
}
