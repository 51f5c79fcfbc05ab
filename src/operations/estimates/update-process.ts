import type * as z from 'zod';
import { updateProcessLimits, updateProcessRequest, updateProcessSolution } from '../../schemas/estimates-laws.ts';
import { ChecksReader, historyWarnings } from '../../schemas/parts/checks/checks-reader.ts';
import type { Budget } from '../../solvers/budget.ts';
import type { Distribution } from '../../solvers/distributions/index.ts';
import {
  type Periodicity,
  periodicityWork,
  solveUpdateProcess,
  solveUpdateProcessFromChecks,
} from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

type FromChecks = NonNullable<z.output<typeof updateProcessRequest>['checked']>;

/** Which law the gaps between updates follow. */
export const updateProcess = defineOperation({
  name: 'estimates/update-process',
  tag: 'estimates',
  summary: 'Which law the gaps between a page’s updates follow',
  description: [
    'Fits exponential, Weibull, Lomax, gamma and lognormal laws to the gaps by maximum likelihood, the gap still open counting as censored, and ranks',
    'them by AIC, with the Kolmogorov–Smirnov distance and the Anderson–Darling statistic. A Rayleigh test over all periods looks for a clock; where the',
    'updates keep to one, a quasi-deterministic process for `crawl-allocation` is proposed.',
    '',
    'From `pages` with `checks` (changed or not since the check before), which is what crawlers have: the same laws as renewal processes, seen in',
    'equilibrium, by a forward recursion over the age of the last update. The pages share the shape, each has its own mean gap. Ranked by AIC, with the',
    'log-probability of checks held out; `identified` is false where the checks are too sparse to say. `solution.pages` goes into `crawl-allocation`.',
    '',
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: updateProcessRequest,
  solution: updateProcessSolution,
  beside: {},
  examples: [
    { name: 'update-process', summary: 'Bursty updates, the last gap still open' },
    { name: 'update-process-checks', summary: 'Twelve pages whose checks show more regular updates than Poisson' },
    { name: 'update-process-clock', summary: 'A page updated around noon on most days' },
  ],
  limits: updateProcessLimits,
  work: ({ gaps, checked }) =>
    checked === null
      ? 20_000 * gaps.length + periodicityWork(gaps.length)
      : 3e6 * Math.min(1000, checked.history.elapsed.length) + 60_000 * checked.history.elapsed.length,
  solve({ gaps, openGap = 0, checked }, budget) {
    if (checked !== null) return fromChecks(checked, budget);
    const { candidates, periodicity, warnings } = solveUpdateProcess(
      { gaps: Float64Array.from(gaps), openGap },
      budget,
    );
    return {
      status: 'evaluated',
      solution: {
        candidates: candidates.map(({ distribution, ...figures }) => ({
          distribution: { ...distribution },
          ...figures,
        })),
        periodicity: periodicity === null ? null : { ...periodicity, updates: clockOf(periodicity) },
      },
      warnings,
      statistics: { solver: 'maximum-likelihood', gaps: gaps.length, candidates: candidates.length },
    };
  },
});

function fromChecks({ history, ids, checks }: FromChecks, budget: Budget) {
  const { candidates, identified, distributions, pagesSampled, warnings } = solveUpdateProcessFromChecks(
    history,
    budget,
  );
  return {
    status: 'evaluated' as const,
    solution: {
      candidates: candidates.map(({ distribution, interval, ...figures }) => ({
        distribution: { ...distribution },
        ...figures,
        shapeInterval: interval === null ? null : pairOf(interval),
      })),
      identified,
      pages: distributions.map((law, i) => {
        const id = ids?.[i];
        return { ...(id !== undefined && { id }), updates: processOf(law) };
      }),
      periodicity: null,
    },
    warnings: [...historyWarnings(checks, new ChecksReader(0)), ...warnings],
    statistics: { solver: 'age-recursion', checks: history.elapsed.length, pages: distributions.length, pagesSampled },
  };
}

const pairOf = ([low, high]: readonly [number, number]): [number, number] => [low, high];

function processOf(law: Distribution) {
  switch (law.type) {
    case 'exponential':
      return { type: 'poisson' as const, rate: law.rate };
    case 'gamma':
    case 'lognormal':
    case 'weibull':
    case 'lomax':
      return { type: 'renewal' as const, distribution: { ...law } };
    default:
      throw new Error(`no fit gives the law ${law.type}`);
  }
}

function clockOf({ proposed, phase, probability }: Periodicity) {
  return proposed ? { type: 'quasi-deterministic' as const, times: [phase], probabilities: [probability] } : null;
}
