import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { defined } from '../../defined.ts';
import { mapSeries } from '../../oracles/map-series.ts';
import { solveThresholdPolicy } from './answered.ts';
import { example, exampleCosts, measuresIn, realMatrices } from './cases.ts';
import { naivePages, naiveViews, solveDense } from './naive-queue.ts';
import { policyOf, tableOf, twoPhases } from './two-policies.ts';

const queues: [string, QueueDescription][] = [
  ['first in first out', example({ capacity: 3 })],
  ['obsolescence of two phases', example({ capacity: 3, obsolescence: twoPhases })],
  ['complete admission', example({ capacity: 2, admission: 'complete-admission' })],
];
/** x with (s·I − T)x = right. */
function resolvent(generator: readonly Float64Array[], s: number, right: Float64Array): Float64Array {
  const n = right.length;
  return solveDense(
    generator.map((row, i) =>
      Float64Array.from({ length: n + 1 }, (_, j) => (j === n ? right[i] : (i === j ? s : 0) - row[j])),
    ),
  );
}

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

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);

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
      const law = defined(Reflect.get(measures, fate === 'served' ? 'response' : 'expired'));
      const chance = resolvent(pages.generator, 0, pages[fate]);
      const first = resolvent(pages.generator, 0, chance);
      const second = resolvent(pages.generator, 0, first);
      const total = dot(pages.start, chance);
      const mean = dot(pages.start, first) / total;
      expect(law.mean).toBeCloseTo(mean, 9);
      expect(law.variance).toBeCloseTo((2 * dot(pages.start, second)) / total - mean ** 2, 7);
      for (const [i, s] of transformAt.entries()) {
        expect(defined(law.transform)[i].value).toBeCloseTo(
          dot(pages.start, resolvent(pages.generator, s, pages[fate])) / total,
          9,
        );
      }
      for (const [i, t] of times.entries()) {
        const later = dot(massAfter(pages.generator, pages.start, t), chance);
        expect(defined(law.distribution)[i].probability).toBeCloseTo(1 - later / total, 7);
      }
      for (const { probability, time } of defined(law.quantiles)) {
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
      const seen = views[observer];
      const share = (kind: string, i: number): number => {
        let total = 0;
        for (const [what, weight] of seen) if (what.startsWith(kind)) total += weight;
        return (seen.get(`${kind} ${i}`) ?? 0) / total;
      };
      const lengths = defined(measures.queueLengths)[observer];
      for (const [i, probability] of lengths.entries()) expect(probability).toBeCloseTo(share('length', i), 9);
      const { arrival, service } = defined(measures.phases)[observer];
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
    const [mode] = defined(measuresIn(solveThresholdPolicy(problem, unlimitedBudget())).modes);
    const [d0, ...batches] = matrices;
    const arrivals = d0.map((row, i) => row.map((_, j) => batches.reduce((sum, d) => sum + d[i][j], 0)));
    const dense = mapSeries(d0, arrivals, 5);
    expect(1 / mode.batchRate / dense.mean).toBeCloseTo(1, 9);
    expect(defined(mode.gapVariance) / dense.variance).toBeCloseTo(1, 9);
    expect(mode.gapCorrelations).toEqual(dense.correlations.map((correlation) => expect.closeTo(correlation, 9)));
  });
});
