/** Explains in words when a plan fetches a page: its rate, its value, the binding limits, and the next fetch. */
import { countText, duration, figure, frequencyText, inTheNext, share } from './numbers.ts';

/** A page of an answer in rows; missing fields are left out of the text. */
export interface ExplainedPage {
  readonly id?: string | undefined;
  readonly changeRate: number;
  readonly changeRateInterval?: readonly [low: number, high: number | null] | undefined;
  readonly crawls: number;
  readonly fetchInterval: number | null;
  readonly intervalIfUnchanged?: number | null | undefined;
  readonly intervalIfChanged?: number | null | undefined;
  readonly nextFetch: number | null;
  readonly staleness: number;
}

/** The page's and the plan's fields in the request. */
interface ExplainedPlan {
  readonly now: number;
  readonly interval: number;
  readonly shadowPrice: number;
  readonly objective?: string | undefined;
  readonly weight?: number | undefined;
  readonly minInterval?: number | undefined;
  readonly maxInterval?: number | undefined;
  readonly evenShare?: number | undefined;
}

const isNear = (a: number, b: number | undefined): boolean => b !== undefined && Math.abs(a - b) <= 1e-6 * b;

/** The explanation: four to six sentences. */
export function explainPage(page: ExplainedPage, plan: ExplainedPlan): string {
  const [low, high] = page.changeRateInterval ?? [Number.NaN, Number.NaN];
  const rangeText =
    low >= 0 ? ` (between ${frequencyText(low)} and ${high === null ? 'any rate' : frequencyText(high)})` : '';
  const rate = `It changes ${frequencyText(page.changeRate)}${rangeText}.`;
  return [rate, worthText(page, plan), bindingText(page, plan), nextFetchText(page, plan), intervalsText(page)]
    .filter((each) => each !== '')
    .join(' ');
}

/** The fresh time gained by one fetch at the page's interval, compared with the price of a fetch. */
function worthText(
  { changeRate, fetchInterval }: ExplainedPage,
  { objective = 'freshness', weight = 1, shadowPrice, interval }: ExplainedPlan,
): string {
  const price = `the price of a fetch is ${figure(shadowPrice, 3)}`;
  if (objective !== 'freshness') return `Its weight is ${figure(weight)}; ${price} of ${objective}.`;
  const fresh = (weight / (changeRate * interval)) * (fetchInterval === null ? 1 : gainAt(changeRate * fetchInterval));
  return `With weight ${figure(weight)}, one more fetch of it is worth ${figure(fresh, 3)}; ${price}, in weight × share of the interval.`;
}

/** 1 − (1 + x)e^(−x): the gain of one more fetch after x expected changes, as a fraction of 1/λ. */
const gainAt = (x: number): number => -Math.expm1(-x) - x * Math.exp(-x);

function bindingText(
  { fetchInterval }: ExplainedPage,
  { minInterval, maxInterval, evenShare = 0.05 }: ExplainedPlan,
): string {
  if (fetchInterval === null) {
    const evenShareText = evenShare > 0 ? ' The even share alone brings it one now and then.' : '';
    return `No fetch of it is worth that price: it changes too often, or counts too little.${evenShareText}`;
  }
  const intervalText = `In the long run it is fetched every ${duration(fetchInterval)}`;
  if (isNear(fetchInterval, maxInterval)) return `${intervalText}: maxInterval binds.`;
  return isNear(fetchInterval, minInterval)
    ? `${intervalText}: minInterval binds.`
    : `${intervalText}: the price binds.`;
}

function nextFetchText({ crawls, nextFetch, staleness }: ExplainedPage, { now, interval }: ExplainedPlan): string {
  const stale = `its copy is stale ${share(staleness)} of the time`;
  const nextFetchTime =
    nextFetch === null ? 'It is not fetched again' : `It is fetched next ${inTime(nextFetch - now)}`;
  return `${nextFetchTime}: ${countText(crawls, 'fetch', 'fetches')} ${inTheNext(interval)}, and ${stale}.`;
}

const inTime = (seconds: number): string => (seconds < 1 ? 'at once' : `in ${duration(seconds)}`);

function intervalsText({ fetchInterval, intervalIfUnchanged, intervalIfChanged }: ExplainedPage): string {
  if (fetchInterval === null || intervalIfUnchanged === undefined || intervalIfChanged === undefined) return '';
  const waitText = (wait: number | null): string =>
    wait === null ? 'never (no later fetch is then worth its price)' : `in ${duration(wait)}`;
  return `After that fetch it comes again ${waitText(intervalIfUnchanged)} if it was unchanged, ${waitText(intervalIfChanged)} if it had changed.`;
}
