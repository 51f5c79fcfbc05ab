import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { poissonMixture } from '../../../src/solvers/threshold-policy/sojourn-times.ts';
import { mapSeries } from '../../oracles/map-series.ts';
import { requireDefined } from '../../require-defined.ts';
import { example, exampleCosts, measuresIn, realMatrices, twoPhases } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';
import { dot, naivePages, naiveViews, resolvent } from './naive-queue.ts';

const policyOf = ({ capacity }: QueueDescription): number[] => [3, 3, 1, 1].slice(0, capacity + 1);

/** A table of two modes by phases, as the solver takes it and as the naive queue does. */
function tableOf(queue: QueueDescription) {
  const counts = policyOf(queue);
  const at = (length: number, v: number, m: number | null): number => (v === 0 && m !== 1 ? counts[length] : 3);
  const phases: [number, number][] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const table = counts.map((_, length) => phases.map(([v, m]) => at(length, v, length === 0 ? null : m)));
  return { at, crawlersByState: { phases, table } };
}

const queues: [string, QueueDescription][] = [
  ['first in first out', example({ capacity: 3 })],
  ['obsolescence of two phases', example({ capacity: 3, obsolescence: twoPhases })],
  ['complete admission', example({ capacity: 2, admission: 'complete-admission' })],
];
/** start·e^(Tt) by many short steps of the fourth order. */
function massAfter(generator: readonly Float64Array[], start: Float64Array, t: number): Float64Array {
  let mass = start.slice();
  const steps = Math.ceil(400 * t);
  const flow = (x: Float64Array): Float64Array => {
    const out = new Float64Array(x.length);
    for (const [i, share] of x.entries())
      if (share !== 0) for (let j = 0; j < out.length; j++) out[j] += share * generator[i][j];
    return out;
  };
  const along = (x: Float64Array, d: Float64Array, h: number): Float64Array => x.map((value, i) => value + h * d[i]);
  for (let k = 0; k < steps; k++) {
    const h = t / steps;
    const a = flow(mass);
    const b = flow(along(mass, a, h / 2));
    const c = flow(along(mass, b, h / 2));
    const d = flow(along(mass, c, h));
    mass = mass.map((value, i) => value + (h / 6) * (a[i] + 2 * b[i] + 2 * c[i] + d[i]));
  }
  return mass;
}

const tables: [string, QueueDescription][] = [['a table by phases', example({ capacity: 3 })]];

describe('the laws of the times of pages', () => {
  it.each([...queues, ...tables])('are those of the dense chain: %s', (name, queue) => {
    const { at, crawlersByState } = tableOf(queue);
    const table = name.startsWith('a table');
    const [times, transformAt] = [
      [0, 0.4, 1.5],
      [0, 0.3, 2],
    ];
    const measures = measuresIn(
      solveThresholdPolicy(
        {
          ...queue,
          costs: exampleCosts,
          evaluate: table ? { crawlersByState } : { crawlersByQueueLength: policyOf(queue) },
          measures: {
            response: { quantiles: [0.5, 0.99], times, transformAt },
            expired: { quantiles: [0.5, 0.99], times, transformAt },
          },
        },
        unlimitedBudget(),
      ),
    );
    const pages = naivePages(queue, table ? at : policyOf(queue));
    for (const fate of ['served', 'expired'] as const) {
      const law = requireDefined(Reflect.get(measures, fate === 'served' ? 'response' : 'expired'));
      const chance = resolvent(pages.generator, 0, pages[fate]);
      const first = resolvent(pages.generator, 0, chance);
      const second = resolvent(pages.generator, 0, first);
      const total = dot(pages.start, chance);
      const mean = dot(pages.start, first) / total;
      expect(law.mean).toBeCloseTo(mean, 9);
      expect(law.variance).toBeCloseTo((2 * dot(pages.start, second)) / total - mean ** 2, 7);
      for (const [i, s] of transformAt.entries()) {
        expect(requireDefined(law.transform)[i].value).toBeCloseTo(
          dot(pages.start, resolvent(pages.generator, s, pages[fate])) / total,
          9,
        );
      }
      for (const [i, t] of times.entries()) {
        const later = dot(massAfter(pages.generator, pages.start, t), chance);
        expect(requireDefined(law.distribution)[i].probability).toBeCloseTo(1 - later / total, 7);
      }
      for (const { probability, time } of requireDefined(law.quantiles)) {
        const later = dot(massAfter(pages.generator, pages.start, time), chance);
        expect(1 - later / total).toBeCloseTo(probability, 6);
      }
    }
  });

  it('have no expired pages where none expires', () => {
    const problem = { ...example({ obsolescence: null }), costs: exampleCosts, measures: { expired: {} } };
    expect(measuresIn(solveThresholdPolicy(problem, unlimitedBudget())).expired).toBeNull();
  });
});

