import {
  crawlerCountBeside,
  crawlerCountConflict,
  crawlerCountLimits,
  crawlerCountRequest,
  crawlerCountSolution,
} from '../schemas/crawler-count.ts';
import { objective } from '../solvers/answer.ts';
import {
  type CountEvaluation,
  type CrawlerCountAnswer,
  crawlerCountsInTurn,
  crawlerCountWork,
  solveCrawlerCount,
} from '../solvers/crawler-count/index.ts';
import { defineOperation } from './operation.ts';

/** The measures alone, as `solution` carries them. */
function measuresOf({ cost: _, ...measures }: CountEvaluation): Omit<CountEvaluation, 'cost'> {
  return measures;
}

/** A point of the curve. */
function pointOf({ crawlers, cost, starvationProbability, lossRate }: CountEvaluation) {
  return { crawlers, cost, starvationProbability, lossRate };
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
  conflict: crawlerCountConflict,
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
    {
      name: 'crawler-count-limits',
      summary: 'The cheapest count that keeps two limits, and what loss is had for what idleness',
    },
    {
      name: 'crawler-count-figure-1.2',
      summary: 'Liu & Nain, Figure 1.2: the best count rises with the weight of an empty queue',
    },
    {
      name: 'crawler-count-figure-1.3',
      summary: 'Liu & Nain, Figure 1.3: the best load by the capacity, where an empty queue weighs less than μ',
    },
    {
      name: 'crawler-count-figure-1.4',
      summary: 'Liu & Nain, Figure 1.4: the best load by the capacity, where an empty queue weighs more than μ',
    },
  ],
  limits: crawlerCountLimits,
  work: (request) => {
    const points = request.curve === undefined ? 0 : request.curve.to - request.curve.from + 1;
    const limits = request.constraints === undefined ? 0 : 100 * Object.keys(request.constraints).length;
    const front = request.front === undefined ? 0 : 300;
    return crawlerCountWork(request, points + limits + front + (request.crawlers === undefined ? 0 : 1));
  },
  // Exponential indexing: a root bracketed by doubling, O(log capacity), and a handful of counts.
  isClosedForm: (body) =>
    'indexing' in body &&
    hasType(body.indexing, 'exponential') &&
    !('curve' in body) &&
    !('sweep' in body) &&
    !('front' in body) &&
    !('constraints' in body),
  solve: (request, budget) => answered(solveCrawlerCount(request, budget)),
  solveInTurn() {
    const solve = crawlerCountsInTurn();
    return (request, budget) => answered(solve(request, budget));
  },
});

/** An answer as the wire has it. */
function answered(answer: CrawlerCountAnswer) {
  const { status, best, bound, closedForm, evaluation, curve, warnings, dualPrices, front, conflict } = answer;
  const beside = { evaluation, curve: curve?.map(pointOf), dualPrices, front };
  const statistics = {
    solver: closedForm === null ? 'convex-search' : 'closed-form',
    iterations: answer.evaluations,
  };
  if (conflict !== undefined) {
    return { status, conflict: { ...conflict, nearest: measuresOf(best) }, beside, warnings, statistics };
  }
  return {
    status,
    objective: objective(best.cost, bound),
    solution: {
      ...measuresOf(best),
      continuous: closedForm?.continuous ?? null,
      criticalStarvationWeight: closedForm?.criticalStarvationWeight ?? null,
      largeCapacityApproximation: closedForm?.largeCapacityApproximation ?? null,
    },
    beside,
    warnings,
    statistics,
  };
}

/** Whether an unchecked value is a law of this type. */
function hasType(law: unknown, type: string): boolean {
  return typeof law === 'object' && law !== null && 'type' in law && law.type === type;
}
