/**
 * From histories to what a plan works with: rates with their intervals, and the refresh model of each page.
 *
 * - maximum-likelihood: observations fade (weight e^{−age/365 days}), a gamma prior shared by all pages, the estimate
 *   then taken as known.
 * - drifting-rate: beliefs over a drifting rate (estimation/drifting-rate.ts); the rate said is the belief's mean and
 *   its interval the belief's quantiles.
 * A page whose rate is given has it, under both. Without any check of any page the prior's mean is the mean of the
 * given rates, or one change in 30 days: the order of what studies of the web have found (Cho & Garcia-Molina 2000).
 */
import type { Budget } from '../../budget.ts';
import { type Bursts, BurstyRate } from '../../estimation/changes/bursty-rate.ts';
import { ChangeLikelihood } from '../../estimation/changes/change-likelihood.ts';
import { pooledRate, solveChangeRates } from '../../estimation/changes/change-rates.ts';
import { type CheckHistory, changed, unchanged } from '../../estimation/changes/check-history.ts';
import { chooseBursts } from '../../estimation/changes/choose-bursts.ts';
import { doubtfulDriftModel, driftModel, withoutLongGaps } from '../../estimation/changes/drift-grid.ts';
import { DriftingRate, type RateModel } from '../../estimation/changes/drifting-rate.ts';
import { filterHistories, type RateBeliefs } from '../../estimation/changes/filter-histories.ts';
import { fitGammaPrior, type GammaPrior } from '../../estimation/changes/gamma-prior.ts';
import { stalenessCost } from '../../objectives/index.ts';
import type { CrawlPlanProblem } from '../model/plan-problem.ts';
import { AgeIndex } from './age-index.ts';
import type { PageBeliefs } from './beliefs.ts';
import { type DriftTerms, driftedModel } from './drifted-pages.ts';
import { inRhythm, rhythmKnowledge } from './page-rhythm.ts';
import { type Ageing, knownRates, type RefreshModel } from './refresh-model.ts';
import { hearingSiblings, siblingKnowledge } from './sibling-news.ts';
import { withSignals } from './with-signals.ts';
import { WorthCells } from './worth-cells.ts';

const day = 86_400;
const year = 365 * day;
const fadingTime = year;
const confidence = 0.95;
/** Per second: measured on a real change history, see bench/replay. */
const drift = { variance: 0.2 / year, redraw: 0.15 / year };
/** Of the first population, where doubts are explored. */
const doubt = 0.1;
/**
 * By how much ln P(all checks) must be above the usual population's for the plan to go by it: odds of a hundred, and
 * some five for what its own passes gain where there is no doubt to bear out.
 */
const enough = Math.log(1e4);
/** Passes over the pages to learn the population: doubt that nothing bears out is to vanish. */
const doubtfulPasses = 6;
const unheardOf = 1 / (30 * day);

/** @throws NothingToReturn when the budget ends first */
export function estimatePages(problem: CrawlPlanProblem, budget: Budget): PageBeliefs {
  if (problem.rhythm === undefined) return estimateSteady(problem, budget);
  const rhythm = rhythmKnowledge(problem, problem.rhythm, budget);
  const steady = estimateSteady(rhythm.problem, budget);
  if (rhythm.problem === problem) return { ...steady, rhythm };
  const { lastCrawl, now } = problem;
  return {
    ...steady,
    rhythm,
    initial: { ...steady.initial, bounds: undefined },
    drifted: null,
    working: () => inRhythm(steady.working(), rhythm.clocks, lastCrawl, now),
  };
}

/** Every page by rates that keep no hours. */
function estimateSteady(problem: CrawlPlanProblem, budget: Budget): PageBeliefs {
  const own = estimateAlone(problem, budget);
  if (problem.groups === undefined) return own;
  const siblings = siblingKnowledge(problem, problem.groups, { rate: own.rate, model: own.initial }, budget);
  return { ...own, siblings, working: () => hearingSiblings(own.working(), siblings.shift) };
}

/** Every page by what its own checks, and its signals, showed. */
function estimateAlone(problem: CrawlPlanProblem, budget: Budget): PageBeliefs {
  const { signals: evidence, history, changeRate, lastCrawl, now } = problem;
  const drifting = problem.estimator === 'drifting-rate';
  const counted = drifting ? withoutLongGaps(history, year) : history;
  const weak = weakPrior({ history: counted, changeRate });
  const prior = drifting ? weak : (fitGammaPrior(history, budget) ?? weak);
  const weights = drifting && evidence === undefined ? null : fadingWeights(history, lastCrawl, now);
  const plain =
    drifting || weights === null
      ? believeDrift(problem, counted, prior, budget)
      : estimateLikeliest(problem, prior, weights, budget);
  if (evidence === undefined || weights === null) return plain;
  return withSignals(problem, plain, { evidence, prior, weights, ageing: ageingOf(problem) }, budget);
}

