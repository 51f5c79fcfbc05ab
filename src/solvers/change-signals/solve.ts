/**
 * How far signals of changes can be trusted: precision and recall by host, from checks and the signals between them.
 *
 * Method: a quasi-Newton method finds the least of minus the log-likelihood (likelihood.ts). Intervals are by the
 * normal law of the logits, its covariance from the differences of the gradient. Signals a page and unit of time are
 * counted; changes follow as λ = γp/ρ. Of a host with many pages every k-th is looked at. Complexity: some 60
 * evaluations a host. Stopping rule: gradient below 1e−6 of the value. Source: the model of Busa-Fekete et al. 2025;
 * Fisher's identity. Checks that span an edit of a whole host (estimation/site-edits) are set aside. Such an edit says
 * nothing of the pages' own changes, and precision and recall are of these.
 * Known limits: one precision and recall for all pages of a host; signals taken to come at the changes, and
 * independently.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { findSiteEdits, type SiteEditsAnswer } from '../estimation/index.ts';
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
  const found = siteEditsOf(problem, poll);
  const edits = found.hosts.reduce((sum, host) => sum + host.edits, 0);
  const overall = fitOf(problem, all, { spans: found.spans, edits }, poll);
  const hosts = byHost.map((pages, h) => {
    if (pages.length === 0) return null;
    if (pages.length === all.length) return overall;
    return fitOf(problem, pages, { spans: found.spans, edits: found.hosts[h].edits }, poll);
  });
  return { status: 'evaluated', hosts, overall };
}

/**
 * The edits of every host. Some hosts have no page that says when it was last checked. The checks of all its pages are
 * then taken to end at one moment, or to begin at one: whichever shows more edits. On wrong clocks changes do not
 * coincide.
 */
function siteEditsOf(problem: ChangeSignalsProblem, poll: Poll): SiteEditsAnswer {
  const { host, hosts, offsets, elapsed, lastCheck: given } = problem;
  const dated = new Uint8Array(hosts);
  for (const [i, last] of (given ?? []).entries()) if (!Number.isNaN(last)) dated[host[i]] = 1;
  const known = given ?? new Float64Array(host.length);
  const clock = (end: (i: number) => number): Float64Array =>
    Float64Array.from(host, (h, i) => (dated[h] === 1 ? known[i] : end(i)));
  const ending = findSiteEdits({ ...problem, lastCheck: clock(() => 0) }, poll);
  if (dated.every((each) => each === 1)) return ending;
  const watched = (i: number): number =>
    elapsed.subarray(offsets[i], offsets[i + 1]).reduce((sum, gap) => sum + gap, 0);
  const beginning = findSiteEdits({ ...problem, lastCheck: clock(watched) }, poll);
  const spans = ending.spans.slice();
  const better = ending.hosts.map((host, h) => beginning.hosts[h].edits > host.edits);
  for (let i = 0; i < host.length; i++) {
    if (better[host[i]]) spans.set(beginning.spans.subarray(offsets[i], offsets[i + 1]), offsets[i]);
  }
  return { spans, hosts: ending.hosts.map((host, h) => (better[h] ? beginning.hosts[h] : host)) };
}

/** Edits found on the pages' hosts, and the checks that span one. */
interface EditsFound {
  readonly edits: number;
  readonly spans: Uint8Array;
}

function fitOf(
  problem: ChangeSignalsProblem,
  pages: readonly number[],
  { edits, spans: found }: EditsFound,
  poll: Poll,
): SignalFit {
  // where no other check is left these must do
  const spans = totalsOf(problem, pages, found).watched > 0 ? found : found.slice().fill(0);
  const stride = Math.max(1, Math.ceil(pages.length / largestSample));
  const sample = pages.filter((_, k) => k % stride === 0);
  const likelihood = new GroupLikelihood(problem, sample, spans, poll);
  const { at, settled } = quasiNewton((x) => likelihood.evaluate(x), likelihood.start, tolerance);
  const covariance = covarianceAt(likelihood, at);
  const z = standardNormalQuantile(0.5 * (1 + problem.confidence));
  const halfWidth = (variance: number): number => Math.min(widest, z * Math.sqrt(variance));
  const precision = 1 / (1 + Math.exp(-at[0]));
  const recall = 1 / (1 + Math.exp(-at[1]));
  const totals = totalsOf(problem, pages, spans);
  const signalRate = (totals.signals + 0.5) / totals.watched;
  const ofSignals = 1 / (totals.signals + 0.5);
  // ln λ = ln γ + ln p − ln ρ
  const [a, b] = [1 - precision, recall - 1];
  const between = a * a * covariance.get(0, 0) + 2 * a * b * covariance.get(0, 1) + b * b * covariance.get(1, 1);
  // no number, where the search has run off to rates beyond what doubles hold
  const ofRatio = Number.isNaN(between) ? unknown : Math.max(0, between);
  return {
    ...totals.counts,
    siteEdits: edits,
    precision: share(at[0], halfWidth(covariance.get(0, 0))),
    recall: share(at[1], halfWidth(covariance.get(1, 1))),
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

/** Counts of all checks; time watched and signals of those that span no edit of the whole host. */
function totalsOf(
  { offsets, elapsed, changed, signals }: ChangeSignalsProblem,
  pages: readonly number[],
  spans: Uint8Array,
) {
  const counts = { pages: pages.length, checks: 0, signals: 0, changes: 0, changesWithEdits: 0 };
  let watched = 0;
  let kept = 0;
  for (const i of pages) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      counts.checks++;
      counts.signals += signals[k];
      counts.changes += changed[k];
      if (spans[k] === 1) counts.changesWithEdits += changed[k];
      else {
        watched += elapsed[k];
        kept += signals[k];
      }
    }
  }
  return { counts, watched, signals: kept };
}

/** The inverse of the Hessian, which is taken from differences of the gradient. */
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

/** By the eigenvectors; in a direction without curvature nothing is known. */
function inverseOf(hessian: Matrix, n: number): Matrix {
  if (hessian.to1DArray().some((each) => !Number.isFinite(each))) return Matrix.identity(n, n).mul(unknown);
  const { realEigenvalues, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(hessian, {
    assumeSymmetric: true,
  });
  const variances = realEigenvalues.map((curvature) => (curvature > 1 / unknown ? 1 / curvature : unknown));
  return vectors.mmul(Matrix.diag(variances)).mmul(vectors.transpose());
}
