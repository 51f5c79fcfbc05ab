/**
 * How far signals of changes can be trusted: precision and recall by host, from checks and the signals between them.
 *
 * Method: a quasi-Newton method finds the least of minus the log-likelihood (likelihood.ts). Intervals are by the
 * normal law of the logits, its covariance from the differences of the gradient. The rate γ of signals a page and unit
 * of time is counted; the rate of changes follows as λ = γp/ρ. Of a host with many pages every k-th page is fitted.
 * Complexity: some 60 evaluations a host. Stopping rule: gradient below 1e−6 of the value. Source: the model of
 * Busa-Fekete et al. 2025; Fisher's identity. Changes of many pages of a host at once widen the intervals
 * (cluster-variance.ts).
 * Known limits: one precision and recall for all pages of a host; signals taken to come at the changes, and
 * independently.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { type Warning, warning } from '../answer.ts';
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { quasiNewton } from '../numerics/search/quasi-newton.ts';
import { standardNormalQuantile } from '../numerics/special/normal-quantile.ts';
import { clusterVariance } from './cluster-variance.ts';
import { GroupLikelihood } from './likelihood.ts';
import type { ChangeSignalsProblem, Estimate, SignalFit } from './problem.ts';

/** Pages of a host that are fitted at most; of a larger host, an even sample is. */
const maxSample = 500;
/** Gradient at which the search ends, relative to the log-likelihood. */
const tolerance = 1e-6;
/** Variance assumed in a direction in which the data hold no information. */
const unknownVariance = 1e9;

/**
 * Estimates precision and recall of the signals of every host.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function solveChangeSignals(problem: ChangeSignalsProblem, budget: Budget) {
  const { names } = problem;
  const byHost: number[][] = names.map(() => []);
  const checkedPages: number[] = [];
  for (let i = 0; i < problem.host.length; i++) {
    if (problem.offsets[i] === problem.offsets[i + 1]) continue;
    byHost[problem.host[i]].push(i);
    checkedPages.push(i);
  }
  const poll = pollOf(budget, 'stopped while fitting precision and recall');
  const overall = fitGroup(problem, checkedPages, poll);
  const hosts = byHost.map((pages) => {
    if (pages.length === 0) return null;
    if (pages.length === checkedPages.length) return overall;
    return fitGroup(problem, pages, poll);
  });
  return {
    status: 'evaluated' as const,
    solution: {
      hosts: hosts.flatMap((hostFit, h) => (hostFit === null ? [] : [{ host: names[h], ...hostFit.fit }])),
      overall: overall.fit,
    },
    warnings: warningsOf(names, hosts),
    statistics: { solver: 'marginal-likelihood', pages: overall.fit.pages, checks: overall.fit.checks },
  };
}

interface GroupFit {
  readonly fit: SignalFit;
  /** Whether the search for the maximum converged. */
  readonly converged: boolean;
}

function warningsOf(names: readonly (string | null)[], hosts: readonly (GroupFit | null)[]): Warning[] {
  const warn = (code: string, applies: (group: GroupFit) => boolean, what: string): Warning[] => {
    const affectedHosts = names.filter((_, h) => hosts[h] !== null && applies(hosts[h]));
    if (affectedHosts.length === 0) return [];
    const firstNames = affectedHosts.slice(0, 5).map((name) => name ?? 'pages without a host');
    return [warning(code, `${what}, of ${affectedHosts.length} in all (first: ${firstNames.join(', ')})`, ['pages'])];
  };
  return [
    ...warn(
      'few-signals',
      ({ fit }) => fit.signals < 10 || fit.changes < 10,
      'hosts have fewer than ten signals or changes: their intervals say how little that shows',
    ),
    ...warn(
      'not-settled',
      ({ converged }) => !converged,
      'the search for the likeliest precision and recall did not settle for hosts',
    ),
    ...warn(
      'sampled',
      ({ fit }) => fit.pages > maxSample,
      `precision and recall rest on ${maxSample} pages or fewer of hosts that have more`,
    ),
  ];
}

