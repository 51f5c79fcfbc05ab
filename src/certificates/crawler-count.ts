/** Checks a number of crawlers: its load, the cost of its measures, and the limits. The measures are not computed again. */
import * as z from 'zod';
import {
  crawlerCountRequest,
  crawlerCountSolution,
  crawlerCountSupplement,
  limitedCountMeasures,
} from '../schemas/crawler-count.ts';
import { createLaw } from '../solvers/laws/index.ts';
import { parseByContract } from './contract-form.ts';
import type { Findings } from './findings.ts';
import { readObject, type WireObject } from './wire.ts';

type Problem = Omit<z.output<typeof crawlerCountRequest>, 'options' | 'sweep'>;
type Measures = Omit<z.output<typeof countForm>[number], 'cost'>;

const countForm = crawlerCountSupplement.evaluation.unwrap();
const answerForm = z.object({ solution: crawlerCountSolution.optional(), evaluation: countForm.optional() });

export function checkCrawlerCount(request: WireObject, answer: WireObject, findings: Findings): void {
  certifyCrawlerCount(parseByContract(crawlerCountRequest, request, 'the request'), answer, findings);
}

/** Checks an answer to a problem in the solver's form. */
export function certifyCrawlerCount(problem: Problem, answer: WireObject, findings: Findings): void {
  const { solution, evaluation = [] } = parseByContract(answerForm, answer, 'the answer');
  const { constraints = {}, crawlers: maxCrawlers = Number.MAX_SAFE_INTEGER } = problem;
  const loadOf = ({ crawlers }: Measures): number => crawlers * problem.crawlerRate * createLaw(problem.service).mean;
  if (solution !== undefined) {
    const { crawlers } = solution;
    findings.compare('solution.offeredLoad', solution.offeredLoad, loadOf(solution));
    const inRange = Number.isInteger(crawlers) && crawlers >= 1 && crawlers <= maxCrawlers;
    findings.expect('solution.crawlers', inRange, `crawlers = ${crawlers} is not an integer from 1 to ${maxCrawlers}`);
    for (const name of limitedCountMeasures) {
      const limit = constraints[name] ?? Number.POSITIVE_INFINITY;
      if (solution[name] > limit * (1 + 1e-9)) findings.fault(`${name} ${solution[name]} is above its limit ${limit}`);
    }
    findings.compare('objective.value', readObject(answer, 'objective').value, costOf(problem, solution));
  }
  for (const row of evaluation) {
    const of = `${row.crawlers} crawlers`;
    findings.compare('evaluation.offeredLoad', row.offeredLoad, loadOf(row), { of });
    findings.compare('evaluation.cost', row.cost, costOf(problem, row), { of });
  }
}

const costOf = ({ costs }: Problem, { crawlers, starvationProbability, lossRate }: Measures): number =>
  costs.starvation * starvationProbability + costs.loss * lossRate + costs.crawler * crawlers;
