import {
  embarrassmentWeightsLimits,
  embarrassmentWeightsRequest,
  embarrassmentWeightsSolution,
} from '../../schemas/estimates-embarrassment-weights.ts';
import { embarrassmentWeight, zipfClicks } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

/** What a stale page costs a search engine (Wolf et al. 2002, equation (8)). */
export const embarrassmentWeights = defineOperation({
  name: 'estimates/embarrassment-weights',
  tag: 'estimates',
  summary: 'Weights of pages from where search results show them',
  description: [
    'A stale page embarrasses when a reader clicks on it and it no longer answers: w_i = d_i Σ_jk c_jk b_ijk, with c_jk the chance of a click on position j of',
    'result page k, b_ijk the chance that page i stands there, d_i the chance that the stale copy is wrong. The weights go into `crawl-allocation` and `crawl-plan`.',
    '',
    'Clicks are given, or Zipf over all positions times geometric over result pages; the Zipf part is normalised to sum to 1 over all positions and result pages,',
    'before the geometric factor.',
    '',
    'Source: J. L. Wolf et al., *Optimal crawling strategies for web search engines*, WWW 2002, section 2.2, equation (8).',
  ].join('\n'),
  request: embarrassmentWeightsRequest,
  solution: embarrassmentWeightsSolution,
  beside: {},
  examples: [
    { name: 'embarrassment-weights', summary: 'Three positions on two result pages, clicks by Zipf and geometric' },
    { name: 'embarrassment-weights-clicks', summary: 'Clicks as measured' },
  ],
  limits: embarrassmentWeightsLimits,
  work: ({ clicks, pages }) =>
    pages.length * (Array.isArray(clicks) ? clicks.length * clicks[0].length : clicks.positions * clicks.pages) * 2,
  solve({ clicks, pages }) {
    const matrix = Array.isArray(clicks)
      ? clicks
      : zipfClicks(clicks.zipf, clicks.continue, clicks.positions, clicks.pages);
    const weights = pages.map(({ impressions, errorProbability }) =>
      embarrassmentWeight(matrix, impressions, errorProbability),
    );
    const named = pages.some(({ id }) => id !== undefined);
    return {
      status: 'evaluated',
      solution: { weights, ...(named && { ids: pages.map(({ id }) => id ?? null) }) },
      statistics: { solver: 'sum', pages: pages.length },
    };
  },
});
