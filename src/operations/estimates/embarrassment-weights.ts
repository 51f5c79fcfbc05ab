import {
  embarrassmentWeightsLimits,
  embarrassmentWeightsRequest,
  embarrassmentWeightsSentence,
  embarrassmentWeightsSolution,
} from '../../schemas/estimates-embarrassment-weights.ts';
import type { Budget } from '../../solvers/budget.ts';
import { type ClickLogProblem, solveClickLog, solveEmbarrassmentWeights } from '../../solvers/estimation/index.ts';
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
    'Clicks are given, or follow Zipf’s law over positions and a geometric law over result pages. Or everything is estimated, with',
    'intervals, from a `log` of clicks and the number of `queries`.',
    '',
    'Source: J. L. Wolf et al., *Optimal crawling strategies for web search engines*, WWW 2002, section 2.2, equation (8).',
  ].join('\n'),
  request: embarrassmentWeightsRequest,
  solution: embarrassmentWeightsSolution,
  sentence: embarrassmentWeightsSentence,
  beside: {},
  examples: [
    { name: 'embarrassment-weights', summary: 'Three positions on two result pages, clicks by Zipf and geometric' },
    { name: 'embarrassment-weights-clicks', summary: 'Clicks as measured' },
    { name: 'embarrassment-weights-log', summary: 'A log of clicks, by page and position, with what stale copies did' },
  ],
  limits: embarrassmentWeightsLimits,
  work(request) {
    if ('log' in request) return 20_000 * request.log.pages + 200 * request.log.page.length;
    const { clicks, impressions } = request.problem;
    const cells = 'zipf' in clicks ? clicks.positions * clicks.pages : clicks.length * clicks[0].length;
    return 2 * (impressions.length + ('zipf' in clicks ? 20 : 0)) * cells;
  },
  solve(request, budget) {
    if ('log' in request) return fromLog(request.log, request.ids, budget);
    const { problem, ids } = request;
    const { weights } = solveEmbarrassmentWeights(problem, budget);
    return {
      status: 'evaluated',
      solution: { weights, ...(ids !== null && { ids: Array.from(ids, (id) => id ?? null) }) },
      statistics: { solver: 'sum', pages: weights.length },
    };
  },
});

function fromLog(log: ClickLogProblem, ids: readonly string[], budget: Budget) {
  const { clicks, weights, weightInterval, pageClicks, error, impressions } = solveClickLog(log, budget);
  const pages = impressions.map((own, i) => ({
    clicks: pageClicks[i],
    weightInterval: [...weightInterval[i]],
    errorProbability: error[i].probability,
    errorInterval: [...error[i].interval],
    impressions: own.map(({ position, resultPage, probability, interval }) => ({
      position: position + 1,
      resultPage: resultPage + 1,
      probability,
      interval: [...interval],
    })),
  }));
  const told = clicks.map((row) => row.map(({ probability, interval }) => ({ probability, interval: [...interval] })));
  return {
    status: 'evaluated' as const,
    solution: { weights, ids: [...ids], clicks: told, pages },
    statistics: { solver: 'click-log', pages: weights.length, rows: log.page.length },
  };
}
