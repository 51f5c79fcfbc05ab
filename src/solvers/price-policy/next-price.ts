/**
 * Feedback control of the price of a fetch: it rises after a window with more fetches than wanted, and falls after one
 * with fewer.
 *
 * The step is p ← p·(seen/wanted)^{min(1, τ/(2T))} for a window of length τ, with ½ added to both counts and their
 * ratio clamped to 1/5..5. T = pages·τ/wanted is the mean interval of a page's fetches, so the power is
 * wanted/(2·pages). Fetches follow a new price over a time of about T; with half of τ/T as the power, the steps in this
 * time do not overcorrect, for any length of the window. A window of a tenth to a half of T has enough
 * fetches for a reliable ratio.
 *
 * The step does not see the excess of fetches in earlier windows: after a cold start some hundredths of a year's
 * fetches. A caller may pass this excess as `ahead`. The target is then `wanted` less half the power times the excess,
 * and at least a fifth of `wanted`.
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

/** Clamp of the ratio of fetches made to fetches wanted, and of its inverse. */
const maxRatio = 5;

/** The price for the next window, in the unit of `price`. O(1). */
export function nextPrice({ price, seen, wanted, pages, ahead = 0 }: PriceFeedback): number {
  const power = Math.min(1, wanted / (2 * pages));
  const target = Math.min(maxRatio * wanted, Math.max(wanted / maxRatio, wanted - 0.5 * power * ahead));
  const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, (seen + 0.5) / (target + 0.5)));
  return price * ratio ** power;
}
