import * as contract from '../../schemas/estimates-change-rates.ts';
import { solveChangeRates } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

export const changeRates = defineOperation({
  name: 'estimates/change-rates',
  tag: 'estimates',
  summary: 'How often each page changes, from a crawl log',
  description: [
    'A page that changes as a Poisson process of rate λ is found changed after a gap τ with probability 1 − e^{−λτ}. From the checks of each',
    'page the answer has the maximum of the likelihood, or of the bias-reduced score, and the likelihood-ratio interval. A Last-Modified',
    'between two fetches dates a change exactly. A failed fetch is no observation; 304 is unchanged. A crawl log may come as it is, as in',
    '`crawl-plan`.',
    '',
    'If every check agrees, the rate is that of half a change, and the interval is one-sided and exact. A gamma `prior`, given or fitted to',
    'the pages, steadies pages with few checks.',
    '',
    'Source: J. Cho, H. Garcia-Molina, *Estimating frequency of change*, ACM TOIT 3 (2003); D. Firth, *Bias reduction of maximum likelihood',
    'estimates*, Biometrika 80 (1993); J. L. Wolf et al., WWW 2002, section 4.',
  ].join('\n'),
  request: contract.changeRatesRequest,
  solution: contract.changeRatesSolution,
  sentence: contract.changeRatesSentence,
  supplement: {},
  examples: {
    'change-rates': 'Three pages: regular checks, irregular ones, none of which saw a change',
    'change-rates-observations': 'A log with Last-Modified, signatures, 304s and a failure, with a fitted prior',
  },
  limits: contract.changeRatesLimits,
  work: ({ problem: { history } }) => 300 * history.elapsed.length + 1000 * history.offsets.length,
  solve: ({ problem }, budget) => solveChangeRates(problem, budget),
});