describe('the views of three observers', () => {
  it.each([...queues, ...tables])('are those of the dense chain: %s', (name, queue) => {
    const table = name.startsWith('a table');
    const counts = policyOf(queue);
    const { at, crawlersByState } = tableOf(queue);
    const evaluate = table ? { crawlersByState } : { crawlersByQueueLength: counts };
    const problem = { ...queue, costs: exampleCosts, evaluate, measures: { distribution: true, phases: true } };
    const measures = measuresIn(solveThresholdPolicy(problem, unlimitedBudget()));
    const views = naiveViews(queue, table ? at : counts);
    for (const observer of ['atAnyTime', 'atArrivals', 'atDepartures'] as const) {
      const view = views[observer];
      const share = (kind: string, i: number): number => {
        let total = 0;
        for (const [what, weight] of view) if (what.startsWith(kind)) total += weight;
        return (view.get(`${kind} ${i}`) ?? 0) / total;
      };
      const lengths = requireDefined(measures.queueLengths)[observer];
      for (const [i, probability] of lengths.entries()) expect(probability).toBeCloseTo(share('length', i), 9);
      const { arrival, service } = requireDefined(measures.phases)[observer];
      for (const [v, probability] of arrival.entries()) expect(probability).toBeCloseTo(share('arrival', v), 9);
      for (const [m, probability] of service.entries()) expect(probability).toBeCloseTo(share('service', m), 9);
    }
  });
});

describe('the arrivals of a mode', () => {
  it('have the gaps that dense algebra on their matrices gives', () => {
    const matrices = realMatrices();
    const problem = {
      ...example({ capacity: 2, arrivals: { model: 'scaled', matrices, factors: [1] } }),
      costs: exampleCosts,
      measures: { modes: true },
    };
    const [mode] = requireDefined(measuresIn(solveThresholdPolicy(problem, unlimitedBudget())).modes);
    const [d0, ...batches] = matrices;
    const arrivals = d0.map((row, i) => row.map((_, j) => batches.reduce((sum, d) => sum + d[i][j], 0)));
    const dense = mapSeries(d0, arrivals, 5);
    expect(1 / mode.batchRate / dense.mean).toBeCloseTo(1, 9);
    expect(requireDefined(mode.gapVariance) / dense.variance).toBeCloseTo(1, 9);
    expect(mode.gapCorrelations).toEqual(dense.correlations.map((correlation) => expect.closeTo(correlation, 9)));
  });
});

describe('what is served by a time', () => {
  it('is the Poisson mixture, and all of it however far the time lies beyond the last jump', () => {
    // b_n of a geometric number of jumps: Σ Poisson(n; m)·(1 − 2^{−n}) = 1 − e^{−m/2}
    const served = Array.from({ length: 60 }, (_, n) => 1 - 2 ** -n);
    for (const mean of [0.1, 1, 7, 30]) {
      expect(poissonMixture(served, mean)).toBeCloseTo(-Math.expm1(-mean / 2), 12);
    }
    for (const mean of [200, 4100, 1e6, 1e30, 1e308, Number.POSITIVE_INFINITY]) {
      expect(poissonMixture(served, mean)).toBeCloseTo(1, 15);
    }
  });
});

describe('quantiles of the response time', () => {
  it.each([1, 6])('are those of the M/M/1/K queue (K = %i)', (capacity) => {
    const [lambda, mu] = [1.5, 2];
    const exponential = (rate: number) => ({ initial: [1], generator: [[-rate]] });
    const quantiles = [0.001, 0.1, 0.5, 0.9, 0.99, 0.9999];
    const problem = {
      capacity,
      arrivals: { model: 'per-mode', modes: [{ crawlers: 1, matrices: [[[-lambda]], [[lambda]]] }] },
      service: exponential(mu),
      obsolescence: null,
      costs: exampleCosts,
      measures: { response: { quantiles } },
    } as const;
    const { response } = measuresIn(solveThresholdPolicy(problem, unlimitedBudget()));
    // An accepted page finds i others with probability ∝ (λ/μ)^i and stays for an Erlang time of i + 1 stages.
    const weights = Array.from({ length: capacity }, (_, i) => (lambda / mu) ** i);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const probabilityBy = (t: number): number =>
      weights.reduce((sum, weight, i) => {
        let term = Math.exp(-mu * t);
        let tail = term;
        for (let k = 1; k <= i; k++) {
          term *= (mu * t) / k;
          tail += term;
        }
        return sum + (weight / total) * (1 - tail);
      }, 0);
    for (const { time, probability } of requireDefined(requireDefined(response).quantiles))
      expect(probabilityBy(time)).toBeCloseTo(probability, 9);
  });
});
