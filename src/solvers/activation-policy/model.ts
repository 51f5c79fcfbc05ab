/**
 * The controlled queue of Liu & Nain (2006), section 1.2.2, on its reduced chain.
 *
 * Model: N crawlers, r of them active, each bring pages at rate λ to one exponential server of rate μ. It has room for
 * K pages (the one in service included). A page's arrival deactivates its crawler, which may be reactivated at once; at
 * a departure one more crawler may be activated. State (q, r): queue length and active crawlers after the decision. The
 * state (0, 0) is excluded: the departure that empties the queue with no crawler active always activates one.
 *
 * Cost per unit time: γ·1(q = 0) + ℓ·λr·1(q = K) + w·r   (starvation, lost pages, running cost of a crawler).
 *
 * A policy is one curve R[0..K]. Let q be the queue length after the event and b the active crawlers before the
 * decision (arrival: r − 1, departure: r). Activate iff b < R[q]. The paper's f_0 and f_1 are shifts of R.
 *
 * Source: Z. Liu and P. Nain, "Optimization issues in web search engines" (2006), section 1.2.2, equations
 * (1.13)-(1.19). The reduced chain has the same average cost as the paper's uniformised (q, r, s) model.
 */
import type { Poll } from '../budget.ts';
import { bestStaticCount as bestCount } from '../crawler-count/index.ts';
import { isNonIncreasing } from '../queue/queue.ts';

/** The queue, its crawlers and what they cost. */
export interface ActivationModel {
  /** λ: pages per unit time brought by one active crawler. */
  readonly crawlerRate: number;
  /** μ: pages indexed per unit time. */
  readonly indexingRate: number;
  /** K ≥ 1: pages the indexing queue can hold, the one in service included. */
  readonly capacity: number;
  /** N ≥ 1: crawlers that may be active. */
  readonly crawlers: number;
  readonly weights: AverageWeights;
}

/** Prices of the long-run averages. */
export interface AverageWeights {
  /** γ: per unit time of an empty queue. */
  readonly starvation: number;
  /** ℓ: per lost page. */
  readonly loss: number;
  /** w: per unit time of one active crawler. */
  readonly crawler: number;
  /** Per unit time of one page in the queue: the price of a limit on the mean queue, else 0. */
  readonly queue: number;
}

/** A model whose number of crawlers is open. */
export type ModelWithoutCrawlerCount = Omit<ActivationModel, 'crawlers'>;

/** The weighted sum of the averages, in cost per unit time. */
export function weightedSum(weights: AverageWeights, averages: Averages): number {
  const { starvationProbability, lossRate, meanActive, meanQueueLength } = averages;
  const pages = weights.starvation * starvationProbability + weights.loss * lossRate;
  return pages + weights.crawler * meanActive + weights.queue * meanQueueLength;
}

/**
 * R[0..K], non-increasing: activate iff (active crawlers before the decision) < R[queue length after the event]; R[0] ≥ 1.
 * Such a policy has one recurrent class.
 */
export type SwitchingCurve = Int32Array;

/** Long-run averages of a policy. */
export interface Averages {
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanActive: number;
  readonly meanQueueLength: number;
}

/** One recurrent class: its averages, its cost by the weights of the model, and the range of active crawlers in it. */
export interface ClassMeasures extends Averages {
  readonly cost: number;
  readonly minActive: number;
  readonly maxActive: number;
}

/**
 * Policy improvement for relative values h(q, r) at r·(K + 1) + q: every target R[q] walks from where it is, up while one
 * more crawler active lowers the value, else down while it raises it. The curve stays non-increasing.
 *
 * @returns whether any target changed
 */
export function improveCurve(
  { capacity: K, crawlers: N }: ActivationModel,
  values: Float64Array,
  targets: SwitchingCurve,
): boolean {
  const n = K + 1;
  let hasChanged = false;
  for (let q = 0; q <= K; q++) {
    const previousTarget = targets[q];
    const minTarget = q === 0 ? 1 : 0;
    let target = previousTarget;
    while (target < N && values[(target + 1) * n + q] < values[target * n + q]) target++;
    if (target === previousTarget) {
      while (target > minTarget && values[(target - 1) * n + q] < values[target * n + q]) target--;
    }
    if (q > 0) target = Math.min(target, targets[q - 1]);
    targets[q] = target;
    if (target !== previousTarget) hasChanged = true;
  }
  return hasChanged;
}

/** Relative rounding error of a state's equation at most: 12 roundings are more than it has terms. */
const roundings = 12 * 2 ** -53;
/** Allowance of a state as a share of the size of its terms: more than their rounding and the shift it causes in h. */
const allowanceFactor = 128 * 2 ** -53;

/**
 * The lower bound that relative values h(q, r) at r·(K + 1) + q prove on the cost of every policy: the minimum over
 * states and decisions of cost + Σ rate·(h(to) − h(from)) (Odoni 1969), less what rounding can have added. O(N·K).
 *
 * @param allowance filled for each state s with a multiple of the magnitudes of its terms and of its rates times |h(s)|
 */
