import { expect } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlan, type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

/** The plan of a problem that has one, after its certificate was checked. */
export function certifiedPlan(problem: CrawlPlanProblem): CrawlPlan & { readonly objective: number } {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return { ...answer.plan, objective: answer.objective.value };
}
