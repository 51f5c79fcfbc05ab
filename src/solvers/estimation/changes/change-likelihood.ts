/**
 * Likelihood of one page's change rate λ (changes per time unit, Poisson) given its checks.
 *
 * A check after a gap τ finds no change with probability e^{−λτ}; a change whose age a is known has density λe^{−λa}.
 * With a gamma prior (shape a₀, rate b₀, density taken in ln λ), all of it is
 *
 *     ℓ(λ) = m ln λ − λ·T + Σ_changed w ln(1 − e^{−λτ}),
 *
 * m = a₀ + number of changes of known age, T = b₀ + time seen without a change, w the weights (1, or fading with age).
 * The likelihood ℓ is concave in θ = ln λ (each term is), so Newton on θ is safe from anywhere once bracketed.
 *
 * Bias reduction: the modified score of Firth (1993), U − I·b with the Cox–Snell bias b. For this model
 * I·b = ½ Σ τ³/x / Σ τ²/x, x = e^{λτ} − 1, over all checks: half an unchanged check more, as long as the
 * information-weighted mean gap. At regular gaps it is −ln((n−X+½)/(n+½))/τ exactly, the estimator the crawling
 * literature knows from Cho & Garcia-Molina (2003), "Estimating frequency of change", section 5.
 *
 * Limits: a rate below 1e−300 or above 1e300 per time unit is not representable.
 */
import { findRoot } from '../../numerics/search/root.ts';
import { negativeExp } from '../../numerics/special/negative-exp.ts';
import { PooledChecks } from './pooled-checks.ts';

/** Positions of the results of an evaluation in the scratch array `#d`. */
const logLikelihood = 0;
const positivePart = 1;
const slope = 2;
const gainCurvature = 3;
const totalCurvature = 4;
const halfCheckLength = 5;
const halfCheckSlope = 6;

/**
 * The likelihood of one page's change rate. One object serves all pages in turn, so that a million pages allocate
 * nothing.
 */
