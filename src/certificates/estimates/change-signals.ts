/**
 * Checks precision and recall against the model as it is stated, by code of its own: check by check, without pooling.
 * It integrates the pages' rates on a grid of another width, and takes slopes by differences of the likelihood itself.
 */

import type { ChangeSignalsProblem } from '../../solvers/change-signals/problem.ts';
import { listIn, numberIn, numbersIn, objectAt, type WireObject, WireTable, warningCodes } from '../wire.ts';

type Checks = Pick<ChangeSignalsProblem, 'offsets' | 'elapsed' | 'changed' | 'signals'>;

/** Deviations of ln λ on either side of its mean that the grid takes in. */
const reach = 10;
/** Deviations and means of ln λ are looked for in so many steps of golden sections, in turn. */
const sections = 14;
const turns = 3;
/** Grid points of all checks up to which a host's likelihood is computed again. */
const mostProfiled = 1e5;

/**
 * What is wrong with the answer; empty where nothing is. The answer does not give the pages' rates. The certificate
 * finds the likeliest ones, for the answer's precision and recall and for each of them moved a little. Where a host's
 * checks and signals would make the grid large, it checks the ranges only.
 */
export function verifyChangeSignals(request: WireObject, answer: WireObject): string[] {
  const pages = new WireTable(request.pages, 'pages');
  const names = pages.texts('host').map((name) => name ?? '');
  const lists = pages.lists('checks').map((list) => (list ?? []).map((check) => numbersOf(check)));
  const offsets = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = offsets[i] + list.length;
  const all = lists.flat();
  const problem: Checks = {
    offsets,
    elapsed: Float64Array.from(all, ([elapsed]) => elapsed),
    changed: Uint8Array.from(all, ([, seen]) => seen),
    signals: Float64Array.from(all, ([, , signals]) => signals),
  };
  // of very many pages a part is looked at, which the answer does not name
  const looked = !warningCodes(answer).some((code) => code === 'not-settled' || code === 'sampled');
  return listIn(objectAt(answer, 'solution'), 'hosts').flatMap((each) => {
    const fit = objectAt(each);
    const name = typeof fit.host === 'string' ? fit.host : '';
    const own = Array.from(names.keys()).filter((i) => names[i] === name);
    return faultsOfFit(problem, own, fit, looked).map((fault) => `host ${name}: ${fault}`);
  });
}

function numbersOf(check: unknown): [number, number, number] {
  const [elapsed, seen, signals] = listIn({ check }, 'check');
  return [Number(elapsed), seen === true || seen === 1 ? 1 : 0, Number(signals)];
}

function faultsOfFit(problem: Checks, own: readonly number[], fit: WireObject, looked: boolean): string[] {
  const [precision, recall, signalRate, changeRate] = ['precision', 'recall', 'signalRate', 'changeRate'].map(
    (name) => {
      const part = objectAt(fit, name);
      const [low, high] = numbersIn(part, 'interval');
      return { value: numberIn(part, 'value'), low, high };
    },
  );
  const faults: string[] = [];
  for (const [name, { value, low, high }] of Object.entries({ precision, recall })) {
    if (!(0 < low && low <= value && value <= high && high < 1)) faults.push(`${name} is ${value}, ${low} to ${high}`);
  }
  const balance = signalRate.value * precision.value - changeRate.value * recall.value;
  if (Math.abs(balance) > 1e-9 * signalRate.value) faults.push('right signals are not the signalled changes');
  const checks = own.reduce((sum, i) => sum + problem.offsets[i + 1] - problem.offsets[i], 0);
  const terms = own.reduce((sum, i) => {
    return sum + ((problem.offsets[i + 1] - problem.offsets[i]) * 2 * reach) / gridStep(problem, i, 1);
  }, 0);
  if (!looked || faults.length > 0 || checks === 0 || terms > mostProfiled) return faults;
  const logit = (p: number): number => Math.log(p / (1 - p));
  const at = [logit(precision.value), logit(recall.value)] as const;
  const best = likeliest(problem, own, at[0], at[1], changeRate.value);
  for (const [up, across] of [
    [0.1, 0],
    [-0.1, 0],
    [0, 0.1],
    [0, -0.1],
  ]) {
    const moved = likeliest(problem, own, at[0] + up, at[1] + across, changeRate.value);
    if (moved > best + 1e-3) faults.push(`the likelihood rises from ${best} to ${moved}`);
  }
  return faults;
}

/** ln of the density at logit p and logit ρ, with the likeliest mean and spread of ln λ. */
function likeliest(problem: Checks, own: readonly number[], logitP: number, logitRecall: number, rate: number): number {
  let mean = Math.log(rate);
  let spread = Math.log(0.5);
  const density = (m: number, s: number): number =>
    logPosterior(problem, own, Float64Array.of(logitP, logitRecall, m, s));
  for (let turn = 0; turn < turns; turn++) {
    const width = 4 / 3 ** turn;
    mean = goldenMost((m) => density(m, spread), mean - width, mean + width);
    spread = goldenMost((s) => density(mean, s), Math.max(-4, spread - width), Math.min(1.5, spread + width));
  }
  return density(mean, spread);
}

/** Where a function with one peak is largest (J. Kiefer 1953). */
function goldenMost(of: (x: number) => number, from: number, to: number): number {
  const share = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  let left = high - share * (high - low);
  let right = low + share * (high - low);
  let [atLeft, atRight] = [of(left), of(right)];
  for (let step = 0; step < sections; step++) {
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - share * (high - low);
      atLeft = of(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + share * (high - low);
      atRight = of(right);
    }
  }
  return (low + high) / 2;
}

/** In deviations of ln λ, as fine as the page's own signals and changes tell its rate. */
function gridStep({ offsets, changed, signals }: Checks, i: number, spread: number): number {
  let events = 1;
  for (let k = offsets[i]; k < offsets[i + 1]; k++) events += signals[k] + changed[k];
  return Math.min(0.1, 0.3 / (spread * Math.sqrt(events)));
}

/** ln of the density at logit p, logit ρ, the mean and the log spread of ln λ. */
function logPosterior(problem: Checks, pages: readonly number[], point: Float64Array): number {
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
