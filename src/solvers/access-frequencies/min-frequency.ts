/** Why a least frequency cannot be met. */
export interface MinFrequencyConflict {
  readonly detail: string;
  readonly minFrequency: number;
  /** How many pages ask for it. */
  readonly pages: number;
  /** The largest least frequency that many pages can have: 1/pages. */
  readonly largestMinFrequency: number;
}

/** Why a least frequency cannot be met by that many pages, or null where it can. */
export function minFrequencyConflict(least: number, pages: number): MinFrequencyConflict | null {
  if (least * pages <= 1 + 1e-12) return null;
  const largest = 1 / pages;
  const detail = `a frequency of at least ${least} for each of ${pages} pages makes ${least * pages}, more than all accesses (1); the largest possible is ${largest}`;
  return { detail, minFrequency: least, pages, largestMinFrequency: largest };
}
