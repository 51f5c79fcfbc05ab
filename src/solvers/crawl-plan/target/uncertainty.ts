/**
 * What the rates' uncertainty does to the number of crawls, and the pages it hangs on.
 *
 * At the optimum the least crawls R move with what a page leaves at its fetches f_i by 1/price (envelope theorem). The
 * ends of each rate's 95% interval are compared with what is believed. Pages are independent, so that these differences
 * add by their squares. What a prior of half a change gets wrong is common to all: what half a change more and less
 * would leave adds up. R has a long tail upwards, so ln R moves by both together, over R. Source: the delta method.
 */
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import { type AskedTarget, leftOf, type TargetMet } from '../../pages/targets/index.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import { agesOf } from '../problem.ts';
import { pagesByEvidence } from '../rates/pages-by-evidence.ts';
import { nearlyWhole } from './kept-target.ts';
import type { TargetedPages } from './needed-rate.ts';
import type { HangsOn, NeededCrawls } from './problem.ts';

const shown = 10;

/** Crawls in the plan's interval, from those found. */
export function crawlsInterval(
  { problem, model }: TargetedPages,
  rates: PageRates,
  met: TargetMet,
  target: AskedTarget,
): Pick<NeededCrawls, 'interval' | 'hangsOn'> {
  const { weight, interval, objective } = problem;
  const { rate, signalled } = rates;
  const [age, rest] = [agesOf(problem), { signalled, beliefs: null }];
  const { low, high } = rates.intervals();
  if (!low.some((least, i) => least < high[i] && weight[i] > 0)) return { interval: null, hangsOn: [] };
  // the time was up before they were found
  if (high.includes(Number.POSITIVE_INFINITY)) return { interval: [0, null], hangsOn: [] };
  // of a Gamma law a change is the variance over the mean
  const half = rate.map((mean, i) => ((high[i] - low[i]) / normal95) ** 2 / (8 * mean));
  const known = new Uint8Array(rate.length).fill(1);
  const at = (of: Float64Array, pages = pagesByEvidence(problem, { rate: of, known, ...rest }, age).now) => {
    return (i: number, mean: number): number => pages.longRunCost(i, 1 / met.crawls[i]) - mean * of[i];
  };
  const [believed, least, most] = [at(rate, model), at(low), at(high)];
  const [less, more] = [-1, 1].map((sign) => at(half.map((each, i) => Math.max(low[i], rate[i] + sign * each))));
  let [below, above, common] = [0, 0, 0];
  const hangsOn: HangsOn[] = [];
  for (let i = 0; i < rate.length; i++) {
    const g = target.own?.of[i] ?? -1;
    const price = g >= 0 ? met.own[g].price : met.price;
    const { measure, value } = g >= 0 ? target.owns[g] : target;
    const mean = objective === 'delay' && value !== null ? leftOf(measure, value) : 0;
    if (!(low[i] < high[i] && met.crawls[i] > 0 && price < Number.POSITIVE_INFINITY)) continue;
    const crawls = (weight[i] * interval) / price;
    const [down, up] = [believed(i, mean) - least(i, mean), most(i, mean) - believed(i, mean)];
    below += (crawls * down) ** 2;
    above += (crawls * up) ** 2;
    common += (crawls * (more(i, mean) - less(i, mean))) / 2;
    const moves = crawls * Math.max(Math.abs(down), Math.abs(up));
    if (!(moves > (hangsOn[shown - 1]?.crawls ?? 0))) continue;
    hangsOn.push({ page: i, crawls: moves });
    hangsOn.sort((a, b) => b.crawls - a.crawls).splice(shown);
  }
  const crawls = met.total * interval;
  const moved = (square: number): number => Math.hypot(Math.sqrt(square), common) / crawls || 0;
  // no fewer than are asked for: these are whole too
  const whole = (exact: number): number => Math.ceil(exact - nearlyWhole * Math.max(1, exact));
  const most95 = whole(crawls * Math.exp(moved(above)));
  return { interval: [whole(crawls * Math.exp(-moved(below))), Number.isFinite(most95) ? most95 : null], hangsOn };
}
