import { expect } from 'vitest';
import { crawlSchedule } from '../../../src/operations/crawl-schedule.ts';
import type { Budget } from '../../../src/solvers/budget.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { answerOf } from '../../contract/outcomes.ts';

/** The answer to a request in the contract's form, certified. NaN in a column stands for null. */
export function certifiedSchedule(request: object, budget?: Budget) {
  const answer = answerOf(crawlSchedule, request, budget);
  expect(faultsOf('crawl-schedule', request, answer)).toEqual([]);
  return answer;
}
