/**
 * How far signals of changes can be trusted: precision and recall by host, from checks and the signals between them.
 *
 * The least of minus the log-likelihood (likelihood.ts) by a quasi-Newton method; intervals by the normal law of the
 * logits, its covariance from the differences of the gradient. Signals a page and unit of time are counted; changes
 * follow as λ = γp/ρ. Of a host with many pages every k-th is looked at. Complexity: some 60 evaluations a host.
 * Stopping rule: gradient below 1e−6 of the value. Source: the model of Busa-Fekete et al. 2025; Fisher's identity.
 * Known limits: one precision and recall for all pages of a host; signals taken to come at the changes, and
 * independently.
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { quasiNewton } from '../numerics/search/quasi-newton.ts';
import { standardNormalQuantile } from '../numerics/special/normal-quantile.ts';
import { GroupLikelihood } from './likelihood.ts';
import type { ChangeSignalsAnswer, ChangeSignalsProblem, Estimate, SignalFit } from './problem.ts';

export const largestSample = 500;
const tolerance = 1e-6;
/** Half the width of an interval of which nothing is known, as a logarithm: near the end of what doubles hold. */
const widest = 600;
/** The variance in a direction of which nothing is known. */
const unknown = 1e9;

/** @throws NothingToReturn when the budget ends first */
export function solveChangeSignals(problem: ChangeSignalsProblem, budget: Budget): ChangeSignalsAnswer {
  const byHost: number[][] = Array.from({ length: problem.hosts }, () => []);
  const all: number[] = [];
  for (let i = 0; i < problem.host.length; i++) {
    if (problem.offsets[i] === problem.offsets[i + 1]) continue;
    byHost[problem.host[i]].push(i);
    all.push(i);
  }
  const poll = pollOf(budget, 'stopped while fitting precision and recall');
  const overall = fitOf(problem, all, poll);
  const hosts = byHost.map((pages) => {
    if (pages.length === 0) return null;
    return pages.length === all.length ? overall : fitOf(problem, pages, poll);
  });
  return { status: 'evaluated', hosts, overall };
}

function fitOf(problem: ChangeSignalsProblem, pages: readonly number[], poll: Poll): SignalFit {
  const stride = Math.max(1, Math.ceil(pages.length / largestSample));
  const sample = pages.filter((_, k) => k % stride === 0);
  const likelihood = new GroupLikelihood(problem, sample, poll);
  const { at, settled } = quasiNewton((x) => likelihood.evaluate(x), likelihood.start, tolerance);
  const covariance = covarianceAt(likelihood, at);
  const z = standardNormalQuantile(0.5 * (1 + problem.confidence));
  const halfWidth = (variance: number): number => Math.min(widest, z * Math.sqrt(variance));
  const precision = 1 / (1 + Math.exp(-at[0]));
  const recall = 1 / (1 + Math.exp(-at[1]));
  const totals = totalsOf(problem, pages);
  const signalRate = (totals.signals + 0.5) / totals.watched;
  const ofSignals = 1 / (totals.signals + 0.5);
  // ln λ = ln γ + ln p − ln ρ
  const [a, b] = [1 - precision, recall - 1];
  const between = a * a * covariance[0] + 2 * a * b * covariance[1] + b * b * covariance[5];
  // no number, where the search has run off to rates beyond what doubles hold
  const ofRatio = Number.isNaN(between) ? unknown : Math.max(0, between);
  return {
    ...totals.counts,
    precision: share(at[0], halfWidth(covariance[0])),
    recall: share(at[1], halfWidth(covariance[5])),
    signalRate: scaled(signalRate, halfWidth(ofSignals)),
    changeRate: scaled((signalRate * precision) / recall, halfWidth(ofSignals + ofRatio)),
    point: at,
    settled,
  };
}

function share(logit: number, spread: number): Estimate {
  const [low, value, high] = [logit - spread, logit, logit + spread].map((each) => 1 / (1 + Math.exp(-each)));
  return { value, low, high };
}

function scaled(value: number, spread: number): Estimate {
  return { value, low: value * Math.exp(-spread), high: Math.min(Number.MAX_VALUE, value * Math.exp(spread)) };
}

function totalsOf({ offsets, elapsed, changed, signals }: ChangeSignalsProblem, pages: readonly number[]) {
  const counts = { pages: pages.length, checks: 0, signals: 0, changes: 0 };
  let watched = 0;
  for (const i of pages) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      counts.checks++;
      counts.signals += signals[k];
      counts.changes += changed[k];
      watched += elapsed[k];
    }
  }
  return { counts, watched, signals: counts.signals };
}

/** The inverse of the Hessian, taken from differences of the gradient. */
function covarianceAt(likelihood: GroupLikelihood, at: Float64Array): Float64Array {
  const n = at.length;
  const step = 1e-3;
  const hessian = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const [up, down] = [step, -step].map(
      (by) => likelihood.evaluate(at.map((x, i) => (i === j ? x + by : x))).gradient,
    );
    for (let i = 0; i < n; i++) hessian[i * n + j] += (up[i] - down[i]) / (4 * step);
    for (let i = 0; i < n; i++) hessian[j * n + i] += (up[i] - down[i]) / (4 * step);
  }
  return inverseOf(hessian, n);
}

/** By Gauss–Jordan elimination with the largest pivot; nothing is known in a direction without curvature. */
function inverseOf(matrix: Float64Array, n: number): Float64Array {
  const a = matrix.slice();
  const inverse = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(a[r * n + c]) > Math.abs(a[pivot * n + c])) pivot = r;
    for (let k = 0; k < n; k++) {
      [a[c * n + k], a[pivot * n + k]] = [a[pivot * n + k], a[c * n + k]];
      [inverse[c * n + k], inverse[pivot * n + k]] = [inverse[pivot * n + k], inverse[c * n + k]];
    }
    const scale = Math.abs(a[c * n + c]) > 1 / unknown ? a[c * n + c] : 1 / unknown;
    for (let k = 0; k < n; k++) {
      a[c * n + k] /= scale;
      inverse[c * n + k] /= scale;
    }
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const by = a[r * n + c];
      for (let k = 0; k < n; k++) {
        a[r * n + k] -= by * a[c * n + k];
        inverse[r * n + k] -= by * inverse[c * n + k];
      }
    }
  }
  for (let i = 0; i < n; i++) if (!(inverse[i * n + i] >= 0)) inverse[i * n + i] = unknown;
  return inverse;
}
