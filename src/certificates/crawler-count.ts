/**
 * A number of crawlers: the cost of its measures, the limits, and the flow of pages. What enters is indexed:
 * λN·(1 − P(full)) = μ·(1 − P(empty)). Queue lengths are not computed again.
 */
import * as z from 'zod';
import { crawlerCountBeside, crawlerCountRequest, crawlerCountSolution } from '../schemas/crawler-count.ts';
import { createLaw } from '../solvers/laws/index.ts';
import { parseByContract } from './contract-form.ts';
import type { Findings } from './findings.ts';
import { objectAt, type WireObject } from './wire.ts';

type Problem = Omit<z.output<typeof crawlerCountRequest>, 'options' | 'sweep'>;
type Measured = Omit<z.output<typeof counted>[number], 'cost'>;

const counted = crawlerCountBeside.evaluation.unwrap();
const answered = z.object({ solution: crawlerCountSolution.optional(), evaluation: counted.optional() });

const limited = ['starvationProbability', 'lossRate', 'lossProbability', 'meanQueueLength'] as const;

export function checkCrawlerCount(request: WireObject, answer: WireObject, findings: Findings): void {
  certifyCrawlerCount(parseByContract(crawlerCountRequest, request, 'the request'), answer, findings);
}

/** The same check for a problem in the solver's form. */
export function certifyCrawlerCount(problem: Problem, answer: WireObject, findings: Findings): void {
  const { solution, evaluation = [] } = parseByContract(answered, answer, 'the answer');
  const { constraints = {}, crawlers: most = Number.MAX_SAFE_INTEGER } = problem;
  if (solution !== undefined) {
    const { crawlers } = solution;
    const inRange = Number.isInteger(crawlers) && crawlers >= 1 && crawlers <= most;
    findings.expect('solution.crawlers', inRange, `crawlers = ${crawlers} is not an integer from 1 to ${most}`);
    checkMeasures(problem, solution, 'solution', findings);
    for (const name of limited) {
      const limit = constraints[name] ?? Number.POSITIVE_INFINITY;
      if (solution[name] > limit * (1 + 1e-9)) findings.fault(`${name} ${solution[name]} is above its limit ${limit}`);
    }
    findings.compare('objective.value', objectAt(answer, 'objective').value, costOf(problem, solution));
  }
  for (const each of evaluation) {
    findings.compare('evaluation.cost', each.cost, costOf(problem, each), { of: `${each.crawlers} crawlers` });
    checkMeasures(problem, each, 'evaluation', findings);
  }
}

const costOf = ({ costs }: Problem, { crawlers, starvationProbability, lossRate }: Measured): number =>
  costs.starvation * starvationProbability + costs.loss * lossRate + costs.crawler * crawlers;

/** Checks the load and the conservation of flow. */
function checkMeasures({ crawlerRate, service }: Problem, reported: Measured, field: string, findings: Findings): void {
  const { crawlers, starvationProbability, lossProbability } = reported;
  const { mean } = createLaw(service);
  const rate = crawlers * crawlerRate;
  const of = `${crawlers} crawlers`;
  findings.compare(`${field}.offeredLoad`, reported.offeredLoad, rate * mean, { of });
  for (const name of ['starvationProbability', 'lossProbability'] as const)
    findings.expect(
      `${field}.${name}`,
      reported[name] >= 0 && reported[name] <= 1,
      `${of}: ${name} is ${reported[name]}`,
    );
  const entering = rate * (1 - lossProbability);
  const served = (1 - starvationProbability) / mean;
  findings.compare(`${field}.throughput`, entering, served, { of, size: rate });
  findings.compare(`${field}.throughput`, reported.throughput, served, { of, size: rate });
  findings.compare(`${field}.lossRate`, reported.lossRate, rate * lossProbability, { of });
}
