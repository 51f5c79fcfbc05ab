import {
  accessFrequenciesLimits,
  accessFrequenciesRequest,
  accessFrequenciesSolution,
  hostPositions,
  minFrequencyConflict,
  placeIn,
  weightsOf,
} from '../schemas/access-frequencies.ts';
import { tableAnswer } from '../schemas/table/table-answer.ts';
import { solveAccessFrequencies } from '../solvers/access-frequencies/index.ts';
import { solveTeamFrequencies } from '../solvers/access-teams/index.ts';
import type { Distribution } from '../solvers/distributions/index.ts';
import { defineOperation } from './operation.ts';

export const accessFrequencies = defineOperation({
  name: 'access-frequencies',
  tag: 'schedules',
  summary: 'How often to access each page, for ever',
  description: [
    'One crawler accesses pages one after the other, for ever; an access takes a random time of the law `accessTime`, page i changes by a',
    'Poisson process of rate `changeRate` and is stale from its first change until its next access ends. Gives the share of all accesses',
    'each page should get so that Σ weight·staleness is least.',
    '',
    'With policy `deterministic` the objective is the cost of perfectly even spacing at the optimal frequencies: no order of accesses can',
    'beat it (`access-sequence` makes one that comes close). With `randomized` every access is drawn independently, and the objective is',
    'the exact cost. Pages whose first access is worth less than what others save get frequency 0 and stay stale; `minFrequency` prevents it.',
    '',
    'With `crawlers` the pages, or all of a `host` together, are dealt to that many crawlers, each giving its accesses to its own; the bound is',
    'that of one crawler as fast as all.',
    '',
    'Source: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998), Theorems 3.3, 3.4',
    'and 4.1, extended to any weights.',
  ].join('\n'),
  request: accessFrequenciesRequest,
  solution: accessFrequenciesSolution,
  beside: {},
  conflict: minFrequencyConflict,
  examples: [
    { name: 'access-frequencies', summary: 'Five pages with weights of their own, exponential access times' },
    { name: 'access-frequencies-randomized', summary: 'In columns, randomized accessing, weights = change rates' },
    { name: 'access-frequencies-crawlers', summary: 'Three crawlers that share pages of five hosts' },
    { name: 'access-frequencies-minimum', summary: 'A page that would starve, kept alive by a least frequency' },
  ],
  limits: accessFrequenciesLimits,
  work: ({ pages, accessTime, crawlers }) => (crawlers > 1 ? 3 : 1) * frequencyWork(pages.length, accessTime),
  solve({ pages, accessTime, policy, minFrequency = 0, crawlers }, budget) {
    const { changeRate, host } = pages.columns;
    const place = placeIn(pages.form);
    const problem = { accessTime, changeRate, weight: weightsOf(pages), policy, minFrequency, place };
    const answer =
      crawlers > 1
        ? solveTeamFrequencies({ ...problem, crawlers, host: hostPositions(host) }, budget)
        : { crawler: undefined, ...solveAccessFrequencies(problem, budget) };
    const solver = policy === 'deterministic' ? 'even-spacing' : 'randomized-accessing';
    const { status, warnings } = answer;
    if (answer.status === 'infeasible') {
      return { status, conflict: { ...answer.conflict }, warnings, statistics: { solver } };
    }
    const { objective, frequency, staleness, multiplier, starved, meanAccessTime, sweeps } = answer;
    return {
      status,
      objective,
      solution: {
        pages: tableAnswer(pages, { frequency, staleness, crawler: answer.crawler }),
        multiplier,
        starved,
        meanAccessTime,
      },
      warnings,
      statistics: { solver, sweeps, pages: pages.length },
    };
  },
});

/**
 * Some 500 ns a page; a transform costs more for laws without a closed form, up to the few thousand pages a table
 * needs.
 */
export function frequencyWork(pages: number, accessTime: Distribution): number {
  // a table of the transform takes over where pages are many
  const tabulated = 2 * Math.min(pages, 1000) + pages / 50;
  switch (accessTime.type) {
    case 'lognormal':
    case 'weibull':
    case 'pareto':
    case 'lomax':
      return 500 * pages + 40_000 * tabulated;
    case 'empirical':
      return 500 * pages + 60 * tabulated * accessTime.values.length;
    case 'hyperexponential':
      return 500 * pages + 30 * tabulated * accessTime.rates.length;
    case 'phase-type':
      return 500 * pages + 4 * tabulated * accessTime.initial.length ** 3 + 5000 * tabulated;
    default:
      return 500 * pages;
  }
}
