/**
 * Checks precision and recall against the model as it is stated, by code of its own: check by check, no pooling, the
 * pages' rates integrated on a grid of another width, slopes by differences of the likelihood itself.
 */
import type { ChangeSignalsAnswer, ChangeSignalsProblem, SignalFit } from './problem.ts';

/** Deviations of ln λ on either side of its mean that the grid takes in. */
const reach = 10;
/** Checks times points of half a grid that are looked at. */
const mostTerms = 1e6;

/**
 * What is wrong with the answer; empty where nothing is. Hosts of so many checks and signals that the grid would be
 * large are only looked at for their ranges.
 */
export function certifyChangeSignals(problem: ChangeSignalsProblem, answer: ChangeSignalsAnswer): string[] {
  return answer.hosts.flatMap((fit, h) => {
    if (fit === null) return [];
    const pages = Array.from(problem.host.keys()).filter((i) => problem.host[i] === h);
    return faultsOf(problem, pages, fit).map((fault) => `host ${h}: ${fault}`);
  });
}

function faultsOf(problem: ChangeSignalsProblem, pages: readonly number[], fit: SignalFit): string[] {
  const faults: string[] = [];
  for (const [name, { value, low, high }] of Object.entries({ precision: fit.precision, recall: fit.recall })) {
    if (!(0 < low && low <= value && value <= high && high < 1)) faults.push(`${name} is ${value}, ${low} to ${high}`);
  }
  const balance = fit.signalRate.value * fit.precision.value - fit.changeRate.value * fit.recall.value;
  if (Math.abs(balance) > 1e-9 * fit.signalRate.value) faults.push('right signals are not the signalled changes');
  const terms = pages.reduce((sum, i) => {
    return sum + ((problem.offsets[i + 1] - problem.offsets[i]) * reach) / gridStep(problem, i, Math.exp(fit.point[3]));
  }, 0);
  if (terms > mostTerms || !fit.settled) return faults;
  const best = logPosterior(problem, pages, fit.point);
  for (let k = 0; k < 2; k++) {
    const [up, down] = [0.05, -0.05].map((by) =>
      logPosterior(
        problem,
        pages,
        fit.point.map((x, i) => (i === k ? x + by : x)),
      ),
    );
    if (up > best + 1e-4 || down > best + 1e-4)
      faults.push(`the likelihood rises from ${best} to ${Math.max(up, down)}`);
  }
  return faults;
}

/** In deviations of ln λ, as fine as the page's own signals and changes tell its rate. */
function gridStep({ offsets, changed, signals }: ChangeSignalsProblem, i: number, spread: number): number {
  let events = 1;
  for (let k = offsets[i]; k < offsets[i + 1]; k++) events += signals[k] + changed[k];
  return Math.min(0.1, 0.3 / (spread * Math.sqrt(events)));
}

/** ln of the density at logit p, logit ρ, the mean and the log spread of ln λ. */
function logPosterior(problem: ChangeSignalsProblem, pages: readonly number[], point: Float64Array): number {
  const { offsets, elapsed, changed, signals } = problem;
  const p = 1 / (1 + Math.exp(-point[0]));
  const recall = 1 / (1 + Math.exp(-point[1]));
  const spread = Math.exp(point[3]);
  let sum = 0.5 * Math.log(p * (1 - p)) + 0.5 * Math.log(recall * (1 - recall)) - point[3] - 0.5 / spread ** 2;
  for (const i of pages) {
    if (offsets[i] === offsets[i + 1]) continue;
    const terms: number[] = [];
    const step = gridStep(problem, i, spread);
    for (let u = -reach; u <= reach; u += step) {
      const rate = Math.exp(point[2] + u * spread);
      let log = Math.log(step / Math.sqrt(2 * Math.PI)) - 0.5 * u * u;
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const unchanged = Math.exp(-(1 - recall) * rate * elapsed[k]) * (1 - p) ** signals[k];
        log += Math.log(changed[k] === 1 ? 1 - unchanged : unchanged);
        log += signals[k] * Math.log((rate * recall) / p) - (rate * recall * elapsed[k]) / p;
      }
      terms.push(log);
    }
    const peak = Math.max(...terms);
    sum += peak + Math.log(terms.reduce((total, each) => total + Math.exp(each - peak), 0));
  }
  return sum;
}
