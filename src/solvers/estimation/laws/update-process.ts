/**
 * Which law the gaps between a page's updates follow.
 *
 * Model: independent gaps x_1..x_n, and perhaps one still open, longer than c (right censored): its factor is P(X > c).
 * Method: maximum likelihood of five laws, each from sums over the gaps or a search in one or two logarithms:
 * - exponential: λ = n/(Σx + c); - Weibull: root in the shape, scale in closed form;
 * - Lomax: shape in closed form, golden section over the scale (left out where it runs off to the exponential);
 * - gamma and lognormal: closed form or nested golden sections on sums that do not depend on the parameters.
 * Ranked by AIC = 2·parameters − 2ℓ; goodness of fit by Kolmogorov–Smirnov (greatest distance between the law and the
 * complete gaps) and Anderson–Darling.
 * Stopping rule: 1e−9 in the logarithm of a parameter. Complexity: O(n log n + 100 n).
 * Source: Wolf et al. 2002, section 4; Lawless 2003, chapters 4 and 5. Limits: with parameters fitted to the same gaps
 * the usual tables of both tests are too lenient. A gap of 0 must be left out before.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { createLaw, type Distribution } from '../../laws/index.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { normalDistribution } from '../../numerics/special/error-function.ts';
import { logGamma } from '../../numerics/special/gamma-function.ts';
import { upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { UpdateProcessProblem } from '../problem.ts';

export interface UpdateCandidate {
  readonly distribution: Distribution;
  readonly logLikelihood: number;
  readonly aic: number;
  /** Kolmogorov–Smirnov distance. */
  readonly ks: number;
  /** Anderson–Darling statistic. */
  readonly ad: number;
}

/** Sums over the gaps from which the likelihoods are computed, in units of their mean. */
interface GapSums {
  /** Gaps over `unit`, ascending. */
  readonly gaps: Float64Array;
  readonly logs: Float64Array;
  readonly unit: number;
  readonly n: number;
  readonly sum: number;
  readonly sumLog: number;
  /** Length so far of the last gap, which has not ended, over `unit`; 0 for none. */
  readonly openLength: number;
}

interface Fit {
  readonly distribution: Distribution;
  /** Log-likelihood of the gaps in units of their mean. */
  readonly logLikelihood: number;
  readonly parameters: number;
}

