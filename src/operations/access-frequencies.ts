import * as contract from '../schemas/access-frequencies.ts';
import { requireLoads, solveAccessFrequencies } from '../solvers/access-frequencies/index.ts';
import { type Distribution, transformSteps } from '../solvers/laws/index.ts';
import { defineOperation } from './operation.ts';

export const accessFrequencies = defineOperation({
  name: 'access-frequencies',
  tag: 'schedules',
  summary: 'How often to access each page, for ever',
  description: [
    'One crawler accesses pages one after the other, for ever. An access takes a random time of the law `accessTime`. Page i changes at',
    'the rate `changeRate` (Poisson) and is stale from its first change until its next access ends. The answer is the share of all accesses',
    'for each page so that Σ weight·staleness is least.',
    '',
    'With `deterministic` the objective is the cost of even spacing, which no order of accesses can beat; `access-sequence` comes close.',
    'With `randomized` every access is drawn independently, and the cost is exact. A page whose first access is worth less than what',
    'others save gets frequency 0; `minFrequency` prevents that.',
    '',
    'Source: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998), Theorems 3.3, 3.4',
    'and 4.1, extended to any weights.',
  ].join('\n'),
  request: contract.accessFrequenciesRequest,
  solution: contract.accessFrequenciesSolution,
  sentence: contract.accessFrequenciesSentence,
  objective: ({ target }) =>
    target !== null
      ? { measure: 'accesses', unit: 'accesses per time unit' }
      : { measure: 'staleness', unit: 'weight × share of the time' },
  supplement: contract.accessFrequenciesSupplement,
  conflict: contract.accessFrequenciesConflict,
  examples: {
    'access-frequencies': 'Five pages with weights of their own, exponential access times',
    'access-frequencies-target':
      'How few accesses keep copies current 80% of the time, and what more of them would buy',
  },
  limits: contract.accessFrequenciesLimits,
  work: ({ problem: { accessTime, changeRate, weight, minFrequency, place }, target, curve }) => {
    requireLoads(accessTime, changeRate, { weight, place });
    const passes = 1 + (target !== null && minFrequency > 0 ? 10 : 0) + (curve ? 5 : 0);
    return passes * frequencyWork(changeRate.length, accessTime);
  },
  solve: solveAccessFrequencies,
});

/** Work in ns: 700 a page, and the Laplace transform of the access time, which costs more without a closed form. */
export const frequencyWork = (pages: number, accessTime: Distribution): number =>
  pages * (700 + 2 * transformSteps(accessTime));