function fitGroup(problem: ChangeSignalsProblem, pages: readonly number[], poll: Poll): GroupFit {
  const stride = Math.max(1, Math.ceil(pages.length / maxSample));
  const sample = pages.filter((_, k) => k % stride === 0);
  const likelihood = new GroupLikelihood(problem, sample, poll);
  const { at, converged } = quasiNewton((x) => likelihood.evaluate(x), likelihood.start, tolerance);
  const precision = 1 / (1 + Math.exp(-at[0]));
  const recall = 1 / (1 + Math.exp(-at[1]));
  const covariance = covarianceAt(likelihood, at);
  const rates = likelihood.rates(at);
  /**
   * Variance of the estimate along a direction of (logit p, logit ρ), with the extra variance of pages that change
   * together.
   */
  const varianceAlong = (a: number, b: number): number => {
    const gradient = [0, 1].map((j) => a * covariance.get(0, j) + b * covariance.get(1, j));
    return a * gradient[0] + b * gradient[1] + clusterVariance(problem, rates, { precision, recall }, gradient);
  };
  const z = standardNormalQuantile(0.5 * (1 + problem.confidence));
  const halfWidth = (variance: number): number => z * Math.sqrt(variance);
  const totals = totalsOf(problem, pages);
  const signalRate = (totals.counts.signals + 0.5) / totals.watchedTime;
  const signalVariance = 1 / (totals.counts.signals + 0.5);
  // ln λ = ln γ + ln p − ln ρ
  const logRatio = varianceAlong(1 - precision, recall - 1);
  // NaN where the search has diverged to rates outside the range of doubles
  const ratioVariance = Number.isNaN(logRatio) ? unknownVariance : Math.max(0, logRatio);
  const fit = {
    ...totals.counts,
    precision: shareEstimate(at[0], halfWidth(varianceAlong(1, 0))),
    recall: shareEstimate(at[1], halfWidth(varianceAlong(0, 1))),
    signalRate: rateEstimate(signalRate, halfWidth(signalVariance)),
    changeRate: rateEstimate((signalRate * precision) / recall, halfWidth(signalVariance + ratioVariance)),
  };
  return { fit, converged };
}

function shareEstimate(logit: number, spread: number): Estimate {
  const [low, value, high] = [logit - spread, logit, logit + spread].map((each) => 1 / (1 + Math.exp(-each)));
  return { value, interval: [low, high] };
}

function rateEstimate(value: number, spread: number): Estimate {
  return { value, interval: [value * Math.exp(-spread), Math.min(Number.MAX_VALUE, value * Math.exp(spread))] };
}

function totalsOf({ offsets, elapsed, changed, signals }: ChangeSignalsProblem, pages: readonly number[]) {
  const counts = { pages: pages.length, checks: 0, signals: 0, changes: 0 };
  let watchedTime = 0;
  for (const i of pages) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      counts.checks++;
      counts.signals += signals[k];
      counts.changes += changed[k];
      watchedTime += elapsed[k];
    }
  }
  return { counts, watchedTime };
}

/** The inverse of the Hessian, which is computed by central differences of the gradient. */
function covarianceAt(likelihood: GroupLikelihood, at: Float64Array): Matrix {
  const n = at.length;
  const step = 1e-3;
  const slopes = Array.from(at.keys(), (j) => {
    const [up, down] = [step, -step].map(
      (by) => likelihood.evaluate(at.map((x, i) => (i === j ? x + by : x))).gradient,
    );
    return up.map((each, i) => (each - down[i]) / (4 * step));
  });
  const half = new Matrix(slopes);
  return inverseOf(Matrix.add(half, half.transpose()), n);
}

/** Inverse by eigenvectors; directions without curvature get `unknownVariance`. */
function inverseOf(hessian: Matrix, n: number): Matrix {
  if (hessian.to1DArray().some((each) => !Number.isFinite(each))) return Matrix.identity(n, n).mul(unknownVariance);
  const { realEigenvalues, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(hessian, {
    assumeSymmetric: true,
  });
  const variances = realEigenvalues.map((curvature) =>
    curvature > 1 / unknownVariance ? 1 / curvature : unknownVariance,
  );
  return vectors.mmul(Matrix.diag(variances)).mmul(vectors.transpose());
}
