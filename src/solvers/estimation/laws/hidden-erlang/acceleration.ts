/**
 * Expectation-maximisation in longer steps: squared extrapolation with a safeguard.
 *
 * Two iterations θ₀ → θ₁ → θ₂ give the step r = θ₁ − θ₀ and its change v = θ₂ − θ₁ − r. The extrapolated point is θ₀ −
 * 2αr + α²v, α = −|r|/|v|, in the logarithms of rates and of transition probabilities, where every point is a process.
 * A third iteration goes on from there if the likelihood there is no lower than that of θ₁, else from θ₂: the
 * likelihood never falls. Near an optimum a cycle of three iterations does the work of ten to a hundred. Source:
 * Varadhan, Roland (2008), "Simple and globally convergent methods for accelerating the convergence of any EM
 * algorithm", scheme S3.
 */
import type { Budget } from '../../../budget.ts';
import type { BaumWelch, Branches } from './baum-welch.ts';

/** Parameters, with what is known of them. */
export interface Fit extends Branches {
  /**
   * Mean log-likelihood of a gap: of the parameters before the last iterations, so that the present ones have no less.
   */
  logLikelihood: number;
  iterations: number;
}

/** Where carrying on ends. */
export interface Ending {
  readonly mostIterations: number;
  /** A cycle that raises the mean log-likelihood by less. */
  readonly settled: number;
}

/** The longest extrapolation, in iterations. */
const longestStep = 1000;
/** Below this a transition probability counts as 0. */
const leastTransition = 1e-30;

/** Improves a fit, in place; false when the budget ended it. One iteration is made whatever the budget says. */
export function continueFit(fit: Fit, passes: BaumWelch, { mostIterations, settled }: Ending, budget: Budget): boolean {
  const last = fit.iterations + mostIterations;
  for (;;) {
    const before = fit.logLikelihood;
    const beginning = parametersOf(fit);
    fit.logLikelihood = improve(fit, passes);
    if (fit.logLikelihood - before < settled || fit.iterations >= last) return true;
    if (budget.stopRequested()) return false;
    const first = parametersOf(fit);
    const reached = improve(fit, passes);
    const second = parametersOf(fit);
    const start = fit.start.slice();
    take(fit, extrapolated(beginning, first, second));
    if (improve(fit, passes) >= reached) continue;
    take(fit, second);
    fit.start.set(start);
  }
}

function improve(fit: Fit, passes: BaumWelch): number {
  fit.iterations++;
  return passes.improve(fit);
}

/** Logarithms of the rates, then of the transition probabilities. */
function parametersOf({ rates, transitions }: Fit): Float64Array {
  const parameters = new Float64Array(rates.length + transitions.length);
  for (let i = 0; i < rates.length; i++) parameters[i] = Math.log(rates[i]);
  for (let cell = 0; cell < transitions.length; cell++) {
    parameters[rates.length + cell] = Math.log(Math.max(transitions[cell], leastTransition));
  }
  return parameters;
}

/** Takes parameters over; rows of transitions are brought to sum 1. */
function take({ rates, transitions }: Fit, parameters: Float64Array): void {
  const m = rates.length;
  for (let i = 0; i < m; i++) {
    rates[i] = Math.exp(parameters[i]);
    const row = parameters.subarray(m + i * m, m + (i + 1) * m);
    const peak = Math.max(...row);
    let sum = 0;
    for (const log of row) sum += Math.exp(log - peak);
    for (let j = 0; j < m; j++) transitions[i * m + j] = Math.exp(row[j] - peak) / sum;
  }
}

function extrapolated(beginning: Float64Array, first: Float64Array, second: Float64Array): Float64Array {
  let steps = 0;
  let changes = 0;
  for (let k = 0; k < first.length; k++) {
    const step = first[k] - beginning[k];
    steps += step ** 2;
    changes += (second[k] - first[k] - step) ** 2;
  }
  const length = Math.min(longestStep, Math.sqrt(steps / changes));
  if (!(length > 1)) return second;
  return first.map((value, k) => {
    const step = value - beginning[k];
    return beginning[k] + 2 * length * step + length ** 2 * (second[k] - value - step);
  });
}
