/** Change rates of a million pages, 30 checks each: in process, at regular and at irregular checks. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type CheckHistory, solveChangeRates } from '../src/solvers/estimation/index.ts';
import type { ChangeRatesProblem } from '../src/solvers/estimation/problem.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { Benchmark } from './benchmark.ts';

const pages = 1_000_000;
const checks = 30;

function history(regular: boolean): CheckHistory {
  const random = seededRandom(1);
  const offsets = new Uint32Array(pages + 1);
  const elapsed = new Float64Array(pages * checks);
  const outcome = new Uint8Array(pages * checks);
  for (let i = 0; i < pages; i++) {
    offsets[i + 1] = (i + 1) * checks;
    const rate = Math.exp(4 * random() - 3);
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      elapsed[k] = regular ? 1 : 0.2 + 2 * random();
      outcome[k] = random() < -Math.expm1(-rate * elapsed[k]) ? 1 : 0;
    }
  }
  return { offsets, elapsed, outcome };
}

/** The likelihood's slope at the estimate is 0, for a sample of pages, by the formula of the model. */
function verify({ offsets, elapsed, outcome }: CheckHistory, rate: Float64Array): void {
  for (let i = 0; i < pages; i += 9973) {
    let changeTerm = 0;
    let survivalTerm = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      if (outcome[k] === 1) changeTerm += elapsed[k] / Math.expm1(rate[i] * elapsed[k]);
      else survivalTerm += elapsed[k];
    }
    const isDegenerate = changeTerm === 0 || survivalTerm === 0;
    if (!isDegenerate && Math.abs(changeTerm / survivalTerm - 1) > 1e-8)
      throw new Error(`page ${i}: slope ${changeTerm - survivalTerm}`);
  }
}

type Options = Omit<ChangeRatesProblem, 'history'>;
const plain: Options = { method: 'maximum-likelihood', prior: 'none', confidence: 0.95 };
const cases: readonly [name: string, regular: boolean, options: Options][] = [
  ['regular checks, maximum likelihood', true, plain],
  ['irregular checks, maximum likelihood', false, plain],
  ['irregular checks, bias-reduced', false, { ...plain, method: 'bias-reduced' }],
  ['irregular checks, empirical Bayes', false, { ...plain, prior: 'empirical-bayes' }],
];
const histories = new Map<boolean, CheckHistory>();

const benchmarkOf = (name: string, regular: boolean, options: Options): Benchmark => {
  const ownHistory = (): CheckHistory => {
    const pageHistory = histories.get(regular) ?? history(regular);
    histories.set(regular, pageHistory);
    return pageHistory;
  };
  return {
    name: `change-rates, 1e6 pages of 30 checks, with intervals: ${name}`,
    target: 'under 5 s',
    repetitions: 3,
    check: () =>
      verify(
        ownHistory(),
        solveChangeRates({ history: ownHistory(), ...plain }, unlimitedBudget()).solution.pages.rate,
      ),
    run: () => {
      solveChangeRates({ history: ownHistory(), ...options }, unlimitedBudget());
    },
  };
};

export const benchmarks: readonly Benchmark[] = cases.map(([name, regular, options]) =>
  benchmarkOf(name, regular, options),
);
