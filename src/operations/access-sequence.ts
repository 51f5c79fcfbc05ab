import { minFrequencyClash, minFrequencyConflict, placeIn, weightsOf } from '../schemas/access-frequencies.ts';
import {
  accessSequenceBeside,
  accessSequenceLimits,
  accessSequenceRequest,
  accessSequenceSolution,
} from '../schemas/access-sequence.ts';
import { tableAnswer } from '../schemas/table/table-answer.ts';
import { accessPages } from '../solvers/access-frequencies/index.ts';
import { type SequenceAnswer, accessSequence as solveSequence } from '../solvers/access-sequence/index.ts';
import { objective, type Warning } from '../solvers/answer.ts';
import { frequencyWork } from './access-frequencies.ts';
import { defineOperation } from './operation.ts';

export const accessSequence = defineOperation({
  name: 'access-sequence',
  tag: 'schedules',
  summary: 'In which order to access the pages, for ever',
  description: [
    'Makes one cycle of accesses, to be repeated for ever, that spaces the accesses of every page as evenly as it can at the optimal (or the',
    'given) frequencies, and returns the exact cost of that very cycle, rounding and seam included, with the bound it is measured against.',
    'The model is that of `access-frequencies`. A page that does not occur in the cycle is always stale.',
    '',
    'Counts: the optimal frequencies are rounded to the counts that cost least at this cycle length; frequencies of your own to',
    'the nearest whole counts by largest remainder, every page of positive frequency at least once where the cycle has room; the golden ratio',
    'always by largest remainder alone, ties to the lower position. `randomized` draws the accesses of one cycle independently (from the',
    'frequencies that are optimal for randomized accessing, unless given) and is costed as the cycle it is.',
    '',
    'Sources: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998); Z. Liu, P. Nain,',
    'Optimization issues in web search engines (2006), section 1.3. The bound of 1.05 they give for the golden ratio policy is false.',
  ].join('\n'),
  request: accessSequenceRequest,
  solution: accessSequenceSolution,
  beside: accessSequenceBeside,
  conflict: minFrequencyConflict,
  examples: [
    { name: 'access-sequence', summary: 'Six pages, the best of all methods' },
    { name: 'access-sequence-golden-ratio', summary: "The papers' example: frequencies 2, 3, 3 and 5 of F_7 = 13" },
    { name: 'access-sequence-columns', summary: 'In columns, most overdue first, a cycle of 40' },
  ],
  limits: accessSequenceLimits,
  work({ pages, accessTime, method, cycleLength }) {
    const n = pages.length;
    const cycle = cycleLength ?? 10 * n;
    const lengths = cycleLength === undefined && n <= 300 ? 11 : 1;
    const searched = lengths > 1 ? 40_000_000 : 0;
    const perStep = method === 'index' ? 300 + 40 * Math.sqrt(n) : method === 'auto' ? 2000 : 700;
    return frequencyWork(n, accessTime) + searched + lengths * cycle * perStep;
  },
  solve({ pages, accessTime, method, cycleLength, fibonacciIndex, minFrequency = 0 }, budget) {
    const conflict = minFrequencyClash(minFrequency, pages.length);
    if (conflict !== null) return { status: 'infeasible', conflict, statistics: { solver: method } };
    const model = accessPages(accessTime, pages.columns.changeRate, weightsOf(pages), placeIn(pages.form), budget);
    const given = Number.isNaN(pages.columns.frequency[0]) ? null : pages.columns.frequency;
    const sum = given?.reduce((a, b) => a + b, 0) ?? 1;
    const answer = solveSequence(
      {
        pages: model,
        frequency: given?.map((f) => f / sum) ?? null,
        least: minFrequency,
        method,
        cycleLength: cycleLength ?? null,
        fibonacciIndex: fibonacciIndex ?? null,
        longestCycle: accessSequenceLimits.cycleLength,
      },
      budget,
    );
    const value = objective(answer.cost, answer.bound);
    return {
      status: value.gap !== null && value.gap <= 1e-9 ? 'optimal' : 'feasible',
      objective: value,
      solution: {
        method: answer.method,
        sequence: answer.sequence,
        cycleLength: answer.sequence.length,
        counts: answer.counts,
        pages: tableAnswer(pages, { staleness: answer.staleness }),
      },
      beside: {
        methods: answer.methods,
        bounds: { overall: answer.overallBound, frequencies: answer.bound },
      },
      warnings: warningsOf(answer, sum),
      statistics: { solver: answer.method, pages: pages.length, methodsTried: answer.methods.length },
    };
  },
});

function warningsOf(answer: SequenceAnswer, sum: number): Warning[] {
  const warnings: Warning[] = [];
  if (Math.abs(sum - 1) > 1e-6)
    warnings.push({
      code: 'frequencies-scaled',
      detail: `the frequencies sum to ${sum}; they were divided by it, as shares of all accesses`,
      pointer: '/pages',
    });
  if (answer.starved > 0)
    warnings.push({
      code: 'zero-frequency-pages',
      detail: `${answer.starved} of the pages have frequency 0 and do not occur in the cycle: they are always stale; set minFrequency to keep every page alive`,
    });
  if (answer.absent > 0)
    warnings.push({
      code: 'absent-pages',
      detail: `${answer.absent} pages of positive frequency do not occur in this cycle of ${answer.sequence.length} and are always stale; a longer cycleLength has room for them, a minFrequency makes it`,
    });
  if (answer.belowLeast > 0)
    warnings.push({
      code: 'below-min-frequency',
      detail: `${answer.belowLeast} pages occur less often in this cycle of ${answer.sequence.length} than minFrequency asks: the method ${answer.method} has counts of its own; the other methods keep to it`,
      pointer: '/minFrequency',
    });
  if (answer.cutShort)
    warnings.push({
      code: 'time-limit',
      detail:
        'the time limit ended the search before every method had been tried; raise options.timeLimitMs for the rest',
    });
  return warnings;
}
