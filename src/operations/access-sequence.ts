import { minFrequencyConflict, weightsOf } from '../schemas/access-frequencies.ts';
import * as contract from '../schemas/access-sequence.ts';
import { placeIn } from '../schemas/table/table.ts';
import { requireLoads } from '../solvers/access-frequencies/index.ts';
import { solveAccessSequence } from '../solvers/access-sequence/index.ts';
import { frequencyWork } from './access-frequencies.ts';
import { defineOperation } from './operation.ts';

export const accessSequence = defineOperation({
  name: 'access-sequence',
  tag: 'schedules',
  summary: 'In which order to access the pages, for ever',
  description: [
    'Makes one cycle of accesses, to be repeated for ever. It spaces the accesses of every page as evenly as it can at the optimal (or the',
    'given) frequencies. The cost is that of the very cycle, rounding and seam included, beside a bound. The model is that of',
    '`access-frequencies`. A page outside the cycle is always stale.',
    '',
    'Optimal frequencies are rounded to the counts of least cost. Your own frequencies, and those of the golden ratio, are rounded by',
    'largest remainder. `randomized` draws the accesses of one cycle independently.',
    '',
    'Sources: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998); Z. Liu, P. Nain,',
    'Optimization issues in web search engines (2006), section 1.3. Their bound of 1.05 for the golden ratio policy is false.',
  ].join('\n'),
  request: contract.accessSequenceRequest,
  solution: contract.accessSequenceSolution,
  sentence: contract.accessSequenceSentence,
  objective: { measure: 'staleness', unit: 'weight × share of the time' },
  supplement: contract.accessSequenceSupplement,
  conflict: minFrequencyConflict,
  examples: {
    'access-sequence': 'Six pages, the cycle chosen',
    'access-sequence-golden-ratio': "The papers' example: frequencies 2, 3, 3 and 5 of F_7 = 13",
    'access-sequence-columns': 'In columns, most overdue first, a cycle of 40',
  },
  limits: contract.accessSequenceLimits,
  work({ pages, accessTime, method, cycleLength }) {
    const terms = { weight: weightsOf(pages), place: placeIn('pages', pages) };
    requireLoads(accessTime, pages.columns.changeRate, terms);
    const n = pages.length;
    const cycle = cycleLength ?? 10 * n;
    const lengths = cycleLength === undefined && n <= 300 ? 2 : 1;
    const searchWork = lengths > 1 ? 40_000_000 : 0;
    const perStep = method === 'auto' ? 1500 : 700;
    const startWork = hasHistory(pages.columns.lastAccess) ? 4e8 : 0;
    return frequencyWork(n, accessTime) + searchWork + startWork + lengths * cycle * perStep;
  },
  solve(request, budget) {
    const { pages, accessTime, method, cycleLength, minFrequency = 0 } = request;
    const { changeRate, frequency, lastAccess } = pages.columns;
    const problem = {
      accessTime,
      changeRate,
      weight: weightsOf(pages),
      frequency: Number.isNaN(frequency[0]) ? null : frequency,
      minFrequency,
      method,
      cycleLength: cycleLength ?? null,
      longestCycle: contract.accessSequenceLimits.cycleLength,
      lastAccess: hasHistory(lastAccess) ? lastAccess : undefined,
      place: placeIn('pages', pages),
    };
    return solveAccessSequence(problem, budget);
  },
});

const hasHistory = (lastAccess: Float64Array): boolean => lastAccess.some((age) => !Number.isNaN(age));
