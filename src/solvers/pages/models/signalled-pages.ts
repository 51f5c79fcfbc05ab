/**
 * Pages with signals of their changes, their rates taken as known: worth by the level of the belief
 * (signals/signal-cycle.ts).
 *
 * With n signals since the fetch the level of a copy of age a is now δλa + jn. The plan does not know signals that come
 * after now, so the probability that the copy is fresh falls as e^{−λt} from now on: within the plan the level rises at
 * rate λ, and the worth of a fetch is the index at that level. In the steady state signals are seen as they come, and
 * the fetch interval at a price is the mean length of a cycle. Plans that are made often are therefore better than
 * their figures, which count on no further signal.
 */
import { infiniteTime, isNever } from '../never.ts';
import { freshness, type StalenessCost, staleTime } from '../objectives/index.ts';
import {
  cycleLength,
  levelCost,
  type SignalledHistory,
  type SignalMotion,
  type SignalQuality,
  SignalTable,
  signalMotion,
} from '../signals/index.ts';
import type { PageModel } from './page-model.ts';
import type { PlainTerms } from './unsignalled-pages.ts';

/** Lists by page; entries of pages without signals are not read. */
interface SignalledPages {
  readonly rate: Float64Array;
  readonly weight: Float64Array;
  /** Age of the copy at the start; Infinity for a page never fetched. */
  readonly age: Float64Array;
  /** Signals since the last fetch, and the share of them that are right. */
  readonly signals: Float64Array;
  readonly precision: Float64Array;
  /** The rate after one more check at an age, by its outcome. */
  readonly revisedRate: (page: number, age: number) => readonly [ifUnchanged: number, ifChanged: number];
}

/**
 * Creates models of the pages with signals, each with its own record of fetches. Pages without signals must not be
 * asked for.
 *
 * @param age of each copy at the start; Infinity for a page never fetched
 */
export function pagesWithSignals(
  history: SignalledHistory,
  rate: Float64Array,
  age: Float64Array,
  { weight, objective, unseenAge }: PlainTerms,
): () => PageModel {
  const tables = new SignalTables(objective.name);
  const table = Array.from(rate, (_, i) => (history.has(i) ? tables.of(history.quality(i)) : undefined));
  const revisedRate = (i: number, copyAge: number) => history.revisedRate(i, copyAge, rate[i]);
  const { sinceFetch: signals, precision } = history.signals;
  const pages: SignalledPages = { rate, weight, age, signals, precision, revisedRate };
  return () => modelOf(pages, table, objective, unseenAge);
}

/** One table for each pair of precision and recall. */
class SignalTables {
  readonly #tables = new Map<string, SignalTable>();
  readonly #objective: SignalMotion['objective'];

  constructor(objective: SignalMotion['objective']) {
    this.#objective = objective;
  }

