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
import { type Warning, warning } from '../answer.ts';
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { findSiteEdits, type SiteEditsAnswer, siteEditWarnings } from '../estimation/index.ts';
import { quasiNewton } from '../numerics/search/quasi-newton.ts';
import { standardNormalQuantile } from '../numerics/special/normal-quantile.ts';
import { GroupLikelihood } from './likelihood.ts';
import type { ChangeSignalsProblem, Estimate, SignalFit } from './problem.ts';

const largestSample = 500;
const tolerance = 1e-6;
/** Half the width of an interval of which nothing is known, as a logarithm: near the end of what doubles hold. */
const widest = 600;
/** The variance in a direction of which nothing is known. */
const unknown = 1e9;

/** @throws NothingToReturn when the budget ends first */
export function solveChangeSignals(problem: ChangeSignalsProblem, budget: Budget) {
  const { names } = problem;
  const byHost: number[][] = names.map(() => []);
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
  return {
    status: 'evaluated' as const,
    solution: {
      hosts: hosts.flatMap((found, h) => (found === null ? [] : [{ host: names[h], ...found.fit }])),
      overall: overall.fit,
    },
    warnings: warningsOf(names, hosts),
    statistics: { solver: 'marginal-likelihood', pages: overall.fit.pages, checks: overall.fit.checks },
  };
}

interface Found {
  readonly fit: SignalFit;
  /** Whether the search for the likeliest point came to its end. */
  readonly settled: boolean;
}

const besideEdits =
  'the checks that span such an edit are set aside, and precision and recall are of the pages’ own changes';

function warningsOf(names: readonly (string | null)[], hosts: readonly (Found | null)[]): Warning[] {
  const edits = hosts.map((found) => ({
    edits: found?.fit.siteEdits ?? 0,
    changes: found?.fit.changes ?? 0,
    withEdits: found?.fit.changesWithEdits ?? 0,
  }));
  const say = (code: string, isSo: (found: Found) => boolean, what: string): Warning[] => {
    const listed = names.filter((_, h) => hosts[h] !== null && isSo(hosts[h]));
    if (listed.length === 0) return [];
    const first = listed.slice(0, 5).map((name) => name ?? 'pages without a host');
    return [warning(code, `${what}, of ${listed.length} in all (first: ${first.join(', ')})`, ['pages'])];
  };
  return [
    ...say(
      'few-signals',
      ({ fit }) => fit.signals < 10 || fit.changes < 10,
      'hosts have fewer than ten signals or changes: their intervals say how little that shows',
    ),
    ...say(
      'not-settled',
      ({ settled }) => !settled,
      'the search for the likeliest precision and recall did not settle for hosts',
    ),
    ...say(
      'sampled',
      ({ fit }) => fit.pages > largestSample,
      `precision and recall rest on ${largestSample} pages or fewer of hosts that have more`,
    ),
    ...siteEditWarnings(names, edits, besideEdits),
  ];
}

/**
 * The edits of every host. Some hosts have no page that says when it was last checked. The checks of all its pages are
 * then taken to end at one moment, or to begin at one: whichever shows more edits. On wrong clocks changes do not
 * coincide.
 */
function siteEditsOf(problem: ChangeSignalsProblem, poll: Poll): SiteEditsAnswer {
  const { host, offsets, elapsed, lastCheck: given } = problem;
  const hosts = problem.names.length;
  const dated = new Uint8Array(hosts);
  for (const [i, last] of (given ?? []).entries()) if (!Number.isNaN(last)) dated[host[i]] = 1;
  const known = given ?? new Float64Array(host.length);
  const clock = (end: (i: number) => number): Float64Array =>
    Float64Array.from(host, (h, i) => (dated[h] === 1 ? known[i] : end(i)));
  const ending = findSiteEdits({ ...problem, hosts, lastCheck: clock(() => 0) }, poll);
  if (dated.every((each) => each === 1)) return ending;
  const watched = (i: number): number =>
    elapsed.subarray(offsets[i], offsets[i + 1]).reduce((sum, gap) => sum + gap, 0);
  const beginning = findSiteEdits({ ...problem, hosts, lastCheck: clock(watched) }, poll);
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
): Found {
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
  const fit = {
    ...totals.counts,
    siteEdits: edits,
    precision: share(at[0], halfWidth(covariance.get(0, 0))),
    recall: share(at[1], halfWidth(covariance.get(1, 1))),
    signalRate: scaled(signalRate, halfWidth(ofSignals)),
    changeRate: scaled((signalRate * precision) / recall, halfWidth(ofSignals + ofRatio)),
  };
  return { fit, settled };
}

function share(logit: number, spread: number): Estimate {
  const [low, value, high] = [logit - spread, logit, logit + spread].map((each) => 1 / (1 + Math.exp(-each)));
  return { value, interval: [low, high] };
}

function scaled(value: number, spread: number): Estimate {
  return { value, interval: [value * Math.exp(-spread), Math.min(Number.MAX_VALUE, value * Math.exp(spread))] };
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
