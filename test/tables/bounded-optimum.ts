import type { Page } from '../solvers/crawl-price/tables-of-pages.ts';

/** Of y changes between two crawls: what one more crawl is worth, and what they cost. */
const objectives = {
  freshness: [(y: number) => 1 - (1 + y) * Math.exp(-y), (y: number) => 1 + Math.expm1(-y) / y],
  delay: [(y: number) => (y * y) / 2, (y: number) => y / 2],
  harmonic: [(y: number) => (y * y) / (1 + y), (y: number) => Math.log1p(y)],
} as const;

interface BoundedPlan {
  readonly objective: keyof typeof objectives;
  readonly min: number;
  readonly max: number;
  readonly rate: number;
}

/**
 * What the best plan with intervals within bounds costs, by two plain bisections: of the price, and of each page's y at
 * it.
 */
export function boundedOptimum(pages: readonly Page[], { objective, min, max, rate }: BoundedPlan): number {
  const [index, cost] = objectives[objective];
  const at = (price: number) => {
    const sums = { spent: 0, cost: 0 };
    for (const { changeRate, ratio } of pages) {
      let [low, high] = [changeRate * min, changeRate * max];
      for (let step = 0; step < 42; step++) {
        const middle = (low + high) / 2;
        if (ratio * index(middle) < price) low = middle;
        else high = middle;
      }
      sums.spent += changeRate / low;
      sums.cost += changeRate * ratio * cost(low);
    }
    return sums;
  };
  let [low, high] = [-40, 40];
  for (let step = 0; step < 46; step++) {
    const middle = (low + high) / 2;
    if (at(Math.exp(middle)).spent > rate) low = middle;
    else high = middle;
  }
  return at(Math.exp(high)).cost;
}
