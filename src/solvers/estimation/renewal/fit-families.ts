/**
 * The families fitted to checks, each at its best shape, and what each predicted of checks it had not seen.
 *
 * The shape and its 95% interval: shape-posterior.ts. Ranked by AIC = 2·parameters − 2ℓ. The last fifth of every page's
 * checks is held out: every page's mean is fitted again to the rest, at the shape found.
 */
import { type Budget, NothingToReturn, type Poll, pollOf, unlessStopped } from '../../budget.ts';
import { type CheckHistory, pageCount, unchanged } from '../changes/check-history.ts';
import { type CheckRuns, checkRuns } from './check-runs.ts';
import { type LawFamily, lawFamilies } from './law-families.ts';
import { PooledFit } from './pooled-fit.ts';
import { shapePosterior } from './shape-posterior.ts';

const heldOutShare = 0.2;
/** Centre, slope and variance. */
const populationParameters = 3;

export interface FamilyFit {
  readonly family: LawFamily;
  readonly x: number;
  /** 95%; null for a family without a shape, and where nothing is known. */
  readonly interval: readonly [number, number] | null;
  readonly logLikelihood: number;
  readonly aic: number;
  /** ln P(the checks held out), a check. */
  readonly heldOut: number;
}

/** Fits to the checks of `pages`; the families left out for lack of time are counted. */
export function fitFamilies(
  history: CheckHistory,
  pages: Uint32Array,
  budget: Budget,
  families: readonly LawFamily[] = lawFamilies,
): { fits: FamilyFit[]; left: number } {
  const all = checkRuns(history, pages, 0);
  const kept = checkRuns(history, pages, heldOutShare);
  let held = 0;
  for (const page of pages) held += Math.ceil(heldOutShare * (history.offsets[page + 1] - history.offsets[page]));
  const theta = roughMeans(history, pages);
  const poll = pollOf(budget, 'a law was not yet fitted');
  const fits: FamilyFit[] = [];
  for (const [tried, family] of families.entries()) {
    const fit = budget.stopRequested()
      ? null
      : unlessStopped(null, () => fitOf(family, { all, kept, held, theta, poll }));
    if (fit === null) {
      if (tried === 0) throw new NothingToReturn('stopped before the first law was fitted');
      return { fits: fits.sort(byAic), left: families.length - tried };
    }
    fits.push(fit);
    budget.report({ fraction: fits.length / families.length });
  }
  return { fits: fits.sort(byAic), left: 0 };
}

/** What a family is fitted to. */
interface FittedChecks {
  readonly all: CheckRuns;
  /** Without the checks held out, of which there are `held`. */
  readonly kept: CheckRuns;
  readonly held: number;
  /** ln of a first guess at each page's mean gap. */
  readonly theta: Float64Array;
  readonly poll: Poll;
}

function fitOf(family: LawFamily, { all, kept, held, theta, poll }: FittedChecks): FamilyFit {
  const pool = new PooledFit(all, theta, poll);
  const { x, logLikelihood, interval } = bestShape(pool, family);
  const parameters = populationParameters + (family.lowest < family.highest ? 1 : 0);
  const trained = new PooledFit(kept, pool.theta, poll);
  trained.logLikelihood(family, x);
  const heldOut = (trained.atMeans(family, x, all) - trained.atMeans(family, x, kept)) / held;
  return { family, x, interval, logLikelihood, aic: 2 * parameters - 2 * logLikelihood, heldOut };
}

const byAic = (a: FamilyFit, b: FamilyFit): number => a.aic - b.aic;

function bestShape(pool: PooledFit, family: LawFamily) {
  if (family.lowest === family.highest) return { x: 0, logLikelihood: pool.logLikelihood(family, 0), interval: null };
  const { x, logLikelihood, interval } = shapePosterior(family, (at) => pool.logLikelihood(family, at));
  const ends: FamilyFit['interval'] = interval === null ? null : [family.shape(interval[0]), family.shape(interval[1])];
  return { x, logLikelihood, interval: ends };
}

/** ln of a first guess at each page's mean gap: time watched over changes seen, as if one more half. */
export function roughMeans(history: CheckHistory, pages: Uint32Array): Float64Array {
  return Float64Array.from(pages, (page) => {
    let watched = 0;
    let changes = 0;
    for (let k = history.offsets[page]; k < history.offsets[page + 1]; k++) {
      watched += history.elapsed[k];
      if (history.outcome[k] !== unchanged) changes++;
    }
    return Math.log(watched / (changes + 0.5));
  });
}

/** Pages with at least two checks, evenly spread over the list, with at most so many changes seen between them. */
export function samplePages(history: CheckHistory, mostChanges: number): Uint32Array {
  const usable: number[] = [];
  let changes = 0;
  for (let i = 0; i < pageCount(history); i++) {
    if (history.offsets[i + 1] - history.offsets[i] >= 2) usable.push(i);
  }
  for (const outcome of history.outcome) if (outcome !== unchanged) changes++;
  const stride = Math.max(1, changes / mostChanges, usable.length / mostChanges);
  const sample: number[] = [];
  for (let s = 0; Math.floor(s * stride) < usable.length; s++) sample.push(usable[Math.floor(s * stride)]);
  return Uint32Array.from(sample);
}
