/** Several crawlers that share the pages: what both questions about them have in common. */
import { type Objective, provedWithin, type Warning, warning } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { solveInShares } from '../shares.ts';

/** Crawlers, each with an access time of the same law, and which pages have to go to one of them together. */
export interface Team {
  /** M ≥ 2. */
  readonly crawlers: number;
  /** Position of each page's host, −1 for none. */
  readonly host: Int32Array;
}

const optimalGap = 1e-9;

/** Change rates as one crawler M times as fast sees them. */
export function ratesOfOne({ changeRate, crawlers }: { readonly changeRate: Float64Array } & Team): Float64Array {
  return changeRate.map((rate) => rate / crawlers);
}

/**
 * What a dealing costs, beside two bounds: the bound of one crawler as fast as all (null where not known), and
 * `unsplit`. The second holds where no host is shared between crawlers (unsplit-bound.ts).
 */
export const provedBy = (value: number, boundOfOne: number | null, unsplit: number) =>
  provedWithin(optimalGap, value, Math.min(value, Math.max(boundOfOne ?? 0, unsplit)));

/** Of several crawlers' warnings the first of each kind. */
export function onceEach(warnings: readonly Warning[]): Warning[] {
  const kept = new Set<string>();
  return warnings.filter(({ code }) => !kept.has(code) && kept.add(code));
}

/**
 * The least frequency of a page among all accesses as one among its crawler's; its pages can have no more than 1/pages
 * each.
 */
export function ownLeast(minFrequency: number, crawlers: number, pages: number): number {
  return Math.min(minFrequency * crawlers, 1 / pages);
}

/** What to know of pages and crawlers that dealing leaves short. */
export function dealingWarnings(hands: readonly Uint32Array[], minFrequency: number): Warning[] {
  const warnings: Warning[] = [];
  const idle = hands.filter((pages) => pages.length === 0).length;
  if (idle > 0) {
    const detail = `${idle} of ${hands.length} crawlers have no page: there are fewer pages, or hosts, than crawlers`;
    warnings.push(warning('idle-crawlers', detail));
  }
  const crowded = hands.filter((pages) => minFrequency * hands.length * pages.length > 1 + 1e-9);
  if (crowded.length > 0) {
    const most = crowded.reduce((largest, pages) => Math.max(largest, pages.length), 0);
    const detail =
      `${crowded.length} crawlers have more pages than can all have minFrequency ${minFrequency} of all accesses, ` +
      `one of them ${most}: these pages get 1/(crawlers·pages) each; split their hosts or lower minFrequency`;
    warnings.push(warning('below-min-frequency', detail));
  }
  return warnings;
}

/**
 * What every crawler does with its pages, one after the other in shares of the time; null for one that does nothing.
 *
 * @throws NothingToReturn when the budget ends before every crawler has an answer
 */
export function solveHands<Own extends { readonly objective: Objective } | null>(
  hands: readonly Uint32Array[],
  budget: Budget,
  solve: (pages: Uint32Array, share: Budget) => Own,
): Own[] {
  const costOf = (own: Own): number => own?.objective.value ?? 0;
  const parts = {
    count: hands.length,
    needed: hands.length,
    solve: (m: number, share: Budget) => ({ own: solve(hands[m], share) }),
    isWhole: ({ own }: { own: Own }) => own === null || own.objective.gap === 0,
    noWorse: (second: { own: Own }, first: { own: Own }) => costOf(second.own) <= costOf(first.own),
  };
  return solveInShares(parts, budget).map((found) => {
    if (found === null) throw new NothingToReturn('not every crawler had an answer');
    return found.own;
  });
}
