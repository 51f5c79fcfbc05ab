import * as contract from '../../schemas/estimates-embarrassment-weights.ts';
import { solveEmbarrassmentWeights } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

/** What a stale page costs a search engine (Wolf et al. 2002, equation (8)). */
export const embarrassmentWeights = defineOperation({
  name: 'estimates/embarrassment-weights',
  tag: 'estimates',
  summary: 'Weights of pages from where search results show them',
  description: [
    'A stale page embarrasses when a reader clicks on it and it no longer answers: w_i = d_i Σ_jk c_jk b_ijk. Here c_jk is the chance of a click',
    'on position j of result page k, b_ijk the chance that page i stands there, d_i the chance that the stale copy is wrong. The weights go into',
    '`crawl-allocation` and `crawl-plan`.',
    '',
    'Clicks are given, or follow Zipf’s law over positions and a geometric law over result pages.',
    '',
    'Source: J. L. Wolf et al., *Optimal crawling strategies for web search engines*, WWW 2002, section 2.2, equation (8).',
  ].join('\n'),
  request: contract.embarrassmentWeightsRequest,
  solution: contract.embarrassmentWeightsSolution,
  sentence: contract.embarrassmentWeightsSentence,
  supplement: {},
  examples: {
    'embarrassment-weights': 'Three positions on two result pages, clicks by Zipf and geometric',
    'embarrassment-weights-clicks': 'Clicks as measured',
  },
  limits: contract.embarrassmentWeightsLimits,
  work({ problem }) {
    const { clicks, impressions } = problem;
    const cells = 'zipf' in clicks ? clicks.positions * clicks.pages : clicks.length * clicks[0].length;
    return 2 * (impressions.length + ('zipf' in clicks ? 20 : 0)) * cells;
  },
  solve: ({ problem }, budget) => solveEmbarrassmentWeights(problem, budget),
});
