/**
 * In which order to access the pages with several crawlers: pages are dealt to them, and each repeats a cycle of its
 * own.
 *
 * Dealings and bound are those of team-frequencies.ts; the dealing whose cycles cost less is kept. Frequencies of the
 * caller's own say how much each page has to be given, and each crawler scales those of its pages. The cost of every
 * cycle is exact, whatever the crawlers' beginnings: a page has one crawler.
 */
import { bestFrequencies } from '../access-frequencies/index.ts';
import {
  type AccessSequence,
  type AccessSequenceProblem,
  type SequencingMethod,
  solveAccessSequence,
} from '../access-sequence/index.ts';
import { type Budget, keepingShare, pollOf, unlessStopped } from '../budget.ts';
import { inTime } from '../shares.ts';
import { dealPages, handsOf } from './deal-pages.ts';
import { improveDealing } from './improve-dealing.ts';
import { dealingWarnings, onceEach, ownLeast, provedBy, ratesOfOne, solveHands, type Team } from './team.ts';
import { unsplitBound } from './unsplit-bound.ts';

/** Without ages: which crawler had a page before is not known. */
export type TeamSequencesProblem = Omit<AccessSequenceProblem, 'lastAccess'> & Team;

/** No method, and an empty cycle, where nothing is accessed. */
interface CrawlerCycle {
  readonly method: SequencingMethod | null;
  readonly sequence: Uint32Array;
  readonly cost: number;
}

/** The bound and the dealing get one part in so many of the time left. */
const poolingParts = 10;

/**
 * @throws ConditionNotMet where a page's load or worth is not a positive, finite double
 * @throws NothingToReturn when the budget runs out before every crawler has a cycle
 */
export function solveTeamSequences(problem: TeamSequencesProblem, budget: Budget) {
  const { accessTime, weight, minFrequency, crawlers, host, place } = problem;
  const changeRate = ratesOfOne(problem);
  const fast = inTime(budget, poolingParts, (share) =>
    bestFrequencies({ accessTime, changeRate, weight, policy: 'deterministic', minFrequency, place }, share),
  );
  if (fast.status === 'infeasible') return { ...fast, statistics: { solver: problem.method } };
  const unsplit = unsplitBound(problem, fast.frequency, budget);
  const poll = pollOf(budget, 'the pages were still being dealt');
  const first = dealPages(problem.frequency ?? fast.frequency, host, crawlers, poll);
  const bound = Math.max(fast.objective.bound ?? 0, unsplit);
  const improved = improveDealing({ ...problem, policy: 'deterministic' }, first, bound, budget);
  const better = improved.every((m, i) => m === first[i]) ? null : improved;
  const least = cyclesOf(problem, first, better === null ? budget : keepingShare(budget, 0.5));
  // even gaps at which dealings are compared are not had: what seems better may not be
  const other = better && unlessStopped(null, () => cyclesOf(problem, better, budget));
  const { value, warnings, hands, ...solution } = other !== null && other.value < least.value ? other : least;
  const proved = provedBy(value, fast.objective.bound, unsplit);
  const overall = proved.objective.bound ?? 0;
  const [{ method, sequence }] = solution.crawlers;
  return {
    ...proved,
    solution: { method: method ?? 'most-overdue', sequence, cycleLength: sequence.length, ...solution },
    beside: { bounds: { overall, frequencies: overall } },
    warnings: [
      // each crawler scales what it is dealt
      ...onceEach(warnings.filter(({ code }) => code !== 'frequencies-scaled')),
      ...dealingWarnings(hands, minFrequency),
    ],
    statistics: { solver: problem.method, pages: weight.length, crawlers },
  };
}

/** What a dealing comes to. */
function cyclesOf(problem: TeamSequencesProblem, crawler: Int32Array, budget: Budget) {
  const hands = handsOf(crawler, problem.crawlers);
  const owns = solveHands(hands, budget, (pages, share) => cycleOf(problem, pages, share));
  const staleness = new Float64Array(crawler.length).fill(1);
  const counts = new Uint32Array(crawler.length);
  const crawlers = hands.map((hand, m): CrawlerCycle => {
    const own = owns[m];
    if (own === null) {
      const cost = hand.reduce((sum, i) => sum + problem.weight[i], 0);
      return { method: null, sequence: new Uint32Array(0), cost };
    }
    const { method, sequence, counts: times, pages } = own.solution;
    for (const [k, i] of hand.entries()) {
      staleness[i] = pages.staleness[k];
      counts[i] = times[k];
    }
    return { method, sequence: sequence.map((k) => hand[k]), cost: own.objective.value };
  });
  const value = staleness.reduce((sum, stale, i) => sum + problem.weight[i] * stale, 0);
  const warnings = owns.flatMap((own) => own?.warnings ?? []);
  return { crawlers, counts, pages: { staleness, crawler }, hands, warnings, value };
}

/** The problem of a crawler that has these pages. */
function cycleProblem(problem: TeamSequencesProblem, pages: Uint32Array): AccessSequenceProblem {
  const { changeRate, weight, frequency, minFrequency, crawlers, place } = problem;
  return {
    ...problem,
    changeRate: Float64Array.from(pages, (i) => changeRate[i]),
    weight: Float64Array.from(pages, (i) => weight[i]),
    frequency: frequency && Float64Array.from(pages, (i) => frequency[i]),
    minFrequency: ownLeast(minFrequency, crawlers, pages.length),
    place: place && ((k, property) => place(pages[k], property)),
  };
}

function cycleOf(problem: TeamSequencesProblem, pages: Uint32Array, budget: Budget): AccessSequence | null {
  const own = cycleProblem(problem, pages);
  if (pages.length === 0 || own.frequency?.every((f) => f === 0)) return null;
  const answer = solveAccessSequence(own, budget);
  if (answer.status === 'infeasible') throw new Error(`a crawler of ${pages.length} pages: ${answer.conflict.detail}`);
  return answer;
}
