import { describe, expect, it } from 'vitest';
import { estimatesChangeSignals } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type ChangeSignalsProblem,
  type Estimate,
  solveChangeSignals,
} from '../../../src/solvers/change-signals/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { quasiNewton } from '../../../src/solvers/numerics/search/quasi-newton.ts';
import { faultsOf } from '../../certificates/faults-of.ts';

interface Host {
  readonly precision: number;
  readonly recall: number;
  readonly pages: number;
  readonly checks: number;
  /** Changes a check in the middle, 1 where left out. */
  readonly rate?: number;
  /** Rates differ by factors of about e^±spread. */
  readonly spread: number;
}

const exponential = (rate: number, random: Random): number => -Math.log(1 - random()) / rate;

/** Changes and signals one by one, looked at by checks of unequal gaps. */
function observe(hosts: readonly Host[], random: Random, unit = 1): ChangeSignalsProblem {
  const offsets = [0];
  const elapsed: number[] = [];
  const changed: number[] = [];
  const signals: number[] = [];
  const host: number[] = [];
  for (const [h, { precision, recall, pages, checks, spread, rate: middle = 1 }] of hosts.entries()) {
    for (let i = 0; i < pages; i++) {
      const rate = (middle * Math.exp(spread * (2 * random() - 1))) / unit;
      const wrong = (rate * recall * (1 - precision)) / precision;
      let nextChange = exponential(rate, random);
      let nextWrong = exponential(wrong, random);
      let time = 0;
      for (let k = 0; k < checks; k++) {
        const gap = unit * (0.3 + 1.4 * random());
        let seen = 0;
        let said = 0;
        while (nextChange < time + gap) {
          seen = 1;
          if (random() < recall) said++;
          nextChange += exponential(rate, random);
        }
        while (nextWrong < time + gap) {
          said++;
          nextWrong += exponential(wrong, random);
        }
        time += gap;
        elapsed.push(gap);
        changed.push(seen);
        signals.push(said);
      }
      offsets.push(elapsed.length);
      host.push(h);
    }
  }
  return {
    offsets: Uint32Array.from(offsets),
    elapsed: Float64Array.from(elapsed),
    changed: Uint8Array.from(changed),
    signals: Float64Array.from(signals),
    host: Int32Array.from(host),
    names: hosts.map((_, h) => `h${h}`),
    confidence: 0.95,
  };
}

/** The answer of the contract, in which its certificate finds nothing wrong. */
function certified({ offsets, elapsed, changed, signals, host }: ChangeSignalsProblem) {
  const checks = Array.from(elapsed, (gap, k): [number, 0 | 1, number] => [gap, changed[k] === 1 ? 1 : 0, signals[k]]);
  const pages = Array.from(host, (h, i) => ({ host: `h${h}`, checks: checks.slice(offsets[i], offsets[i + 1]) }));
  const answer = estimatesChangeSignals({ pages });
  expect(faultsOf('estimates/change-signals', { pages }, answer)).toEqual([]);
  return { pages, answer };
}

const holds = ({ interval: [low, high] }: Estimate, value: number): boolean => low <= value && value <= high;

