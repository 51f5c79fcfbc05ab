import type * as z from 'zod';
import {
  accessFrequenciesBeside,
  accessFrequenciesConflict,
  accessFrequenciesLimits,
  accessFrequenciesRequest,
  accessFrequenciesSentence,
  accessFrequenciesSolution,
  hostPositions,
  placeIn,
  targetOfAccesses,
  weightsOf,
} from '../schemas/access-frequencies.ts';
import type { Answer } from '../schemas/contract/answer.ts';
import { ceilingOf, toldCurve, toldTargets } from '../schemas/parts/targets/answer.ts';
import { type AskedTarget, asksForCrawls } from '../schemas/parts/targets/asked.ts';
import { askingLess, missedTarget } from '../schemas/parts/targets/conflict.ts';
import {
  type AccessFrequenciesProblem,
  accessCurve,
  type NeededFrequenciesAnswer,
  requireLoads,
  solveAccessFrequencies,
  solveAccessTarget,
} from '../solvers/access-frequencies/index.ts';
import { solveTeamFrequencies } from '../solvers/access-teams/index.ts';
import type { Budget } from '../solvers/budget.ts';
import { type Distribution, transformSteps } from '../solvers/laws/index.ts';
import { defineOperation } from './operation.ts';

export const accessFrequencies = defineOperation({
  name: 'access-frequencies',
  tag: 'schedules',
  summary: 'How often to access each page, for ever',
  description: [
    'One crawler accesses pages one after the other, for ever. An access takes a random time of the law `accessTime`. Page i changes at',
    'the rate `changeRate` (Poisson) and is stale from its first change until its next access ends. The answer is the share of all accesses',
    'for each page so that Σ weight·staleness is least.',
    '',
    'With `deterministic` the objective is the cost of even spacing, which no order of accesses can beat; `access-sequence` comes close.',
    'With `randomized` every access is drawn independently, and the cost is exact. A page whose first access is worth less than what',
    'others save gets frequency 0; `minFrequency` prevents that.',
    '',
    'With `crawlers` each page, or `host`, belongs to one of that many crawlers; the bound is that of one crawler as fast as all.',
    '',
    'Source: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998), Theorems 3.3, 3.4',
    'and 4.1, extended to any weights.',
  ].join('\n'),
  request: accessFrequenciesRequest,
  solution: accessFrequenciesSolution,
  sentence: accessFrequenciesSentence,
  objective: (request) =>
    asksForCrawls(request)
      ? { measure: 'accesses', unit: 'accesses per time unit' }
      : { measure: 'staleness', unit: 'weight × share of the time' },
  beside: accessFrequenciesBeside,
  conflict: accessFrequenciesConflict,
  examples: [
    { name: 'access-frequencies', summary: 'Five pages with weights of their own, exponential access times' },
    { name: 'access-frequencies-randomized', summary: 'In columns, randomized accessing, weights = change rates' },
    { name: 'access-frequencies-crawlers', summary: 'Three crawlers that share pages of five hosts' },
    {
      name: 'access-frequencies-target',
      summary: 'How few accesses keep copies current 80% of the time, news 95%, and what more of them would buy',
    },
    { name: 'access-frequencies-minimum', summary: 'A page that would starve, kept alive by a least frequency' },
  ],
  limits: accessFrequenciesLimits,
  work: (request) => {
    const { pages, accessTime, crawlers = 1, curve, minFrequency = 0 } = request;
    requireLoads(accessTime, pages.columns.changeRate, {
      weight: weightsOf(pages),
      place: placeIn(pages.form),
      crawlers,
    });
    const passes = (crawlers > 1 ? 3 : 1) + (asksForCrawls(request) && minFrequency > 0 ? 10 : 0) + (curve ? 5 : 0);
    return passes * frequencyWork(pages.length, accessTime);
  },
  solve(request, budget) {
    const { pages, accessTime, policy, minFrequency = 0, crawlers = 1 } = request;
    const { changeRate, host } = pages.columns;
    const place = placeIn(pages.form);
    const problem = { accessTime, changeRate, weight: weightsOf(pages), policy, minFrequency, place };
    const asked = targetOfAccesses(request, () => {});
    if (asked !== null) return targetAnswer(request, problem, asked, budget);
    const answer =
      crawlers > 1
        ? solveTeamFrequencies({ ...problem, crawlers, host: hostPositions(host) }, budget)
        : { crawler: undefined, ...solveAccessFrequencies(problem, budget) };
    const solver = policy === 'deterministic' ? 'even-spacing' : 'randomized-accessing';
    const { status, warnings } = answer;
    if (answer.status === 'infeasible') {
      return { status, conflict: answer.conflict, warnings, statistics: { solver } };
    }
    const { objective, frequency, staleness, multiplier, starved, meanAccessTime, sweeps } = answer;
    return {
      status,
      objective,
      solution: {
        pages: { frequency, staleness, crawler: answer.crawler },
        multiplier,
        starved,
        meanAccessTime,
      },
      beside: request.curve ? { curve: curveAround(problem, { crawlers, meanAccessTime }, budget) } : {},
      warnings,
      statistics: { solver, sweeps, pages: pages.length },
    };
  },
});

