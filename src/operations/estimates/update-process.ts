import * as contract from '../../schemas/estimates-update-process.ts';
import { checksOfPages } from '../../schemas/parts/checks/checks-column.ts';
import {
  periodicityWork,
  requireNearGaps,
  solveUpdateProcess,
  solveUpdateProcessFromChecks,
} from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

export const updateProcess = defineOperation({
  name: 'estimates/update-process',
  tag: 'estimates',
  summary: 'Which law the gaps between a page’s updates follow',
  description: [
    'From `gaps`: exponential, Weibull, Lomax, gamma and lognormal laws by maximum likelihood, the open gap censored, ranked by AIC. A',
    'Rayleigh test over all periods looks for a clock; if updates keep to one, the answer proposes a quasi-deterministic process for',
    '`crawl-allocation`.',
    '',
    'From `pages` with `checks` or `observations`: the same laws, and a period with jitter, as renewal processes in equilibrium, by a forward',
    'recursion over the age of the last update. Pages share the shape, each with its own mean gap; with `pooled: false` each has its own',
    'law. `identified` is false if the checks are too sparse. `solution.pages` goes into `crawl-allocation`.',
    '',
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: contract.updateProcessRequest,
  solution: contract.updateProcessSolution,
  sentence: contract.updateProcessSentence,
  beside: {},
  examples: [
    { name: 'update-process', summary: 'Bursty updates, the last gap still open' },
    { name: 'update-process-checks', summary: 'Twelve pages whose checks show more regular updates than Poisson' },
    { name: 'update-process-clock', summary: 'A page updated around noon on most days' },
  ],
  limits: contract.updateProcessLimits,
  pairs: checksOfPages,
  work({ problem }) {
    if ('gaps' in problem) {
      requireNearGaps(problem);
      return 20_000 * problem.gaps.length + periodicityWork(problem.gaps.length);
    }
    const checks = problem.history.elapsed.length;
    return 3e6 * Math.min(problem.pooled ? 1000 : Number.POSITIVE_INFINITY, checks) + 60_000 * checks;
  },
  solve: ({ problem }, budget) =>
    'gaps' in problem ? solveUpdateProcess(problem, budget) : solveUpdateProcessFromChecks(problem, budget),
});
