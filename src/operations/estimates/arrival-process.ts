import * as contract from '../../schemas/estimates-arrival-process.ts';
import { readRecord, solveArrivalProcess } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

export const arrivalProcess = defineOperation({
  name: 'estimates/arrival-process',
  tag: 'estimates',
  summary: 'The arrival process of pages, from timestamps',
  description: [
    'Timestamps become batches (gaps at most `batchGap`), sessions (broken at gaps above `sessionGap`) and intervals between batches. A batch',
    'Markovian arrival process of two phases is fitted to them: hyperexponential intervals by three moments, geometric correlations by',
    'least squares. Intervals less variable than exponential get a renewal process with a warning. The matrices go into `threshold-policy`.',
    '',
    'Source: K. Avrachenkov, A. Dudin, V. Klimenok, P. Nain, O. Semenova, *Optimal threshold control by the robots of web search engines with',
    'obsolescence of documents* (2012), section 7; J. E. Diamond, A. S. Alfa (2000). The correlations printed there are ten times too large.',
  ].join('\n'),
  request: contract.arrivalProcessRequest,
  solution: contract.arrivalProcessSolution,
  sentence: contract.arrivalProcessSentence,
  supplement: {},
  examples: {
    'arrival-process': 'Pages in batches, with a pause of the crawler',
    'arrival-process-regular': 'Arrivals more regular than exponential: a renewal process',
  },
  limits: contract.arrivalProcessLimits,
  work(request) {
    readRecord(request);
    const { timestamps, lags } = request;
    return timestamps.length * (200 + 5 * lags) + 20_000 * lags;
  },
  solve: solveArrivalProcess,
});
