/**
 * How often to access each page with several crawlers: pages are dealt to them, and each gives its accesses to its own.
 *
 * - Dealing: deal-pages.ts, by the frequencies of one crawler M times as fast; then improve-dealing.ts.
 * - Each crawler: access-frequencies over its pages, exactly; the cost is the sum.
 * - Bound: the least cost of any order of one crawler M times as fast. Access times X/M with the same page are the same
 *   as X with its change rate divided by M. At the same accesses a unit of time the fast crawler leaves every page no staler, since
 *   E e^(−μX/M) ≤ (E e^(−μX))^(1/M) (Jensen), and it may choose among more frequencies.
 *   No host gets more than a crawler can give (unsplit-bound.ts).
 * Complexity: that of access-frequencies, twice, and dealing. Known limits: dealing is a local search. The gap is what
 * it, and access times that vary, have cost together; with randomized accesses also what chance costs.
 */
import { type AccessFrequencies, type AccessFrequenciesProblem, bestFrequencies } from '../access-frequencies/index.ts';
import { type Budget, pollOf } from '../budget.ts';
import { inTime } from '../shares.ts';
import { dealPages, handsOf } from './deal-pages.ts';
import { improveDealing } from './improve-dealing.ts';
import { dealingWarnings, onceEach, ownLeast, provedBy, ratesOfOne, solveHands, type Team } from './team.ts';
import { unsplitBound } from './unsplit-bound.ts';

export type TeamFrequenciesProblem = AccessFrequenciesProblem & Team;

/** One crawler M times as fast with all pages. */
export function pooled(problem: TeamFrequenciesProblem): AccessFrequenciesProblem {
  return { ...problem, policy: 'deterministic', changeRate: ratesOfOne(problem) };
}

/**
 * @throws ConditionNotMet where a page's load or worth is not a positive, finite double
 * @throws NothingToReturn when the budget runs out before every crawler's loads are known
 */
export function solveTeamFrequencies(problem: TeamFrequenciesProblem, budget: Budget) {
  const { crawlers, host, minFrequency } = problem;
  const fast = inTime(budget, 2, (share) => bestFrequencies(pooled(problem), share));
  if (fast.status === 'infeasible') return fast;
  const unsplit = unsplitBound(problem, fast.frequency, budget);
  const poll = pollOf(budget, 'the pages were still being dealt');
  const first = dealPages(fast.frequency, host, crawlers, poll);
  const bound = Math.max(fast.objective.bound ?? 0, unsplit);
  const crawler = improveDealing({ ...problem, frequency: null }, first, bound, budget);
  const all = handsOf(crawler, crawlers);
  const busy = all.filter((pages) => pages.length > 0);
  const owns = solveHands(busy, budget, (pages, share) => solveHand(problem, pages, share));
  const hands = busy.map((pages, k) => ({ pages, own: owns[k] }));
  const frequency = new Float64Array(crawler.length);
  const staleness = new Float64Array(crawler.length);
  for (const { pages, own } of hands) {
    for (const [k, i] of pages.entries()) {
      frequency[i] = own.frequency[k] / crawlers;
      staleness[i] = own.staleness[k];
    }
  }
  const sum = (of: (own: AccessFrequencies) => number): number => hands.reduce((total, { own }) => total + of(own), 0);
  const value = sum((own) => own.objective.value);
  const starved = sum((own) => own.starved);
  const warnings = [fast, ...hands.map(({ own }) => own)]
    .flatMap((each) => each.warnings)
    .filter(({ code }) => code !== 'zero-frequency-pages' || starved > 0);
  return {
    ...provedBy(value, fast.objective.bound, unsplit),
    crawler,
    frequency,
    staleness,
    multiplier: crawlers * hands.reduce((most, { own }) => Math.max(most, own.multiplier), 0),
    starved,
    meanAccessTime: fast.meanAccessTime,
    sweeps: fast.sweeps + sum((own) => own.sweeps),
    hands,
    warnings: [...onceEach(warnings), ...dealingWarnings(all, minFrequency)],
  };
}

/** The problem of a crawler that has these pages. */
function handOf(problem: TeamFrequenciesProblem, pages: Uint32Array): AccessFrequenciesProblem {
  const { crawlers, changeRate, weight, minFrequency, place } = problem;
  return {
    ...problem,
    changeRate: Float64Array.from(pages, (i) => changeRate[i]),
    weight: Float64Array.from(pages, (i) => weight[i]),
    minFrequency: ownLeast(minFrequency, crawlers, pages.length),
    place: place && ((k, property) => place(pages[k], property)),
  };
}

function solveHand(problem: TeamFrequenciesProblem, pages: Uint32Array, budget: Budget): AccessFrequencies {
  const answer = bestFrequencies(handOf(problem, pages), budget);
  if (answer.status === 'infeasible') throw new Error(`a crawler of ${pages.length} pages: ${answer.conflict.detail}`);
  return answer;
}
