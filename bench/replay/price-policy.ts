/**
 * A crawler without plans: every page has a belief and is fetched once a fetch is worth the price; feedback adjusts the
 * price. The first price is that at which a new page is fetched at the target mean interval.
 */
import {
  afterCheck,
  believedRate,
  dueAge,
  newBelief,
  nextPrice,
  type PageBelief,
  type RatePrior,
  worthOfFetch,
} from '../../src/solvers/price-policy/index.ts';
import { day, gridStep, type Policy } from './replay.ts';

interface ByPriceOptions {
  /** Fetches a page and day. */
  readonly crawlRate: number;
}

/** Time between two fits of the prior's mean to the beliefs, s. */
const refitPause = 7 * day;

export function pricePolicy(pages: number, start: number, options: ByPriceOptions): Policy {
  let prior: RatePrior = { meanRate: options.crawlRate / day };
  const beliefs: PageBelief[] = Array.from({ length: pages }, () => newBelief(prior));
  const last = new Float64Array(pages).fill(start);
  const due = new Float64Array(pages);
  const targetPerSecond = (pages * options.crawlRate) / day;
  let price = worthOfFetch(newBelief(prior), 1, day / options.crawlRate);
  const setDue = (i: number): void => {
    due[i] = last[i] + dueAge(beliefs[i], 1, price);
  };
  for (let i = 0; i < pages; i++) setDue(i);
  let fetchCount = 0;
  let surplus = 0;
  const window = (0.5 * day) / options.crawlRate;
  let windowEnd = start + window;
  let nextFit = start + refitPause;
  return {
    observe: (page, time, elapsed, changed) => {
      beliefs[page] = afterCheck(beliefs[page], { elapsed, changed }, prior);
      last[page] = time;
      fetchCount++;
      setDue(page);
    },
    choose: (time) => {
      if (time >= nextFit) {
        nextFit = time + refitPause;
        const mean = beliefs.reduce((sum, belief) => sum + believedRate(belief), 0) / pages;
        prior = { meanRate: Math.sqrt(prior.meanRate * mean) };
      }
      if (time >= windowEnd) {
        const targetCount = targetPerSecond * window;
        price = nextPrice({ price, seen: fetchCount, wanted: targetCount, pages, ahead: surplus });
        surplus += fetchCount - targetCount;
        fetchCount = 0;
        windowEnd += window;
        for (let i = 0; i < pages; i++) setDue(i);
      }
      const duePages: number[] = [];
      for (let i = 0; i < pages; i++) if (due[i] <= time + gridStep / 2) duePages.push(i);
      return duePages;
    },
  };
}
