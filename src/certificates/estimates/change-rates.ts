/**
 * Checks estimated change rates against the likelihood as the model states it, term by term. It pools no gaps, brackets
 * nothing and shares nothing with the finder (change-likelihood.ts).
 */
import type { PageRates } from '../../solvers/estimation/changes/change-rates.ts';
import type { ChangeRatesProblem } from '../../solvers/estimation/problem.ts';
import { numbersIn, objectAt, type WireObject, WireTable } from '../wire.ts';
import { changed, changedAtKnownAge, historyIn } from './history.ts';

/** What is wrong with rates said to be of maximum likelihood without a prior; empty where nothing is. */
export function certifyChangeRates(
  { history }: Pick<ChangeRatesProblem, 'history'>,
  { rate, interval: { low, high } }: Pick<PageRates, 'rate' | 'interval'>,
): string[] {
  const { offsets, elapsed, outcome, matters } = history;
  const violations: string[] = [];
  for (let i = 0; i < rate.length; i++) {
    if (!(rate[i] > 0 && rate[i] < Infinity))
      violations.push(`page ${i}: the rate ${rate[i]} is not positive and finite`);
    if (!(low[i] <= rate[i] && rate[i] <= high[i])) {
      violations.push(`page ${i}: the interval from ${low[i]} to ${high[i]} does not hold the rate ${rate[i]}`);
    }
    // dℓ/dλ = Σ_changed τ/(e^{λτ} − 1) + (changes of known age)/λ − (time without a change)
    let rising = 0;
    let falling = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      const counted = outcome[k] === changed ? (matters?.[k] ?? 1) : 0;
      rising += counted === 0 ? 0 : (counted * elapsed[k]) / Math.expm1(rate[i] * elapsed[k]);
      falling += (1 - counted) * elapsed[k];
      if (outcome[k] === changedAtKnownAge) rising += 1 / rate[i];
    }
    // where every check agrees the likelihood has no maximum, and the estimate is another
    if (rising === 0 || falling === 0) continue;
    const slope = Math.abs(rising / falling - 1);
    if (slope > 1e-8) violations.push(`page ${i}: at ${rate[i]} the likelihood still has the relative slope ${slope}`);
  }
  return violations;
}

/** What is wrong with an answer of the contract; the likelihood is looked at where no prior and no correction changed it. */
export function verifyChangeRates(request: WireObject, answer: WireObject): string[] {
  const history = historyIn(request);
  const pages = new WireTable(objectAt(answer, 'solution').pages, 'pages', history.offsets.length - 1);
  const rate = pages.numbers('rate');
  const intervals = pages.lists('interval').map((interval) => numbersIn({ interval: interval ?? [] }, 'interval'));
  const low = Float64Array.from(intervals, (interval) => interval[0]);
  const high = Float64Array.from(intervals, (interval) => (Number.isNaN(interval[1]) ? Infinity : interval[1]));
  const [checks, changes] = ['checks', 'changes'].map((name) => pages.numbers(name));
  const wrong: string[] = [];
  for (const [i, said] of checks.entries()) {
    const own = history.outcome.subarray(history.offsets[i], history.offsets[i + 1]);
    const seen = own.reduce((sum, outcome) => sum + (outcome === 0 ? 0 : 1), 0);
    if (own.length !== said) wrong.push(`page ${i} has ${own.length} checks, not ${said}`);
    if (seen !== changes[i]) wrong.push(`page ${i} has ${seen} changes, not ${changes[i]}`);
  }
  const plain =
    (request.prior ?? 'none') === 'none' && (request.method ?? 'maximum-likelihood') === 'maximum-likelihood';
  const looked = plain ? history : { ...history, offsets: new Uint32Array(history.offsets.length) };
  return [...wrong, ...certifyChangeRates({ history: looked }, { rate, interval: { low, high } })];
}
