import * as contract from '../../schemas/estimates-service-time.ts';
import { observedMoments, solveServiceTime } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

export const serviceTime = defineOperation({
  name: 'estimates/service-time',
  tag: 'estimates',
  summary: 'A phase-type law of service times, from moments or a sample',
  description: [
    'From three moments, given or of a sample, the answer has two exponential branches with exactly these. If the squared coefficient of variation is at most 1, it is a mixture of Erlang laws on two moments, with a warning.',
    'Moments that no hyperexponential law has are `infeasible`, with the inequality that they violate. The law goes into `threshold-policy`',
    'and `crawler-count`.',
    '',
    'Source: W. Whitt, *Approximating a point process by a renewal process* (1982); H. C. Tijms (1986); K. Avrachenkov et al. (2012), section 7.',
  ].join('\n'),
  request: contract.serviceTimeRequest,
  solution: contract.serviceTimeSolution,
  sentence: contract.serviceTimeSentence,
  supplement: {},
  conflict: contract.serviceTimeConflict,
  examples: {
    'service-time': 'The INRIA crawler’s content sizes: three moments in bytes, 6000 bytes a time unit',
    'service-time-sample': 'A sample of service times',
  },
  limits: contract.serviceTimeLimits,
  work(request) {
    observedMoments(request);
    return 1000 + (request.sample?.length ?? 0) * 100;
  },
  solve: solveServiceTime,
});