type Request = z.output<typeof accessFrequenciesRequest>;
type Clash = Extract<NeededFrequenciesAnswer, { status: 'infeasible' }>;

/** How few accesses keep the targets. */
function targetAnswer(
  { pages, curve }: Request,
  problem: AccessFrequenciesProblem,
  asked: AskedTarget,
  budget: Budget,
): Answer<z.input<typeof accessFrequenciesSolution>, z.input<z.ZodObject<typeof accessFrequenciesBeside>>> {
  const statistics = { solver: 'clearing-price', pages: pages.length };
  const answer = solveAccessTarget({ ...problem, whole: asked.whole, own: asked.own }, budget);
  if (answer.status === 'infeasible') {
    return { status: 'infeasible', conflict: conflictOf(answer, asked), warnings: [], statistics };
  }
  const { status, objective, frequency, staleness, multiplier, starved, meanAccessTime, crawlers, met } = answer;
  const perCrawl = 1 / meanAccessTime;
  const around = { crawlers: met.total, meanAccessTime, ceiling: ceilingOf(asked, met) };
  return {
    status,
    objective,
    solution: {
      pages: { frequency, staleness },
      multiplier,
      starved,
      meanAccessTime,
      crawls: objective.value,
      crawlers,
    },
    beside: {
      ...(asked.owns.length > 0 && { targets: toldTargets(asked, met, perCrawl) }),
      ...(curve && met.total > 0 && { curve: curveAround(problem, around, budget) }),
    },
    warnings: answer.warnings,
    statistics,
  };
}

/** What accesses buy around so many crawlers, classes with a target of their own keeping it. */
function curveAround(problem: AccessFrequenciesProblem, { crawlers, meanAccessTime, ceiling }: Around, budget: Budget) {
  const scale = problem.weight.reduce((sum, weight) => sum + weight, 0);
  const curve = accessCurve(problem, crawlers, budget, ceiling);
  return toldCurve(curve, { measure: 'freshness', scale, perCrawl: 1 / meanAccessTime });
}

interface Around {
  readonly crawlers: number;
  readonly meanAccessTime: number;
  readonly ceiling?: (page: number) => number;
}

/**
 * Some 500 ns a page; a transform costs more for laws without a closed form, up to the few thousand pages a table
 * needs.
 */
export function frequencyWork(pages: number, accessTime: Distribution): number {
  // a table of the transform takes over where pages are many
  const tabulated = 2 * Math.min(pages, 1000) + pages / 50;
  return 500 * pages + transformSteps(accessTime) * tabulated;
}

/** What is too high, with all that has to be lowered together. */
function conflictOf({ conflict, missed }: Clash, asked: AskedTarget) {
  if (conflict === null) return missedTarget(asked, missed, [], askingLess(asked, missed));
  if (missed === null) return { ...conflict };
  const less = askingLess(asked, missed);
  const repairs = conflict.repairs.flatMap(({ detail, changes }) =>
    less.map((also) => ({ detail: `${detail}, and ${also.detail}`, changes: [...changes, ...also.changes] })),
  );
  return { ...conflict, repairs };
}