/**
 * A gamma of shape 0.85 (what real pages show) about the pooled rate, the mean of the given ones, or one in 30 days.
 */
function weakPrior({ history, changeRate }: Pick<CrawlPlanProblem, 'history' | 'changeRate'>): GammaPrior {
  const given = changeRate.filter((rate) => !Number.isNaN(rate));
  let mean = unheardOf;
  if (history.elapsed.length > 0) mean = pooledRate(history, null);
  else if (given.length > 0) mean = given.reduce((sum, rate) => sum + rate, 0) / given.length;
  return { shape: 0.85, rate: 0.85 / mean };
}

/** e^{−age/365 days} of every check, ages counted back from the page's last fetch. */
export function fadingWeights({ offsets, elapsed }: CheckHistory, lastCrawl: Float64Array, now: number): Float64Array {
  const weights = new Float64Array(elapsed.length);
  for (let i = 0; i < lastCrawl.length; i++) {
    let age = Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]);
    for (let k = offsets[i + 1] - 1; k >= offsets[i]; k--) {
      weights[k] = Math.exp(-age / fadingTime);
      age += elapsed[k];
    }
  }
  return weights;
}

function estimateLikeliest(
  problem: CrawlPlanProblem,
  prior: GammaPrior,
  weights: Float64Array,
  budget: Budget,
): PageBeliefs {
  const { history, changeRate, weight, signals } = problem;
  // what is given, and what signals will tell
  const skip = Uint8Array.from(changeRate, (given, i) =>
    Number.isNaN(given) && Number.isNaN(signals?.precision[i] ?? Number.NaN) ? 0 : 1,
  );
  const { rate, low, high } = solveChangeRates(
    { history, method: 'maximum-likelihood', prior, confidence, weights, skip },
    budget,
  );
  for (let i = 0; i < rate.length; i++) {
    if (!Number.isNaN(changeRate[i])) rate[i] = low[i] = high[i] = changeRate[i];
  }
  const likelihood = new ChangeLikelihood();
  const once = (i: number, age: number, outcome: number): number => {
    likelihood.load(history, history.offsets[i], history.offsets[i + 1], weights, false);
    likelihood.addPrior(prior.shape, prior.rate);
    likelihood.addCheck(age, outcome);
    return likelihood.maximise(false, rate[i]);
  };
  const revised = (i: number, age: number): readonly [number, number] =>
    Number.isNaN(changeRate[i]) && age < Number.POSITIVE_INFINITY
      ? [once(i, age, unchanged), once(i, age, changed)]
      : [rate[i], rate[i]];
  const model = knownRates(rate, weight, revised, ageingOf(problem));
  return {
    rate,
    low,
    high,
    initial: model,
    drifted: null,
    working: () => model,
    uncertainty: null,
    siblings: null,
    bursts: null,
    rhythm: null,
  };
}

/** A page never fetched counts, where worth has no limit, as one last fetched an interval ago. */
function ageingOf({ objective = 'freshness', interval }: CrawlPlanProblem): Ageing {
  return {
    cost: stalenessCost(objective),
    unseenAge: objective === 'freshness' ? Number.POSITIVE_INFINITY : interval,
  };
}

/** @param counted the history without its oddly long gaps, of which `prior` is */
function believeDrift(
  problem: CrawlPlanProblem,
  counted: CheckHistory,
  prior: GammaPrior,
  budget: Budget,
): PageBeliefs {
  const { history, changeRate, weight, lastCrawl, now, interval } = problem;
  const mean = prior.shape / prior.rate;
  const plain = (): DriftingRate => driftModel(counted, mean, drift);
  const usual = filterHistories(history, plain(), budget);
  const doubtful = problem.exploration ? doubtfulBeliefs(problem, counted, mean, budget) : null;
  // doubts are what probes settle; the plan goes by them once the log bears them out
  const borneOut = doubtful !== null && doubtful.logLikelihood > usual.logLikelihood + enough;
  const bursts = problem.bursts ? burstsOf(history, mean, plain, budget) : null;
  const { model, beliefs } = bursts?.beliefs ?? (borneOut ? doubtful : usual);
  const ageing = ageingOf(problem);
  const oldest = oldestAge(lastCrawl, now) + interval;
  const index = indexOf(model, oldest, ageing);
  const { rate, low, high } = summarise({ model, beliefs }, lastCrawl, now);
  const given = changeRate.map((value) => (Number.isNaN(value) ? 0 : 1));
  const known = Uint8Array.from(given);
  for (let i = 0; i < rate.length; i++) if (known[i] === 1) rate[i] = low[i] = high[i] = changeRate[i];
  const rates: DriftTerms = { weight, rate, known, objective: ageing.cost.name, unseenAge: ageing.unseenAge };
  const cells = new WorthCells(index, beliefs, weight.length);
  const copy = new WorthCells(index, new Float64Array(beliefs.length), weight.length);
  const moving = driftedModel(model, copy, rates);
  const working = (): RefreshModel => {
    copy.become(cells);
    return moving;
  };
  const uncertainty =
    doubtful === null
      ? null
      : {
          model: doubtful.model,
          beliefs: doubtful.beliefs,
          index: model === doubtful.model ? index : indexOf(doubtful.model, oldest, ageing),
          weight,
          cost: ageing.cost,
          known,
        };
  return {
    rate,
    low,
    high,
    initial: driftedModel(model, cells, rates),
    drifted:
      model instanceof DriftingRate
        ? { model: model.parts, ages: agesOf(model, oldest), beliefs, position: cells.position, rates }
        : null,
    working,
    uncertainty,
    siblings: null,
    bursts: bursts?.choice ?? null,
    rhythm: null,
  };
}

