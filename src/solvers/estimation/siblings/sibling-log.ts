/**
 * What a page's siblings were seen to do while nobody looked at it.
 *
 * The siblings of a page are the next few pages of its group, in the order given and round its end; a group of
 * thousands costs no more than its pages. Pages i and j change together at rate ρ = s·min(λ_i, λ_j), s the strength of
 * their group, and each by itself besides, so that their own rates stay λ_i and λ_j. In a window of page i, of which
 * j's checks covered the length O:
 * - where they saw no change, there was no shared one: page i's rate is λ_i − ρ;
 * - a check of j of length u that saw a change leaves the chance of no shared one in the part O of the window it covers
 *   at (e^{−ρO} − e^{−λ_j·u})/(1 − e^{−λ_j·u}): the change may have been j's alone, or have come before;
 * - what page i's own checks before had seen of that length counts: the parts they found unchanged held no shared
 *   change, and a change they found is the same change, as likely as it was not page i's own.
 * Times are reckoned back from a page's last fetch. A change of known age tells no gap, so that the log before it is
 * left out.
 * Complexity: O(siblings·log(checks)) a window, and the checks that overlap it.
 */
import { type CheckHistory, changedAtKnownAge, unchanged } from '../changes/check-history.ts';

/** Siblings looked at for a page. */
const mostSiblings = 8;

export interface GroupedPages {
  readonly history: CheckHistory;
  /** When each page was last fetched; NaN where that is not known. */
  readonly lastFetch: Float64Array;
  /** By page: position of its group, −1 for none. */
  readonly group: Int32Array;
  readonly groups: number;
  /** Mean change rate by page. */
  readonly rate: Float64Array;
  /** By page: 1 where the rate is known, and not estimated from these checks; left out: of none. */
  readonly known?: Uint8Array | undefined;
}

/** A check of a sibling that covers a part of a window. */
export interface CoveringCheck {
  readonly begin: number;
  readonly end: number;
  readonly changed: boolean;
}

export class SiblingLog {
  readonly pages: GroupedPages;
  /** When each check ended; its gap began `elapsed` before. */
  readonly ends: Float64Array;
  /** By page: the first check whose time is known. */
  readonly first: Uint32Array;
  /** Pages of group g: members[groupFrom[g]] … members[groupFrom[g + 1] − 1], in their order. */
  readonly members: Uint32Array;
  readonly groupFrom: Uint32Array;
  /** By page: its place among the members. */
  readonly #place: Uint32Array;

  constructor(pages: GroupedPages) {
    this.pages = pages;
    const { history, lastFetch, group, groups } = pages;
    const { offsets, elapsed, outcome } = history;
    this.ends = new Float64Array(elapsed.length);
    this.first = new Uint32Array(lastFetch.length);
    for (let i = 0; i < lastFetch.length; i++) {
      let end = lastFetch[i];
      let k = offsets[i + 1];
      while (k > offsets[i] && !Number.isNaN(end)) {
        this.ends[--k] = end;
        end -= elapsed[k];
        if (outcome[k] === changedAtKnownAge) break;
      }
      this.first[i] = k;
    }
    this.groupFrom = new Uint32Array(groups + 1);
    for (const g of group) if (g >= 0) this.groupFrom[g + 1]++;
    for (let g = 0; g < groups; g++) this.groupFrom[g + 1] += this.groupFrom[g];
    const next = this.groupFrom.slice(0, groups);
    this.members = new Uint32Array(this.groupFrom[groups]);
    this.#place = new Uint32Array(group.length);
    for (let i = 0; i < group.length; i++) {
      if (group[i] < 0) continue;
      this.#place[i] = next[group[i]];
      this.members[next[group[i]]++] = i;
    }
  }

  /** How many siblings of page i are looked at. */
  siblings(i: number): number {
    const g = this.pages.group[i];
    return g < 0 ? 0 : Math.min(mostSiblings, this.groupFrom[g + 1] - this.groupFrom[g] - 1);
  }

  /** The page that is sibling number `s` (from 1) of page i. */
  sibling(i: number, s: number): number {
    const g = this.pages.group[i];
    const from = this.groupFrom[g];
    return this.members[from + ((this.#place[i] - from + s) % (this.groupFrom[g + 1] - from))];
  }

  /**
   * Calls `visit` with the checks of page j that cover a part of page i's window (from, to]. With `inOrder` those alone
   * that were known when page i's check at `to` was made: they ended before, or at the same time with j before i.
   */
  covering(
    i: number,
    j: number,
    { from, to, inOrder }: { readonly from: number; readonly to: number; readonly inOrder: boolean },
    visit: (check: CoveringCheck) => void,
  ): void {
    const { offsets, elapsed, outcome } = this.pages.history;
    for (let k = this.firstAfter(j, from); k < offsets[j + 1]; k++) {
      const end = this.ends[k];
      const begin = end - elapsed[k];
      if (begin >= to || (inOrder && (end > to || (end === to && j > i)))) break;
      visit({ begin, end, changed: outcome[k] !== unchanged });
    }
  }

  /**
   * The chance that no change that j's check saw was one of page i's between two times, for shared changes at rate ρ;
   * what page i's own checks before `from` saw of that check's gap is allowed for.
   */
  spared(
    i: number,
    j: number,
    { begin, end }: CoveringCheck,
    window: readonly [number, number],
    shared: number,
  ): number {
    const { history, rate } = this.pages;
    const { offsets, elapsed, outcome } = history;
    const [from, to] = window;
    const none = -Math.expm1(-rate[j] * (end - begin));
    let changedMass = none;
    let left = 1;
    for (let k = this.firstAfter(i, begin); k < offsets[i + 1] && this.ends[k] <= from; k++) {
      const covered = this.ends[k] - Math.max(begin, this.ends[k] - elapsed[k]);
      const here = -left * Math.expm1(-shared * covered);
      left -= here;
      changedMass -= here;
      if (outcome[k] === unchanged) continue;
      // the change that page i showed is this one, or was its own
      const own = -Math.expm1(-(rate[i] - shared) * elapsed[k] - shared * (elapsed[k] - covered));
      changedMass += here / Math.max(own, 1e-12);
    }
    const overlap = Math.min(end, to) - Math.max(begin, from);
    const hit = -left * Math.expm1(-shared * overlap);
    return Math.max(1e-12, 1 - hit / Math.max(changedMass, hit, 1e-300));
  }

  /** The first check of page j that ends after a time. */
  firstAfter(j: number, time: number): number {
    let low = this.first[j];
    let high = this.pages.history.offsets[j + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
