import type { CrawlPlanAnswer, CrawlPlanProblem } from '../../../src/solvers/crawl-plan/index.ts';
import { certifyConflictOf, certifyPlan } from '../../oracles/crawl-plan.ts';

/** What an answer violates, in words. */
export function certifyCrawlPlan(problem: CrawlPlanProblem, answer: CrawlPlanAnswer): string[] {
  if (answer.status === 'infeasible') return certifyConflictOf(problem, { ...answer.conflict });
  const { plan } = answer;
  const stated = Array.from(plan.cost).reduce((sum, cost, i) => sum + problem.weight[i] * cost, 0);
  const off = Math.abs(stated - answer.objective.value) > 1e-9 * Math.abs(stated);
  return [
    ...certifyPlan({ problem, windows: false }, plan, answer),
    ...(off ? [`the objective is ${stated}, not ${answer.objective.value}`] : []),
  ];
}