/** The bursts that the log shows best, and, where they foretell it better than none, the beliefs by them. */
function burstsOf(history: CheckHistory, mean: number, plain: () => DriftingRate, budget: Budget) {
  const bursty = (bursts: Bursts): BurstyRate => new BurstyRate(plain(), bursts);
  const choice = chooseBursts(history, mean, { plain, bursty }, budget);
  return { choice, beliefs: choice.taken ? filterHistories(history, bursty(choice.bursts), budget) : null };
}

/** Beliefs that leave room for pages much faster than any that the checks told apart. */
function doubtfulBeliefs(problem: CrawlPlanProblem, counted: CheckHistory, mean: number, budget: Budget) {
  const { history, slotsByCrawler, interval } = problem;
  const slots = slotsByCrawler.reduce((sum, count) => sum + count, 0);
  const model = doubtfulDriftModel(counted, mean, drift, { fastest: (2 * slots) / interval, doubt });
  return filterHistories(history, model, budget, doubtfulPasses);
}

/** Of the copies there are, at now. */
function oldestAge(lastCrawl: Float64Array, now: number): number {
  return lastCrawl.reduce((oldest, last) => (Number.isNaN(last) ? oldest : Math.max(oldest, now - last)), 0);
}

/** Ages that an index is to reach from and to, where no copy grows older than `oldest`. */
function agesOf({ fastest, rates }: RateModel, oldest: number): [youngest: number, oldest: number] {
  return [0.02 / fastest, Math.max(50 / rates[0], 4 * oldest)];
}

function indexOf(model: RateModel, oldest: number, { cost }: Ageing): AgeIndex {
  return new AgeIndex(model, ...agesOf(model, oldest), cost);
}

/** Mean and 95% quantiles of each page's belief, as it has drifted to now; the upper is no less than the mean. */
function summarise({ model, beliefs }: Pick<RateBeliefs, 'model' | 'beliefs'>, lastCrawl: Float64Array, now: number) {
  const { rates, planes } = model;
  const size = model.size / planes;
  const pages = lastCrawl.length;
  const rate = new Float64Array(pages);
  const low = new Float64Array(pages);
  const high = new Float64Array(pages);
  const belief = new Float64Array(model.size);
  for (let i = 0; i < pages; i++) {
    const age = Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]);
    model.predict(beliefs, i * model.size, age, belief, 0);
    if (planes === 2) for (let g = 0; g < size; g++) belief[g] += belief[size + g];
    let mean = 0;
    let below = 0;
    for (let g = 0; g < size; g++) {
      mean += belief[g] * rates[g];
      const upTo = below + belief[g];
      // mass of a grid point spread evenly, in ln λ, over half a step on either side
      if (below < 0.5 * (1 - confidence) && upTo >= 0.5 * (1 - confidence)) {
        low[i] = rates[g] * Math.SQRT2 ** ((0.5 * (1 - confidence) - below) / belief[g] - 0.5);
      }
      if (below < 0.5 * (1 + confidence) && upTo >= 0.5 * (1 + confidence)) {
        high[i] = rates[g] * Math.SQRT2 ** ((0.5 * (1 + confidence) - below) / belief[g] - 0.5);
      }
      below = upTo;
    }
    rate[i] = mean;
    if (high[i] === 0) high[i] = rates[size - 1] * Math.SQRT2;
    // a few much faster rates, each unlikely, may have a mean above the quantile
    high[i] = Math.max(high[i], mean);
  }
  return { rate, low, high };
}