  of(quality: SignalQuality): SignalTable {
    const key = `${quality.precision} ${quality.recall}`;
    const storedTable = this.#tables.get(key);
    if (storedTable !== undefined) return storedTable;
    const table = new SignalTable(signalMotion(quality, this.#objective));
    this.#tables.set(key, table);
    return table;
  }
}

/** @param table by page; undefined for a page without signals */
function modelOf(
  pages: SignalledPages,
  table: readonly (SignalTable | undefined)[],
  cost: StalenessCost,
  unseenAge: number,
): PageModel {
  const { rate, weight, age, signals, precision } = pages;
  const isFetched = new Uint8Array(rate.length);
  const tableOf = (i: number): SignalTable => {
    const own = table[i];
    if (own === undefined) throw new TypeError(`page ${i} has no signals`);
    return own;
  };
  const level = (i: number, copyAge: number): number =>
    isFetched[i] === 1 || isNever(age[i])
      ? rate[i] * copyAge
      : levelNow(tableOf(i).motion, rate[i] * age[i], signals[i]) + rate[i] * (copyAge - age[i]);
  const scale = (i: number): number => weight[i] / rate[i];
  const worth = (i: number, copyAge: number): number => scale(i) * tableOf(i).worth(level(i, copyAge));
  const levelAt = (i: number, price: number): number =>
    weight[i] > 0 ? tableOf(i).levelFor(price / scale(i)) : Number.POSITIVE_INFINITY;
  const meanInterval = (i: number, changeRate: number, price: number, longest: number): number => {
    if (!(weight[i] > 0)) return infiniteTime;
    const own = tableOf(i);
    const theta = own.levelFor((price * changeRate) / weight[i]);
    if (theta === Number.POSITIVE_INFINITY) return theta;
    // without a signal the level reaches theta at theta/drift; if that is after the longest interval, the cycle is cut
    const isCut = theta / own.motion.drift > changeRate * longest;
    return (isCut ? cycleLength(own.motion, theta, changeRate * longest) : own.length(theta)) / changeRate;
  };
  const stale = (i: number, from: number, to: number): number => {
    if (!(from >= age[i]) || isFetched[i] === 1) return staleTime(rate[i], to) - staleTime(rate[i], from);
    // under any objective a single correct signal makes the copy stale
    const motion = { drift: tableOf(i).motion.drift, jump: -Math.log1p(-precision[i]) };
    const fresh = Math.exp(-levelNow(motion, rate[i] * age[i], signals[i]) - rate[i] * (from - age[i]));
    return (1 - fresh) * (to - from) + fresh * staleTime(rate[i], to - from);
  };
  // the cost of a page without signals whose copy has the age that corresponds to the level
  const costTime = (i: number, from: number, to: number): number => {
    // an age below that of the copy at the start belongs to the copy of a later fetch
    const isLater = from < age[i] && !isNever(age[i]) && isFetched[i] === 0;
    const copyAge = isLater ? from : level(i, from) / rate[i];
    return cost.cost(rate[i], copyAge) * (to - from) + cost.excessCost(rate[i], copyAge, to - from);
  };
  return {
    pages: rate.length,
    worth: (i, copyAge) => worth(i, isNever(copyAge) ? unseenAge : copyAge),
    ceiling: (i, copyAge) =>
      weight[i] > 0 ? scale(i) * tableOf(i).worth(highestLevel(tableOf(i).motion, rate[i] * copyAge)) : 0,
    intervalAt: (i, price, longest = Number.POSITIVE_INFINITY) => meanInterval(i, rate[i], price, longest),
    ageAt: (i, price) => {
      const theta = levelAt(i, price);
      if (isFetched[i] === 1 || isNever(age[i])) return theta / rate[i];
      return Math.max(0, age[i] + (theta - level(i, age[i])) / rate[i]);
    },
    staleTime: stale,
    costTime: cost === freshness ? null : costTime,
    recordFetch: (i) => {
      isFetched[i] = 1;
    },
    intervalAfter: (i, copyAge, price) => {
      const [ifUnchanged, ifChanged] = pages.revisedRate(i, copyAge);
      const mean = (changeRate: number): number => meanInterval(i, changeRate, price, Number.POSITIVE_INFINITY);
      return [mean(ifUnchanged), mean(ifChanged)];
    },
    longRunCost: (i, gap) => {
      const theta = tableOf(i).levelOfLength(rate[i] * gap);
      if (theta === Number.POSITIVE_INFINITY) return 1;
      return levelCost(tableOf(i).motion, theta) - tableOf(i).worth(theta) / tableOf(i).length(theta);
    },
    // no rule that sees every signal costs less than w·c(θ) a second, fetches at the price of θ included
    minCostRate: (i, price) => {
      const theta = levelAt(i, price);
      if (theta === Number.POSITIVE_INFINITY) return cost === freshness ? weight[i] : 0;
      return weight[i] * levelCost(tableOf(i).motion, theta);
    },
  };
}

/** The level of a copy. @param changes its age in expected changes, λ·age */
function levelNow({ drift, jump }: Pick<SignalMotion, 'drift' | 'jump'>, changes: number, signals: number): number {
  return drift * changes + (signals > 0 ? jump * signals : 0);
}

/** A level that a copy of this age, in expected changes, practically never exceeds. */
function highestLevel({ signals, jump, objective }: SignalMotion, changes: number): number {
  if (objective === 'freshness' || changes === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const expectedSignals = signals * changes;
  return changes + jump * (expectedSignals + 10 * Math.sqrt(expectedSignals) + 20);
}
