/**
 * What the rates' uncertainty does to the number of crawls, and the pages it hangs on.
 *
 * At the optimum the least crawls R move with a rate λ_i as θ·∂(w_i c_i(f_i; λ_i) − s*·scale_i)/∂λ_i at the fetches f_i
 * there are (envelope theorem), θ = 1/price. The ends of each rate's 95% interval are put in place of the rate; pages
 * are independent, so that the differences add by their squares. Source: the delta method.
 */
import { stalenessCost } from '../../pages/objectives/index.ts';
import { type AskedTarget, leftOf, type TargetMet } from '../../pages/targets/index.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import type { HangsOn } from './problem.ts';

const shown = 10;

/** Crawls in the plan's interval, from `crawls` as found. */
export function crawlsInterval(
  problem: CrawlPlanProblem,
  rates: Pick<PageRates, 'rate' | 'known' | 'intervals'>,
  met: TargetMet,
  target: AskedTarget,
): { readonly interval: readonly [number, number | null] | null; readonly hangsOn: readonly HangsOn[] } {
  const { weight, interval, objective = 'freshness' } = problem;
  const cost = stalenessCost(objective);
  const items = objective === 'delay';
  const ends = rates.intervals();
  let below = 0;
  let above = 0;
  const hangsOn: HangsOn[] = [];
  let estimated = false;
  for (let i = 0; i < weight.length; i++) {
    if (rates.known[i] === 1 || !(weight[i] > 0)) continue;
    estimated = true;
    const g = target.own?.of[i] ?? -1;
    const price = g >= 0 ? met.own[g].price : met.price;
    const { measure, value } = g >= 0 ? target.owns[g] : target;
    const mean = value === null ? 0 : leftOf(measure, value);
    if (!(price < Number.POSITIVE_INFINITY)) continue;
    const gap = 1 / met.crawls[i];
    const left = (rate: number): number => {
      if (gap === Number.POSITIVE_INFINITY) return items ? Number.POSITIVE_INFINITY : weight[i];
      if (rate === Number.POSITIVE_INFINITY && !items) return weight[i];
      const own = rate > 0 ? cost.integral(rate, gap) / gap : 0;
      return weight[i] * (own - (items ? mean * rate : 0));
    };
    const here = left(rates.rate[i]);
    const down = ((here - left(ends.low[i])) / price) * interval || 0;
    const up = ((left(ends.high[i]) - here) / price) * interval || 0;
    below += down * down;
    above += up * up;
    hangsOn.push({ page: i, crawls: Math.max(Math.abs(down), Math.abs(up)) });
  }
  if (!estimated) return { interval: null, hangsOn: [] };
  const crawls = met.total * interval;
  const high = crawls + Math.sqrt(above);
  return {
    interval: [Math.max(0, crawls - Math.sqrt(below)), Number.isFinite(high) ? high : null],
    hangsOn: hangsOn
      .filter(({ crawls: each }) => each > 0 && Number.isFinite(each))
      .sort((a, b) => b.crawls - a.crawls)
      .slice(0, shown),
  };
}