export function lowerBound(
  { capacity: K, crawlers: N, crawlerRate, indexingRate, weights }: ActivationModel,
  h: Float64Array,
  poll: Poll,
  allowance?: Float64Array,
): number {
  const n = K + 1;
  let bound = Number.POSITIVE_INFINITY;
  for (let r = 0; r <= N; r++) {
    poll(30 * n);
    // State (0, 0) does not exist.
    for (let q = r === 0 ? 1 : 0; q <= K; q++) {
      const s = r * n + q;
      const next = q === K ? s : s + 1;
      const arrivals = crawlerRate * r;
      const departures = q === 0 ? 0 : indexingRate;
      let costs = weights.crawler * r + weights.queue * q;
      if (q === 0) costs += weights.starvation;
      if (q === K) costs += weights.loss * arrivals;
      const arrivalFlow = r === 0 ? 0 : arrivals * (Math.min(h[next], h[next - n]) - h[s]);
      // The departure that would leave nothing queued and no crawler active must activate one.
      const afterDeparture = r === N ? h[s - 1] : s === 1 ? h[n] : Math.min(h[s - 1], h[s - 1 + n]);
      const departureFlow = q === 0 ? 0 : departures * (afterDeparture - h[s]);
      const size = costs + Math.abs(arrivalFlow) + Math.abs(departureFlow);
      bound = Math.min(bound, costs + arrivalFlow + departureFlow - roundings * size);
      if (allowance) allowance[s] = allowanceFactor * (size + (arrivals + departures) * Math.abs(h[s]));
    }
  }
  return bound;
}

/** c_r = #{q : R[q] > r} for r = 0..N: with a non-increasing curve, R[q] > r iff q < c_r. O(K + N). */
export function rowWidths(curve: SwitchingCurve, crawlers: number): Int32Array {
  const widths = new Int32Array(crawlers + 1);
  let width = curve.length;
  for (let r = 0; r <= crawlers; r++) {
    while (width > 0 && curve[width - 1] <= r) width--;
    widths[r] = width;
  }
  return widths;
}

/**
 * The largest r in the recurrent class of a non-increasing curve: min(R[0], R[1] + 1). A row r with R[1] < r ≤ R[0] can
 * only be entered at q = 0, from where the next arrival leaves it downwards. Below it the class reaches every row.
 */
export function largestRecurrentRow(curve: SwitchingCurve): number {
  return Math.min(curve[0], curve[1] + 1);
}

/** A static count and its cost. */
export interface StaticBaseline {
  readonly crawlers: number;
  readonly cost: number;
}

/** The best static count of at most `maxCount` crawlers (at least 1), and its cost; the queue's length costs nothing. */
export function bestStaticCount(model: ModelWithoutCrawlerCount, maxCount = Number.MAX_SAFE_INTEGER): StaticBaseline {
  const { crawlerRate, indexingRate, capacity, weights } = model;
  const service = { type: 'exponential', rate: indexingRate } as const;
  const { crawlers, cost } = bestCount({ crawlerRate, service, capacity, costs: weights }, maxCount);
  return { crawlers, cost };
}

/** The switching curves f_0 and f_1 of the paper: two shifts of the targets R. */
export interface SwitchingCurves {
  /** Whether R never rises with the queue length; then both curves never rise with the active crawlers either. */
  readonly monotone: boolean;
  /**
   * For r = 0..N active crawlers: the longest queue at which an arrival reactivates its crawler; −1 where none does,
   * null at r = 0, where no page can arrive. An arrival at q = K leaves q = K.
   */
  readonly afterArrival: (number | null)[];
  /** For r = 0..N: the longest queue at which a departure activates a crawler; −1 where none does, as at r = N. */
  readonly afterDeparture: number[];
}

/** The curves of R[0..K] for `crawlers` crawlers. O(K + N). */
export function switchingCurves(targets: ArrayLike<number>, crawlers: number): SwitchingCurves {
  const K = targets.length - 1;
  // Allocated at full length: growing arrays for many crawlers would take longer than filling them.
  const afterArrival = new Array<number | null>(crawlers + 1).fill(null);
  const afterDeparture = new Array<number>(crawlers + 1).fill(-1);
  // Here q is the longest queue after an event at which a crawler is activated; it never rises with r.
  for (let r = 1, q = K; r <= crawlers; r++) {
    // An arrival at q leaves min(q + 1, K) pages and r − 1 active crawlers: q = K and q = K − 1 share a decision.
    while (q >= 1 && targets[q] <= r - 1) q--;
    afterArrival[r] = q === K ? K : q === 0 ? -1 : q - 1;
  }
  for (let r = 0, q = K - 1; r < crawlers; r++) {
    while (q >= 0 && targets[q] <= r) q--;
    if (q >= 0) afterDeparture[r] = q + 1;
  }
  return { monotone: isNonIncreasing(targets), afterArrival, afterDeparture };
}
