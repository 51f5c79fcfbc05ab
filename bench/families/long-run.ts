/** Pages fetched at even rates for ever: cost of copies, optimal rate at a price, and simple rules for shares. */
import type { Page } from './pages.ts';

/** Stale share: 1 − (1 − e^−λg)/(λg) with the gap g = 1/rate. */
export function costAt({ rate, weight }: Page, fetches: number): number {
  return weight * (fetches > 0 ? 1 + (Math.expm1(-rate / fetches) * fetches) / rate : 1);
}

/** Marginal saving of a fetch. */
function savingAt({ rate, weight }: Page, fetches: number): number {
  const changes = rate / fetches;
  return (weight / rate) * (1 - Math.exp(-changes) * (1 + changes));
}

/** The optimal fetch rate of a page at a price per fetch. */
export function rateAt(page: Page, price: number): number {
  const maxRate = Math.sqrt((page.weight * page.rate) / price);
  return page.weight / page.rate <= price
    ? 0
    : bisect(1e-12 * maxRate, maxRate, (rate) => savingAt(page, rate) > price);
}

export const totalOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export const costOfRates = (pages: readonly Page[], rates: ArrayLike<number>): number =>
  pages.reduce((sum, page, i) => sum + costAt(page, rates[i]), 0);

/** Simple rules for dividing a crawl budget among pages: unnormalised shares. */
export const shareRules: Readonly<Record<string, (page: Page) => number>> = {
  equal: () => 1,
  'in proportion to rates': ({ rate }) => rate,
  'square roots': ({ rate, weight }) => Math.sqrt(rate * weight),
};

/** Shares by each rule, as values that sum to 1. */
export function sharesBy(rule: (page: Page) => number, pages: readonly Page[]): number[] {
  const total = totalOf(pages.map(rule));
  return pages.map((page) => rule(page) / total);
}

/** Bisection: the value in [from, to] at which `tooLow` turns false. */
function bisect(from: number, to: number, tooLow: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    if (tooLow(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The smallest sufficient amount, by bisection. */
function minSufficient(isSufficient: (amount: number) => boolean): number {
  let high = 1;
  while (isSufficient(high) && high > 1e-9) high /= 2;
  while (!isSufficient(high)) high *= 2;
  return bisect(high / 2, high, (amount) => !isSufficient(amount));
}

/** @throws Error if the total cost is above the target */
export function requireTarget(limit: number, costs: readonly number[]): void {
  if (totalOf(costs) > limit * (1 + 1e-9)) throw new Error('the target is not kept');
}

/**
 * The smallest total with which a rule keeps a target.
 *
 * @param amounts the amount of each page by the total; increasing in it
 */
export const amountNeeded = (
  limit: number,
  costs: (amounts: readonly number[]) => readonly number[],
  amounts: (total: number) => readonly number[],
): number => totalOf(amounts(minSufficient((all) => totalOf(costs(amounts(all))) <= limit)));
