import * as contract from '../../schemas/estimates-update-process.ts';
import { requireNearGaps, solveUpdateProcess } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

export const updateProcess = defineOperation({
  name: 'estimates/update-process',
  tag: 'estimates',
  summary: 'Which law the gaps between a page’s updates follow',
  description: [
    'Exponential, Weibull, Lomax, gamma and lognormal laws of the `gaps` by maximum likelihood, the open gap censored, ranked by AIC. The',
    'best one goes into `crawl-allocation` as a renewal process.',
    '',
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: contract.updateProcessRequest,
  solution: contract.updateProcessSolution,
  sentence: contract.updateProcessSentence,
  supplement: {},
  examples: {
    'update-process': 'Bursty updates, the last gap still open',
    'update-process-regular': 'A page updated around noon on most days',
  },
  limits: contract.updateProcessLimits,
  work({ problem }) {
    requireNearGaps(problem);
    return 20_000 * problem.gaps.length;
  },
  solve: ({ problem }, budget) => solveUpdateProcess(problem, budget),
});
