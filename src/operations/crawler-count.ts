import type * as z from 'zod';
import {
  crawlerCountBeside,
  crawlerCountLimits,
  crawlerCountRequest,
  crawlerCountSolution,
} from '../schemas/crawler-count.ts';
import { objective, type Warning } from '../solvers/answer.ts';
import type { Budget } from '../solvers/budget.ts';
import {
  type CountEvaluation,
  type CountEvaluator,
  type CrawlerCountSolution,
  countEvaluator,
  crawlerCountWork,
  solveCrawlerCount,
} from '../solvers/crawler-count/index.ts';
import { defineOperation } from './operation.ts';

type Request = z.output<typeof crawlerCountRequest>;

/** The measures alone, as `solution` carries them. */
function measuresOf({ cost: _, ...measures }: CountEvaluation): Omit<CountEvaluation, 'cost'> {
  return measures;
}

function curveOf({ curve }: Request, evaluate: CountEvaluator, budget: Budget) {
  if (curve === undefined) return undefined;
  const points = [];
  for (let n = curve.from; n <= curve.to && !budget.stopRequested(); n++) {
    const { crawlers, cost, starvationProbability, lossRate } = evaluate(n);
    points.push({ crawlers, cost, starvationProbability, lossRate });
  }
  return points;
}

function warningsOf(
  request: Request,
  { best, proved }: CrawlerCountSolution,
  evaluate: CountEvaluator,
  curvePoints: number | undefined,
): Warning[] {
  const warnings: Warning[] = [];
  const { maxCrawlers, curve } = request;
  if (proved && best.crawlers === maxCrawlers && maxCrawlers < Number.MAX_SAFE_INTEGER) {
    const { cost } = evaluate(maxCrawlers + 1);
    if (cost < best.cost) {
      const detail = `maxCrawlers binds: ${maxCrawlers + 1} crawlers would cost ${cost}, ${best.cost - cost} less`;
      warnings.push({ code: 'max-crawlers-binding', detail, pointer: '/maxCrawlers' });
    }
  }
  if (curve !== undefined && curvePoints !== undefined && curvePoints <= curve.to - curve.from) {
    const detail = `the time limit ended the curve after ${curvePoints} of ${curve.to - curve.from + 1} counts; raise options.timeLimitMs`;
    warnings.push({ code: 'curve-incomplete', detail, pointer: '/curve' });
  }
  return warnings;
}

/** How many always-active crawlers to run (Liu & Nain 2006, section 1.2.1). */
export const crawlerCount = defineOperation({
  name: 'crawler-count',
  tag: 'crawlers',
  summary: 'How many crawlers to run',
  description: [
    'Each of N always-active crawlers brings pages at `crawlerRate` λ (Poisson) to one indexing engine with room for `capacity` K pages, the one being',
    'indexed included; indexing takes a time of law `indexing` (mean 1/μ). A page that finds the queue full is lost. The answer is the N with the least',
    'cost per time unit, `starvationWeight`·P(empty) + λN·P(full) + `crawlerCost`·N: an M/G/1/K queue.',
    '',
    'The cost is convex in N for every law, so the bound proves the count over all counts. Exponential indexing is solved in closed form at any',
    'capacity, other laws through the chain at departures, in positive terms only. `crawlers` and `curve` evaluate counts of your own beside it.',
    '',
    'Source: Z. Liu, P. Nain, *Optimization issues in web search engines* (2006), section 1.2.1, equations (1.2)–(1.12), after J. Talim, Z. Liu, P. Nain,',
    'E. Coffman, *Controlling the robots of web search engines* (2001).',
  ].join('\n'),
  request: crawlerCountRequest,
  solution: crawlerCountSolution,
  beside: crawlerCountBeside,
  examples: [
    { name: 'inria-crawler', summary: 'The INRIA crawler: measured hyperexponential indexing, a queue of twenty' },
    {
      name: 'crawler-count-table-1.1',
      summary: 'Liu & Nain, Table 1.1: exponential indexing, and the cost around the optimum',
    },
    {
      name: 'crawler-count-heavy-tail',
      summary: 'Heavy-tailed indexing, crawlers that cost, a cap, and the present count',
    },
  ],
  limits: crawlerCountLimits,
  work: (request) => {
    const points = request.curve === undefined ? 0 : request.curve.to - request.curve.from + 1;
    return crawlerCountWork(request, points + (request.crawlers === undefined ? 0 : 1));
  },
  // Exponential indexing: a root bracketed by doubling, O(log capacity), and a handful of counts.
  isClosedForm: (body) => 'indexing' in body && hasType(body.indexing, 'exponential') && !('curve' in body),
  solve(request, budget) {
    const evaluate = countEvaluator(request);
    const answer = solveCrawlerCount(request, budget, evaluate);
    const { best, bound, proved, closedForm } = answer;
    const curve = curveOf(request, evaluate, budget);
    return {
      status: proved ? 'optimal' : 'feasible',
      objective: objective(best.cost, bound),
      solution: {
        ...measuresOf(best),
        continuous: closedForm?.continuous ?? null,
        criticalStarvationWeight: closedForm?.criticalStarvationWeight ?? null,
        largeCapacityApproximation: closedForm?.largeCapacityApproximation ?? null,
      },
      beside: {
        evaluation: request.crawlers === undefined ? undefined : evaluate(request.crawlers),
        curve,
      },
      warnings: warningsOf(request, answer, evaluate, curve?.length),
      statistics: { solver: closedForm === null ? 'convex-search' : 'closed-form', iterations: answer.evaluations },
    };
  },
});

/** Whether an unchecked value is a law of this type. */
function hasType(law: unknown, type: string): boolean {
  return typeof law === 'object' && law !== null && 'type' in law && law.type === type;
}
