import type * as z from 'zod';
import { hostPositions, minFrequencyConflict, placeIn, weightsOf } from '../schemas/access-frequencies.ts';
import {
  accessSequenceBeside,
  accessSequenceLimits,
  accessSequenceRequest,
  accessSequenceSentence,
  accessSequenceSolution,
} from '../schemas/access-sequence.ts';
import { requireLoads } from '../solvers/access-frequencies/index.ts';
import { solveAccessSequence } from '../solvers/access-sequence/index.ts';
import { solveTeamSequences } from '../solvers/access-teams/index.ts';
import type { Budget } from '../solvers/budget.ts';
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
    'largest remainder. `randomized` draws the accesses of one cycle independently. With `crawlers` each crawler repeats its own cycle.',
    '',
    'Sources: E. G. Coffman, Z. Liu, R. R. Weber, Optimal robot scheduling for web search engines, J. Scheduling 1 (1998); Z. Liu, P. Nain,',
    'Optimization issues in web search engines (2006), section 1.3. Their bound of 1.05 for the golden ratio policy is false.',
  ].join('\n'),
  request: accessSequenceRequest,
  solution: accessSequenceSolution,
  sentence: accessSequenceSentence,
  objective: { measure: 'staleness', unit: 'weight × share of the time' },
  beside: accessSequenceBeside,
  conflict: minFrequencyConflict,
  examples: [
    { name: 'access-sequence', summary: 'Six pages, the cycle chosen' },
    { name: 'access-sequence-golden-ratio', summary: "The papers' example: frequencies 2, 3, 3 and 5 of F_7 = 13" },
    { name: 'access-sequence-crawlers', summary: 'Two crawlers that share pages of four hosts, a cycle for each' },
    { name: 'access-sequence-columns', summary: 'In columns, most overdue first, a cycle of 40' },
  ],
  limits: accessSequenceLimits,
  work({ pages, accessTime, method, cycleLength, crawlers }) {
    const about = { weight: weightsOf(pages), place: placeIn(pages.form), crawlers };
    requireLoads(accessTime, pages.columns.changeRate, about);
    const n = pages.length;
    const cycle = cycleLength ?? 10 * n;
    const lengths = cycleLength === undefined && n <= 300 ? 11 : 1;
    const searched = lengths > 1 ? 40_000_000 : 0;
    const perStep = method === 'auto' ? 1500 : 700;
    const begun = pages.columns.lastAccess.some((last) => !Number.isNaN(last)) ? 4e8 : 0;
    return frequencyWork(n, accessTime) + searched + begun + lengths * cycle * perStep;
  },
  solve(request, budget) {
    return request.crawlers > 1 ? solveTeam(request, budget) : solveOne(request, budget);
  },
});

type Request = z.output<typeof accessSequenceRequest>;

/** The problem without ages, as both solvers take it. */
function problemOf({ pages, accessTime, method, cycleLength, minFrequency = 0 }: Request) {
  const { changeRate, frequency } = pages.columns;
  return {
    accessTime,
    changeRate,
    weight: weightsOf(pages),
    frequency: Number.isNaN(frequency[0]) ? null : frequency,
    minFrequency,
    method,
    cycleLength: cycleLength ?? null,
    longestCycle: accessSequenceLimits.cycleLength,
    place: placeIn(pages.form),
  };
}

function solveOne(request: Request, budget: Budget) {
  const { pages, method } = request;
  const { lastAccess: given } = pages.columns;
  const lastAccess = given.every((last) => Number.isNaN(last)) ? undefined : given;
  const answer = solveAccessSequence({ ...problemOf(request), lastAccess }, budget);
  const { status, warnings } = answer;
  if (answer.status === 'infeasible') {
    return { status, conflict: answer.conflict, warnings, statistics: { solver: method } };
  }
  const { objective, sequence, counts, staleness, methods, overallBound } = answer;
  return {
    status,
    objective,
    solution: {
      method: answer.method,
      sequence,
      cycleLength: sequence.length,
      counts,
      pages: { staleness },
    },
    beside: {
      methods,
      ...(answer.firstCycleCost === null ? {} : { firstCycle: { cost: answer.firstCycleCost } }),
      bounds: { overall: overallBound, frequencies: objective.bound ?? overallBound },
    },
    warnings,
    statistics: { solver: answer.method, pages: pages.length, methodsTried: methods.length },
  };
}

function solveTeam(request: Request, budget: Budget) {
  const { pages, method, crawlers } = request;
  const answer = solveTeamSequences(
    { ...problemOf(request), crawlers, host: hostPositions(pages.columns.host) },
    budget,
  );
  const { status, warnings } = answer;
  if (answer.status === 'infeasible') {
    return { status, conflict: answer.conflict, warnings, statistics: { solver: method } };
  }
  const { objective, cycles, counts, staleness, crawler } = answer;
  const told = cycles.map(({ pages: hand, own }) => ({
    method: own?.method ?? null,
    sequence: own === null ? new Uint32Array(0) : own.sequence.map((k) => hand[k]),
    cost: own?.objective.value ?? hand.reduce((sum, i) => sum + weightsOf(pages)[i], 0),
  }));
  const [first] = told;
  const bound = objective.bound ?? 0;
  return {
    status,
    objective,
    solution: {
      method: first.method ?? 'most-overdue',
      sequence: first.sequence,
      cycleLength: first.sequence.length,
      crawlers: told,
      counts,
      pages: { staleness, crawler },
    },
    beside: { bounds: { overall: bound, frequencies: bound } },
    warnings,
    statistics: { solver: method, pages: pages.length, crawlers },
  };
}
