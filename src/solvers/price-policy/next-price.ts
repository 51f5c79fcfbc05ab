/**
 * Feedback control of the price of a fetch: it rises after a window with more fetches than wanted, and falls after one with
 * fewer.
 *
 * The step is p ← p·(seen/wanted)^{min(1, τ/(2T))}, with ½ added to both counts and their ratio cut to 1/5..5.
 * T = pages·τ/wanted is the mean interval of a page's fetches, so the power is wanted/(2·pages). A step of gain g every
 * τ is stable while its correction is made good before the due ages have moved it again. Half of τ/T is so for every
 * window. A window of a tenth to a half of T counts enough fetches for the ratio to mean something.
 *
 * The power forgets what was fetched too much before the window, which after a cold start is some hundredths in a year.
 * A caller may count the fetches made since the start beyond those wanted, `ahead`. Half the power's share of them is
 * then taken off what is wanted, down to a fifth of it.
 */

/** The fetches of the last window. */
export interface PriceFeedback {
  /** The price in the window, above 0. */
  readonly price: number;
  /** Fetches made in the window. */
  readonly seen: number;
  /** Fetches wanted in the window, above 0. */
  readonly wanted: number;
  /** Pages under the price. */
  readonly pages: number;
  /** Fetches made since the start beyond those wanted, below 0 for fewer; left out: 0. */
  readonly ahead?: number;
}

/** Largest ratio, either way, by which one window counts. */
const maxRatio = 5;

export function nextPrice({ price, seen, wanted, pages, ahead = 0 }: PriceFeedback): number {
  const power = Math.min(1, wanted / (2 * pages));
  const target = Math.min(maxRatio * wanted, Math.max(wanted / maxRatio, wanted - 0.5 * power * ahead));
  const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, (seen + 0.5) / (target + 0.5)));
  return price * ratio ** power;
}