export class ChangeLikelihood extends PooledChecks {
  readonly #d = new Float64Array(7);
  /**
   * Evaluates, in one pass with one exponential a gap, dℓ/dθ with its positive part, and −d²ℓ/dθ², θ = ln λ; also ℓ if
   * `withLikelihood`.
   */
  #evaluate(rate: number, withLikelihood: boolean): void {
    const gaps = this.gaps;
    const weights = this.weights;
    let gain = this.logCoefficient;
    let curvature = 0;
    let product = 1;
    let sum = 0;
    for (let g = 0; g < this.groups; g++) {
      const y = rate * gaps[g];
      const weight = weights[g];
      const changeChance = y < 0.02 ? -Math.expm1(-y) : 1 - negativeExp(y);
      const odds = (y * (1 - changeChance)) / changeChance;
      gain += weight * odds;
      curvature += weight * odds * (y + odds - 1);
      if (!withLikelihood) continue;
      if (weight === 1) {
        product *= changeChance;
        if (product < 1e-200) {
          sum += Math.log(product);
          product = 1;
        }
      } else sum += weight * Math.log(changeChance);
    }
    const loss = rate * this.exposure;
    const d = this.#d;
    d[positivePart] = gain;
    d[slope] = gain - loss;
    d[gainCurvature] = curvature;
    d[totalCurvature] = curvature + loss;
    if (!withLikelihood) return;
    if (product !== 1) sum += Math.log(product);
    d[logLikelihood] = (this.logCoefficient === 0 ? sum : sum + this.logCoefficient * Math.log(rate)) - loss;
  }

  /**
   * Evaluates the modified score at λ with one exponential a gap: the score's positive part with its slope in θ, and
   * I·b of the header with its slope. I·b is stored as the length of half a check without a change.
   */
  #evaluateReduced(rate: number): void {
    const gaps = this.allGaps;
    const weights = this.allWeights;
    const changedWeights = this.allChanged;
    let gain = this.logCoefficient;
    let curvature = 0;
    let gapInformation = 0;
    let gapInformationSlope = 0;
    // A change of known age adds its information 1/λ²; its estimate has no bias at frequent checks, so it adds no
    // correction.
    let totalInformation = this.knownAgeWeight;
    let totalInformationSlope = 0;
    for (let g = 0; g < this.allGroups; g++) {
      const gap = gaps[g];
      const y = rate * gap;
      const changeChance = y < 0.02 ? -Math.expm1(-y) : 1 - negativeExp(y);
      const odds = (y * (1 - changeChance)) / changeChance;
      const weight = changedWeights[g];
      gain += weight * odds;
      curvature += weight * odds * (y + odds - 1);
      const information = weights[g] * y * odds;
      // d ln(y²e^{−y}/(1 − e^{−y}))/dθ = 2 − y/(1 − e^{−y})
      const informationSlope = information * (2 - y - odds);
      gapInformation += information * gap;
      gapInformationSlope += informationSlope * gap;
      totalInformation += information;
      totalInformationSlope += informationSlope;
    }
    const d = this.#d;
    d[positivePart] = gain;
    d[gainCurvature] = curvature;
    // where all gaps are far too long to tell one rate from another, the shortest gap tells most
    const isInformative = totalInformation > 0;
    d[halfCheckLength] = isInformative ? (0.5 * gapInformation) / totalInformation : 0.5 * this.shortestGap;
    d[halfCheckSlope] = isInformative
      ? (0.5 * (gapInformationSlope - (gapInformation / totalInformation) * totalInformationSlope)) / totalInformation
      : 0;
  }

  /**
   * The rate that maximises the likelihood (or, with `reduceBias`, the root of the modified score), by bracketed Newton
   * steps on F(θ) = ln(score's positive part) − ln(its negative part). Ends after a step under 1e−7, which leaves an
   * error of about its square.
   */
  maximise(reduceBias: boolean, start: number): number {
    const d = this.#d;
    let low = -700;
    let high = 700;
    let theta = Math.log(start);
    for (let iteration = 0; iteration < 200 && high - low > 1e-13; iteration++) {
      const rate = Math.exp(theta);
      if (reduceBias) this.#evaluateReduced(rate);
      else this.#evaluate(rate, false);
      const time = this.exposure + (reduceBias ? d[halfCheckLength] : 0);
      const positive = d[positivePart];
      let next = Number.NaN;
      if (positive > rate * time) low = theta;
      else high = theta;
      if (positive > 0) {
        const own = 1 + d[gainCurvature] / positive;
        const whole = reduceBias ? own + d[halfCheckSlope] / time : own;
        next = theta + Math.log(positive / (rate * time)) / (whole > 0 ? whole : own);
      }
      if (Math.abs(next - theta) <= 1e-7) return Math.exp(next);
      if (!(next > low && next < high)) next = high - low > 8 ? theta + (low === theta ? 2 : -2) : 0.5 * (low + high);
      theta = next;
    }
    return Math.exp(theta);
  }

  /** The rates below and above `peak` where ℓ has fallen by `drop`. */
  crossings(peak: number, drop: number): readonly [low: number, high: number] {
    this.#evaluate(peak, true);
    const d = this.#d;
    const level = d[logLikelihood] - drop;
    const reach = Math.min(3, Math.sqrt((2 * drop) / Math.max(d[totalCurvature], 1e-300)));
    const theta = Math.log(peak);
    return [this.#crossing(theta, level, -reach), this.#crossing(theta, level, reach)];
  }

  /**
   * The rate beyond θ = `peakTheta`, on the side of `reach`, at which ℓ = `level`. Each step goes to where the parabola
   * with ℓ's value, slope and curvature meets the level, or by Newton where that stays below the level, until a step is
   * under 1e−3. The error is about its cube.
   */
  #crossing(peakTheta: number, level: number, reach: number): number {
    const d = this.#d;
    const side = Math.sign(reach);
    let theta = peakTheta + reach;
    for (let iteration = 0; iteration < 200; iteration++) {
      this.#evaluate(Math.exp(theta), true);
      const short = level - d[logLikelihood];
      const square = d[slope] * d[slope] - 2 * d[totalCurvature] * short;
      const root = square > 0 ? Math.sign(d[slope]) * Math.sqrt(square) : d[slope];
      let step = (2 * short) / (d[slope] + root);
      step = Number.isFinite(step) ? Math.max(-4, Math.min(4, step)) : side;
      if ((theta + step - peakTheta) * side <= 0) step = 0.5 * (peakTheta - theta);
      theta += step;
      if (Math.abs(step) <= 1e-3) break;
    }
    return Math.exp(theta);
  }

  /**
   * The lowest rate that is not refuted when every check saw a change: Σ_changed ln(1 − e^{−λτ}) = ln(1 − confidence).
   */
  minRateOfAllChanged(confidence: number): number {
    const target = Math.log1p(-confidence);
    const excess = (theta: number): number => {
      const rate = Math.exp(theta);
      let sum = -target;
      for (let g = 0; g < this.groups; g++) sum += this.weights[g] * Math.log(-Math.expm1(-rate * this.gaps[g]));
      return sum;
    };
    return Math.exp(findRoot(excess, -690, Math.log(50 / this.shortestGap), 1e-11));
  }
}
