import { updateProcessLimits, updateProcessRequest, updateProcessSolution } from '../../schemas/estimates-laws.ts';
import { type Periodicity, periodicityWork, solveUpdateProcess } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

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
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: updateProcessRequest,
  solution: updateProcessSolution,
  beside: {},
  examples: [
    { name: 'update-process', summary: 'Bursty updates, the last gap still open' },
    { name: 'update-process-clock', summary: 'A page updated around noon on most days' },
  ],
  limits: updateProcessLimits,
  work: ({ gaps }) => 20_000 * gaps.length + periodicityWork(gaps.length),
  solve({ gaps, openGap = 0 }, budget) {
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

function clockOf({ proposed, phase, probability }: Periodicity) {
  return proposed ? { type: 'quasi-deterministic' as const, times: [phase], probabilities: [probability] } : null;
}