/**
 * The laws that could be fitted, lowest AIC first. There must be at least two gaps above 0.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function rankUpdateLaws(
  gaps: Float64Array,
  openGap: number,
  budget: Budget = unlimitedBudget(),
): UpdateCandidate[] {
  const sums = sumGaps(gaps, openGap);
  const families = [exponential, weibull, lomax, gamma, lognormal];
  const candidates: UpdateCandidate[] = [];
  const sorted = sums.gaps.map((gap) => gap * sums.unit);
  for (const family of families) {
    if (budget.stopRequested()) throw new NothingToReturn('not every law had been fitted');
    const fit = family(sums);
    if (fit === null) continue;
    const logLikelihood = fit.logLikelihood - sums.n * Math.log(sums.unit);
    const { ks, ad } = goodnessOfFit(fit.distribution, sorted);
    const aic = 2 * fit.parameters - 2 * logLikelihood;
    const { type: _, ...parameters } = fit.distribution;
    // where gaps are too far apart, a family has no maximum in double precision
    if (![logLikelihood, ks, ad, ...Object.values(parameters)].every(Number.isFinite)) continue;
    candidates.push({ distribution: fit.distribution, logLikelihood, aic, ks, ad });
  }
  return candidates.sort(compareAic);
}

const compareAic = (a: UpdateCandidate, b: UpdateCandidate): number => a.aic - b.aic;

function sumGaps(raw: Float64Array, openGap: number): GapSums {
  const n = raw.length;
  let unit = 0;
  for (const gap of raw) unit += gap / n;
  const gaps = raw.map((gap) => gap / unit).sort();
  const logs = gaps.map(Math.log);
  let sum = 0;
  let sumLog = 0;
  for (let k = 0; k < n; k++) {
    sum += gaps[k];
    sumLog += logs[k];
  }
  return { gaps, logs, unit, n, sum, sumLog, openLength: openGap / unit };
}

function exponential({ n, sum, openLength, unit }: GapSums): Fit {
  const rate = n / (sum + openLength);
  return {
    distribution: { type: 'exponential', rate: rate / unit },
    logLikelihood: n * Math.log(rate) - rate * (sum + openLength),
    parameters: 1,
  };
}

function weibull({ gaps, logs, n, sumLog, openLength, unit }: GapSums): Fit | null {
  if (gaps[0] === gaps[n - 1]) return null;
  // powers are taken relative to that of the longest gap, so that none overflows
  const top = Math.max(logs[n - 1], openLength > 0 ? Math.log(openLength) : Number.NEGATIVE_INFINITY);
  const powers = (shape: number): [sum: number, weighted: number] => {
    let power = openLength > 0 ? Math.exp(shape * (Math.log(openLength) - top)) : 0;
    let weighted = openLength > 0 ? power * Math.log(openLength) : 0;
    for (let k = 0; k < n; k++) {
      const x = Math.exp(shape * (logs[k] - top));
      power += x;
      weighted += x * logs[k];
    }
    return [power, weighted];
  };
  const score = (logShape: number): number => {
    const shape = Math.exp(logShape);
    const [power, weighted] = powers(shape);
    return weighted / power - 1 / shape - sumLog / n;
  };
  let low = -3;
  let high = 2;
  while (score(low) > 0 && low > -12) low -= 1;
  while (score(high) < 0 && high < 6) high += 1;
  if (score(low) > 0 || score(high) < 0) return null;
  const shape = Math.exp(findRoot(score, low, high));
  const [power] = powers(shape);
  const scale = Math.exp(top + Math.log(power / n) / shape);
  return {
    distribution: { type: 'weibull', shape, scale: scale * unit },
    logLikelihood: n * Math.log(shape) - n * shape * Math.log(scale) + (shape - 1) * sumLog - n,
    parameters: 2,
  };
}

function lomax({ gaps, n, openLength, unit }: GapSums): Fit | null {
  const fitAt = (logScale: number): { shape: number; logLikelihood: number } => {
    const scale = Math.exp(logScale);
    let logSum = openLength > 0 ? Math.log1p(openLength / scale) : 0;
    let closedLogSum = 0;
    for (let k = 0; k < n; k++) closedLogSum += Math.log1p(gaps[k] / scale);
    logSum += closedLogSum;
    const shape = n / logSum;
    // ℓ = n ln(shape/scale) − Σ ln(1 + x/scale) − shape·Σ ln(1 + x/scale), the last sum with the open gap
    return { shape, logLikelihood: n * Math.log(shape / scale) - closedLogSum - n };
  };
  const low = -12;
  const high = 9;
  const best = maximiseIn((x) => fitAt(x).logLikelihood, low, high);
  // At the upper end of the scale the law is the exponential one, and its likelihood no gain.
  if (best > high - 1 || best < low + 0.01) return null;
  const { shape, logLikelihood } = fitAt(best);
  return { distribution: { type: 'lomax', shape, scale: Math.exp(best) * unit }, logLikelihood, parameters: 2 };
}

function gamma({ gaps, n, sum, sumLog, openLength, unit }: GapSums): Fit | null {
  if (gaps[0] === gaps[n - 1]) return null;
  const logLikelihoodAt = (shape: number, rate: number): number => {
    const closedLogLikelihood = n * (shape * Math.log(rate) - logGamma(shape)) + (shape - 1) * sumLog - rate * sum;
    return openLength > 0
      ? closedLogLikelihood + Math.log(Math.max(upperGamma(shape, rate * openLength), 1e-300))
      : closedLogLikelihood;
  };
  const bestRate = (shape: number): number => {
    const logClosedRate = Math.log((n * shape) / sum);
    return openLength > 0
      ? Math.exp(maximiseIn((x) => logLikelihoodAt(shape, Math.exp(x)), logClosedRate - 8, logClosedRate + 0.01))
      : (n * shape) / sum;
  };
  const logShape = maximiseIn((x) => logLikelihoodAt(Math.exp(x), bestRate(Math.exp(x))), -5, 9);
  const shape = Math.exp(logShape);
  const rate = bestRate(shape);
  return {
    distribution: { type: 'gamma', shape, rate: rate / unit },
    logLikelihood: logLikelihoodAt(shape, rate),
    parameters: 2,
  };
}

function lognormal({ logs, n, sumLog, openLength, unit }: GapSums): Fit | null {
  let square = 0;
  const centre = sumLog / n;
  for (let k = 0; k < n; k++) square += (logs[k] - centre) ** 2;
  if (!(square > 0)) return null;
  const logLikelihoodAt = (mu: number, sigma: number): number => {
    const closedLogLikelihood =
      -sumLog - n * Math.log(sigma * Math.sqrt(2 * Math.PI)) - (square + n * (centre - mu) ** 2) / (2 * sigma * sigma);
    return openLength > 0
      ? closedLogLikelihood + Math.log(Math.max(normalDistribution((mu - Math.log(openLength)) / sigma), 1e-300))
      : closedLogLikelihood;
  };
  let mu = centre;
  let sigma = Math.sqrt(square / n);
  if (openLength > 0) {
    const spread = sigma;
    const sigmaFor = (m: number): number =>
      Math.exp(maximiseIn((x) => logLikelihoodAt(m, Math.exp(x)), Math.log(spread) - 1, Math.log(spread) + 3));
    const upper = Math.max(centre, Math.log(openLength)) + 3 * spread;
    mu = maximiseIn((m) => logLikelihoodAt(m, sigmaFor(m)), centre, upper);
    sigma = sigmaFor(mu);
  }
  return {
    distribution: { type: 'lognormal', mu: mu + Math.log(unit), sigma },
    logLikelihood: logLikelihoodAt(mu, sigma),
    parameters: 2,
  };
}

/** The point of [low, high] at which a unimodal function is largest, to 1e−9. */
const maximiseIn = (f: (x: number) => number, low: number, high: number): number =>
  goldenSection((x) => -f(x), low, high, 1e-9).at;