describe('precision and recall', () => {
  it('lie in their intervals as often as stated, where pages of a host change at different rates', () => {
    const random = seededRandom(19);
    const truths = [
      { precision: 0.85, recall: 0.8, pages: 25, checks: 10, spread: 1.2 },
      { precision: 0.5, recall: 0.7, pages: 25, checks: 10, spread: 1.2 },
      { precision: 0.3, recall: 0.4, pages: 25, checks: 10, spread: 0.3 },
    ];
    const problem = observe(
      Array.from({ length: 36 }, (_, k) => truths[k % 3]),
      random,
    );
    const { solution, warnings } = solveChangeSignals(problem, unlimitedBudget());
    expect(warnings.map(({ code }) => code)).not.toContain('not-settled');
    let held = 0;
    let bias = 0;
    for (const [k, fit] of solution.hosts.entries()) {
      const { precision, recall } = truths[k % 3];
      if (holds(fit.precision, precision)) held++;
      if (holds(fit.recall, recall)) held++;
      bias += fit.precision.value - precision;
    }
    expect(held / 72).toBeGreaterThan(0.88);
    expect(Math.abs(bias / 36)).toBeLessThan(0.03);
  });

  it('lie in their intervals also where each page has thousands of signals', () => {
    const truth = { precision: 0.3, recall: 0.9, pages: 6, checks: 150, spread: 1.2, rate: 4 };
    const hosts = Array.from({ length: 40 }, () => truth);
    let held = 0;
    let bias = 0;
    const { solution, warnings } = solveChangeSignals(observe(hosts, seededRandom(23)), unlimitedBudget());
    expect(warnings.map(({ code }) => code)).not.toContain('not-settled');
    for (const fit of solution.hosts) {
      if (holds(fit.precision, truth.precision)) held++;
      if (holds(fit.recall, truth.recall)) held++;
      bias += fit.precision.value - truth.precision;
    }
    expect(held / 80).toBeGreaterThan(0.88);
    expect(Math.abs(bias / 40)).toBeLessThan(0.01);
  });

  it('are found with intervals where one check of one page had ten thousand signals, all of them wrong', () => {
    const hosts = [
      { precision: 0.9, recall: 0.8, pages: 14, checks: 12, spread: 0.8 },
      { precision: 0.3, recall: 0.6, pages: 14, checks: 12, spread: 0.8 },
    ];
    for (const seed of [2, 15, 38]) {
      const problem = observe(hosts, seededRandom(seed));
      problem.signals[problem.changed.lastIndexOf(0)] = 10_000;
      const { solution, warnings } = solveChangeSignals(problem, unlimitedBudget());
      expect(
        warnings.map(({ code }) => code),
        `seed ${seed}`,
      ).not.toContain('not-settled');
      certified(problem);
      for (const fit of [solution.hosts[1], solution.overall]) {
        // ten thousand wrong ones, and some hundred that may be right
        expect(fit.precision.interval[1]).toBeLessThan(0.03);
        const [low, high] = fit.changeRate.interval;
        expect(high / low).toBeLessThan(3);
      }
    }
  });

  it('and the rate of changes are numbers where changes come within gaps 300 orders of magnitude shorter than others', () => {
    for (const [short, changed] of [
      [1e-300, (k: number) => (k % 4 === 0 ? 0 : 1)],
      [1e-320, () => 1],
      [1e-300, () => 1],
    ] as const) {
      const times = Array.from({ length: 30 }, (_, k) => k);
      const problem = {
        offsets: Uint32Array.of(0, 30),
        elapsed: Float64Array.from(times, (k) => (k % 2 === 0 ? short : 9)),
        changed: Uint8Array.from(times, changed),
        signals: Float64Array.from(times, (k) => (k % 2 === 0 ? 0 : 13)),
        host: Int32Array.of(0),
        names: ['h0'],
        confidence: 0.95,
      };
      const { precision, recall, changeRate } = solveChangeSignals(problem, unlimitedBudget()).solution.overall;
      for (const {
        value,
        interval: [low, high],
      } of [precision, recall, changeRate]) {
        expect(low <= value && value <= high && high <= Number.MAX_VALUE, `${short}: ${[low, value, high]}`).toBe(true);
      }
    }
  });

  it('do not depend on the unit of time, and rates go with it', () => {
    const host = { precision: 0.7, recall: 0.7, pages: 15, checks: 12, spread: 0.8 };
    const one = solveChangeSignals(observe([host], seededRandom(8)), unlimitedBudget()).solution.overall;
    for (const unit of [1e-9, 86_400]) {
      const other = solveChangeSignals(observe([host], seededRandom(8), unit), unlimitedBudget()).solution.overall;
      expect(other.precision.value).toBeCloseTo(one.precision.value, 3);
      expect(other.recall.value).toBeCloseTo(one.recall.value, 3);
      expect((other.changeRate.value * unit) / one.changeRate.value).toBeCloseTo(1, 2);
    }
  });

  it('stay within 0 and 1 where signals are all right, all wrong, or absent', () => {
    const times = Array.from({ length: 40 }, (_, k) => k);
    for (const [changed, signals] of [
      [(k: number) => k % 2, (k: number) => k % 2],
      [() => 0, () => 1],
      [(k: number) => k % 2, () => 0],
    ]) {
      const problem = {
        offsets: Uint32Array.of(0, 20, 40),
        elapsed: new Float64Array(40).fill(1),
        changed: Uint8Array.from(times, changed),
        signals: Float64Array.from(times, signals),
        host: Int32Array.of(0, 0),
        names: ['h0'],
        confidence: 0.95,
      };
      certified(problem);
    }
  });
});

it('the quasi-Newton method finds the minimum of a narrow valley', () => {
  const rosenbrock = (x: Float64Array) => {
    const [a, b] = [1 - x[0], x[1] - x[0] ** 2];
    return { value: a * a + 100 * b * b, gradient: Float64Array.of(-2 * a - 400 * x[0] * b, 200 * b) };
  };
  const { at, converged } = quasiNewton(rosenbrock, Float64Array.of(-1.2, 1), 1e-9);
  expect(converged).toBe(true);
  expect(at[0]).toBeCloseTo(1, 6);
  expect(at[1]).toBeCloseTo(1, 6);
});
