/**
 * What no dealing of pages can beat when a host, or a page without one, has one crawler of M.
 *
 * One crawler M times as fast could give a host any share of its accesses; here none gets more than 1/M. The cost is a
 * sum of convex terms in the frequencies. So hosts that would take more get 1/M exactly, each shared out among its
 * pages by itself, and the others share the rest. Then more of them may want too much. At most M rounds of
 * access-frequencies.
 */
import { type AccessPages, accessPages, evenStaleness, totalCost } from '../access-frequencies/access-pages.ts';
import { deterministicFrequencies } from '../access-frequencies/deterministic-frequencies.ts';
import type { AccessFrequenciesProblem } from '../access-frequencies/problem.ts';
import type { Budget } from '../budget.ts';
import { groupsOf } from './deal-pages.ts';
import { ratesOfOne, type Team } from './team.ts';

/** The pages of several crawlers. */
type TeamPages = Team & Pick<AccessFrequenciesProblem, 'accessTime' | 'changeRate' | 'weight' | 'place'>;

/** A host above its share by less has it: rounding. */
const tolerance = 1e-12;

/**
 * A bound; 0 where no host would take more than its share.
 *
 * @param frequency the optimal ones of one crawler M times as fast
 */
export function unsplitBound(problem: TeamPages, frequency: Float64Array, budget: Budget): number {
  const { accessTime, weight, host, crawlers, place } = problem;
  const { groupOf, size } = groupsOf(host);
  const cap = 1 / crawlers;
  const wanted = new Float64Array(size.length);
  for (const [i, f] of frequency.entries()) wanted[groupOf[i]] += f;
  if (wanted.every((share) => share <= cap * (1 + tolerance))) return 0;
  const fast = accessPages(accessTime, ratesOfOne(problem), weight, place, budget);
  const full = new Uint8Array(size.length);
  let [left, cost] = [1, 0];
  for (;;) {
    const rest = Array.from(groupOf.keys()).filter((i) => full[groupOf[i]] === 0);
    const { frequency, least } = sharedOut(fast, rest, left, budget);
    const share = new Float64Array(size.length);
    for (const [k, i] of rest.entries()) share[groupOf[i]] += frequency[k];
    const above = Array.from(share.keys()).filter((group) => share[group] > cap * (1 + tolerance));
    if (above.length === 0) return cost + least;
    for (const group of above) {
      full[group] = 1;
      left -= cap;
      const own = Array.from(groupOf.keys()).filter((i) => groupOf[i] === group);
      cost += sharedOut(fast, own, cap, budget).least;
    }
  }
}

/** The least cost of some pages that get a share of all accesses, and their frequencies. */
function sharedOut(
  { meanAccessTime, weight, load, gain, floor }: AccessPages,
  which: readonly number[],
  share: number,
  budget: Budget,
): { readonly frequency: Float64Array; readonly least: number } {
  const of = (values: Float64Array, factor: number): Float64Array =>
    Float64Array.from(which, (i) => values[i] * factor);
  const none = new Float64Array(which.length);
  if (which.length === 0) return { frequency: none, least: 0 };
  // by rounding, or because as many hosts as crawlers have theirs
  if (share < tolerance) return { frequency: none, least: of(weight, 1).reduce((sum, c) => sum + c, 0) };
  // f = share·g: L/f = (L/share)/g, and what a unit of g saves is what so much of f does
  const pages: AccessPages = {
    length: which.length,
    meanAccessTime,
    weight: of(weight, 1),
    load: of(load, 1 / share),
    gain: of(gain, share),
    floor: of(floor, 1),
  };
  const { frequency, stoppedAt } = deterministicFrequencies(pages, 0, budget);
  return {
    frequency: frequency.map((g) => g * share),
    least: stoppedAt ?? totalCost(pages, evenStaleness(pages, frequency)),
  };
}