/** Kolmogorov–Smirnov distance and Anderson–Darling statistic of a law for values in ascending order. */
function goodnessOfFit(distribution: Distribution, values: Float64Array): { ks: number; ad: number } {
  const law = createLaw(distribution);
  const n = values.length;
  let ks = 0;
  let ad = -n;
  for (let k = 0; k < n; k++) {
    const survival = law.survival(values[k]);
    const probability = 1 - survival;
    ks = Math.max(ks, probability - k / n, (k + 1) / n - probability);
    const mirroredSurvival = law.survival(values[n - 1 - k]);
    ad -= ((2 * k + 1) / n) * (Math.log(Math.max(probability, 1e-300)) + Math.log(Math.max(mirroredSurvival, 1e-300)));
  }
  return { ks, ad };
}

/** Smallest gap relative to the mean: a smaller gap is lost in the rounding of every sum. */
const minGapShare = 1e-200;
/** Range of the mean: outside it squares of gaps overflow or underflow. */
const maxMean = 1e100;
const minMean = 1e-100;

/**
 * Refuses gaps too far apart to compute with. O(gaps).
 *
 * @throws ConditionNotMet where the gaps are too far apart for double precision
 */
export function requireNearGaps({ gaps, openGap }: UpdateProcessProblem): void {
  let mean = 0;
  for (const gap of gaps) mean += gap / gaps.length;
  if (!(mean >= minMean && mean <= maxMean)) {
    const message = `have a mean of ${mean}; it must lie between ${minMean} and ${maxMean}: choose a unit of time near it`;
    throw new ConditionNotMet(['gaps'], 'beyond-double-precision', message);
  }
  const smallGap = gaps.findIndex((gap) => gap < mean * minGapShare);
  if (smallGap >= 0) {
    const message = `must be at least ${minGapShare} of the mean gap of ${mean}; got ${gaps[smallGap]}: leave it out`;
    throw new ConditionNotMet(['gaps', smallGap], 'beyond-double-precision', message);
  }
  if (openGap > mean / minGapShare) {
    const message = `must be at most ${1 / minGapShare} times the mean gap of ${mean}; got ${openGap}`;
    throw new ConditionNotMet(['openGap'], 'beyond-double-precision', message);
  }
}

/**
 * Ranks the laws that the gaps between updates may follow.
 *
 * @throws ConditionNotMet where the gaps are too far apart for double precision
 * @throws NothingToReturn when the budget ends first
 */
export function solveUpdateProcess(problem: UpdateProcessProblem, budget: Budget) {
  const { gaps, openGap } = problem;
  requireNearGaps(problem);
  const candidates = rankUpdateLaws(gaps, openGap, budget);
  return {
    status: 'evaluated' as const,
    solution: { candidates },
    statistics: { solver: 'maximum-likelihood', gaps: gaps.length, candidates: candidates.length },
  };
}
