import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { embarrassmentWeight, zipfClicks } from '../../../src/solvers/estimation/embarrassment-weights.ts';
import { solveArrivalProcess, solveServiceTime, solveUpdateProcess } from '../../../src/solvers/estimation/index.ts';
import { fitArrivals, observeSeries, readArrivals } from '../../../src/solvers/estimation/laws/arrival-process.ts';
import { fitMoments, lawMoments, momentsOf } from '../../../src/solvers/estimation/laws/service-time.ts';
import { rankUpdateLaws } from '../../../src/solvers/estimation/laws/update-process.ts';
import type { ArrivalProcessProblem, ServiceTimeProblem } from '../../../src/solvers/estimation/problem.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { certifyUpdateProcess } from '../../oracles/estimates/update-process.ts';
import { mapSeries } from '../../oracles/map-series.ts';
import { requireDefined } from '../../require-defined.ts';

const fitted = (m1: number, m2: number, m3: number): Distribution => {
  const fit = fitMoments(momentsOf(m1, m2, m3));
  if (fit.kind !== 'fitted') throw new Error(fit.conflict.detail);
  return fit.distribution;
};

describe('a service law from moments', () => {
  it('gives back the three moments of any two exponential branches, at any scale', () => {
    const branch = fc.record({
      p: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      ratio: fc.double({ min: 1.5, max: 1000, noNaN: true }),
      scale: fc.constantFrom(1e-9, 1, 1e9),
    });
    fc.assert(
      fc.property(branch, ({ p, ratio, scale }) => {
        const [a, b] = [scale, scale * ratio];
        const raw = [1, 2, 6].map((f, k) => f * (p * a ** (k + 1) + (1 - p) * b ** (k + 1)));
        const back = lawMoments(fitted(raw[0], raw[1], raw[2])).moments;
        for (const k of [0, 1, 2]) expect(back[k] / raw[k]).toBeCloseTo(1, 7);
      }),
    );
  });

  it('is a mixture of Erlang laws with both moments where the variation is small', () => {
    for (const scv of [0.95, 0.6, 0.5, 0.31, 1 / 3, 0.1, 0.011]) {
      const law = lawMoments(fitted(3, 9 * (1 + scv), 1));
      expect(law.mean).toBeCloseTo(3, 10);
      expect(law.scv).toBeCloseTo(scv, 10);
    }
  });

  it('certifies: moments and samples, and finds a law that was moved', () => {
    const random = seededRandom(8);
    const sample = Float64Array.from({ length: 500 }, () => standardExponential(random) * (random() < 0.3 ? 9 : 1));
    const problems: ServiceTimeProblem[] = [
      { moments: [49207.0356, 2.0527e11, 2.5773e18], scale: 6000 },
      { moments: [3, 12, 60], scale: 1 },
      { moments: [3, 9.001, 28], scale: 1 },
      { moments: [1, 3, 10], scale: 1 },
      { moments: [2, 3, 10], scale: 1 },
      { sample, scale: 2 },
    ];
    for (const problem of problems) {
      const answer = solveServiceTime(problem);
      expect(faultsOf('estimates/service-time', problem, answer), JSON.stringify(answer)).toEqual([]);
      if (answer.status === 'infeasible') continue;
      const moved: Distribution = { type: 'exponential', rate: 1.001 / answer.solution.observed.mean };
      const off = { ...answer, solution: { ...answer.solution, distribution: moved } };
      expect(faultsOf('estimates/service-time', problem, off)).not.toEqual([]);
    }
  });

  it('names the inequality that impossible moments violate', () => {
    const fit = fitMoments(momentsOf(1, 3, 10));
    expect(fit).toMatchObject({
      kind: 'impossible',
      conflict: { inequality: 'm3·m1 > 1.5·m2²', left: 10, right: 13.5 },
    });
    expect(fitMoments(momentsOf(2, 3, 10))).toMatchObject({ kind: 'impossible', conflict: { inequality: 'm2 ≥ m1²' } });
  });

  it('from a sample keeps its three moments, or two where no two branches have the third', () => {
    const random = seededRandom(12);
    const sample = Array.from({ length: 20_000 }, () => standardExponential(random) * (random() < 0.2 ? 40 : 2));
    const { solution, warnings } = solveServiceTime({ sample, scale: 1 });
    for (const k of [0, 1, 2])
      expect(solution?.fitted.moments[k]).toBeCloseTo(requireDefined(solution).observed.moments[k], 6);
    expect(warnings).toEqual([]);
    const two = solveServiceTime({ sample: [1, 1, 1, 1, 1, 1, 1, 1, 1, 30], scale: 1 });
    expect(two.solution?.fitted.scv).toBeCloseTo(requireDefined(two.solution).observed.scv, 10);
    expect(two.warnings).toMatchObject([{ code: 'third-moment-left' }]);
  });
});

describe('the record of arrivals', () => {
  it('is cut into batches, sessions and intervals, from start or from end', () => {
    const times = Float64Array.from([10, 0, 0.5, 13, 13.2, 13.4, 1000, 1004]);
    const starts = readArrivals(times, 1, 100, true);
    expect(Array.from(starts.intervals)).toEqual([10, 3, 4]);
    expect(Array.from(starts.sessionStarts)).toEqual([0, 2]);
    expect(Array.from(starts.batchCounts)).toEqual([0, 3, 1, 1]);
    const ends = readArrivals(times, 1, 100, false);
    expect(Array.from(ends.intervals)).toEqual([9.5, 3, 4]);
  });

  it('has correlations only from pairs inside a session', () => {
    const record = {
      intervals: Float64Array.from([1, 5, 1, 5]),
      sessionStarts: Uint32Array.from([0, 2]),
      batchCounts: Uint32Array.from([0, 6]),
      batches: 6,
    };
    const { mean, variance, correlations } = observeSeries(record, 2);
    expect([mean, variance]).toEqual([3, 4]);
    expect(correlations).toEqual([-1, null]);
  });
});

/** A record whose intervals keep to one of two means for a while, each the sum of some exponential parts. */
function recordOf(seed: number, count: number, parts: number, contrast: number): Float64Array {
  const random = seededRandom(seed);
  const times = new Float64Array(count);
  let slow = false;
  for (let k = 1; k < count; k++) {
    if (random() < 0.1) slow = !slow;
    let gap = 0;
    for (let part = 0; part < parts; part++) gap += standardExponential(random) / parts;
    times[k] = times[k - 1] + (random() < 0.15 ? 1e-4 : (slow ? contrast : 1) * gap);
  }
  return times;
}

const problems = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  count: fc.integer({ min: 60, max: 400 }),
  parts: fc.integer({ min: 1, max: 6 }),
  contrast: fc.constantFrom(1, 2, 10),
  interval: fc.constantFrom('start-to-start' as const, 'end-to-start' as const),
  pauses: fc.boolean(),
});

describe('the arrival process', () => {
  it('has the mean, variance and correlations it says, by dense algebra on its matrices', () => {
    const observed = { mean: 212.03, variance: 2 * 212.03 ** 2, correlations: [0.2, 0.15, 0.12, 0.09] };
    const fit = fitArrivals(observed, null, [0.25, 0.75]);
    const d1 = fit.matrices[1].map((row, i) => row.map((x, j) => x + fit.matrices[2][i][j]));
    const dense = mapSeries(fit.matrices[0], d1, 4);
    expect(dense.mean).toBeCloseTo(observed.mean, 8);
    expect(dense.variance / observed.variance).toBeCloseTo(1, 10);
    for (const [k, r] of dense.correlations.entries()) expect(r).toBeCloseTo(fit.fitted.correlations[k] ?? 2, 10);
    const rows = fit.matrices[0].map((row, i) => row.reduce((a, b) => a + b, 0) + d1[i].reduce((a, b) => a + b, 0));
    for (const sum of rows) expect(sum).toBeCloseTo(0, 12);
  });

  it('fits the decay by least squares and keeps within what the marginal allows', () => {
    const c = 0.25;
    const exact = fitArrivals({ mean: 1, variance: 2, correlations: [0.5, 0.25, 0.125].map((x) => c * x) }, null, [1]);
    expect(exact.eta).toBeCloseTo(0.5, 8);
    const impossible = fitArrivals({ mean: 1, variance: 2, correlations: [0.622, 0.574] }, null, [1]);
    expect(impossible.largestCorrelation).toBeCloseTo(0.25, 12);
    expect(impossible.eta).toBeLessThan(1);
    const negative = fitArrivals({ mean: 1, variance: 2, correlations: [-0.9] }, null, [1]);
    for (const matrix of negative.matrices.slice(1))
      for (const x of matrix.flat()) expect(x).toBeGreaterThanOrEqual(-1e-15);
  });

  it('has no negative rate at the least decay, whatever rounding makes of a rate of 0 there', () => {
    for (let k = 1; k <= 200; k++) {
      const { matrices } = fitArrivals({ mean: 1, variance: 1 + k / 20, correlations: [-1] }, null, [1]);
      expect(Math.min(...matrices[1].flat())).toBeGreaterThanOrEqual(0);
    }
  });

  it('cannot have the correlations the paper prints: its matrices reach .0623 at most', () => {
    const fit = fitArrivals({ mean: 212.03, variance: 51352.38, correlations: [0.622, 0.574, 0.555] }, null, [1]);
    expect(fit.largestCorrelation).toBeCloseTo(0.0623, 3);
  });

  it('simulated from a known process is found again', () => {
    const random = seededRandom(77);
    const rates = [0.02, 0.4];
    let phase = 0;
    let time = 0;
    const times: number[] = [];
    for (let k = 0; k < 60_000; k++) {
      time += standardExponential(random) / rates[phase];
      times.push(time);
      if (random() >= 0.6) phase = random() < 0.3 ? 0 : 1;
    }
    const record = readArrivals(Float64Array.from(times), 0, Number.POSITIVE_INFINITY, true);
    const observed = observeSeries(record, 5);
    let third = 0;
    for (const x of record.intervals) third += x ** 3 / record.intervals.length;
    const fit = fitArrivals(observed, third, [1]);
    expect(fit.shape).toBe('three-moments');
    expect(fit.eta).toBeCloseTo(0.6, 1);
    expect(-fit.matrices[0][0][0]).toBeCloseTo(0.02, 2);
    const back = mapSeries(fit.matrices[0], fit.matrices[1], 5);
    expect(back.mean / observed.mean).toBeCloseTo(1, 9);
    expect(back.variance / observed.variance).toBeCloseTo(1, 9);
    for (const [k, r] of back.correlations.entries())
      expect(Math.abs(r - (observed.correlations[k] ?? 2))).toBeLessThan(0.02);
  });

  it('falls back to a renewal process of the same mean and variance below exponential variation', () => {
    const fit = fitArrivals({ mean: 4, variance: 16 * 0.3, correlations: [0.1] }, null, [1]);
    expect(fit.shape).toBe('mixed-erlang');
    expect(fit.fitted).toMatchObject({ mean: 4, variance: 16 * 0.3, correlations: [0] });
    const poisson = fitArrivals({ mean: 4, variance: 16, correlations: [0.1] }, null, [1]);
    expect(poisson.matrices).toEqual([[[-0.25]], [[0.25]]]);
  });

  it('has by dense algebra the series it says, of every shape, and verify finds nothing wrong', () => {
    const shapes = new Set<string>();
    fc.assert(
      fc.property(problems, ({ seed, count, parts, contrast, interval, pauses }) => {
        const timestamps = recordOf(seed, count, parts, contrast);
        const problem = { timestamps, batchGap: 1e-3, sessionGap: pauses ? 4 : Infinity, lags: 4, interval };
        const answer = solveArrivalProcess(problem, unlimitedBudget());
        expect(faultsOf('estimates/arrival-process', problem, answer)).toEqual([]);
        const { matrices, fitted, arrivalRate } = answer.solution;
        const arrivals = matrices[0].map((row, i) =>
          row.map((_, j) => matrices.slice(1).reduce((sum, d) => sum + d[i][j], 0)),
        );
        const dense = mapSeries(matrices[0], arrivals, 4);
        expect(dense.mean / fitted.mean).toBeCloseTo(1, 7);
        expect(dense.variance / fitted.variance).toBeCloseTo(1, 6);
        for (const [k, r] of dense.correlations.entries()) expect(r).toBeCloseTo(fitted.correlations[k] ?? 0, 6);
        const pages = matrices.reduce(
          (sum, _, size) =>
            sum + size * (answer.solution.batchSizes.find((each) => each.size === size)?.probability ?? 0),
          0,
        );
        expect(arrivalRate / (pages / dense.mean)).toBeCloseTo(1, 7);
        shapes.add(answer.statistics.solver);
      }),
      { numRuns: 150 },
    );
    expect(shapes.size).toBeGreaterThanOrEqual(3);
  });

  const problem: ArrivalProcessProblem = {
    timestamps: recordOf(7, 250, 2, 6),
    batchGap: 1e-3,
    sessionGap: 20,
    lags: 3,
    interval: 'start-to-start',
  };

  it('with a wrong rate of a matrix or of pages fails verify', () => {
    const answer = solveArrivalProcess(problem, unlimitedBudget());
    const { matrices, arrivalRate } = answer.solution;
    const [d0, ...others] = matrices;
    const moved = d0.map((row, i) => row.map((rate, j) => (i === 0 && j === 0 ? 1.01 * rate : rate)));
    const found = (changed: Partial<typeof answer.solution>): string => {
      const off = { ...answer, solution: { ...answer.solution, ...changed } };
      return faultsOf('estimates/arrival-process', problem, off).join('\n');
    };
    expect(found({ matrices: [moved, ...others] })).toMatch(/row 0 of the matrices sums to/);
    expect(found({ arrivalRate: 1.001 * arrivalRate })).toMatch(/solution.arrivalRate is/);
  });
});

describe('the law of updates', () => {
  const laws: readonly Distribution[] = [
    { type: 'weibull', shape: 0.6, scale: 10 },
    { type: 'lomax', shape: 1.5, scale: 5 },
    { type: 'gamma', shape: 3, rate: 2 },
    { type: 'lognormal', mu: 1, sigma: 1.2 },
  ];
  it.each(laws.map((law) => [law.type, law] as const))('ranks %s first on a sample of it', (type, distribution) => {
    const law = createLaw(distribution);
    const random = seededRandom(5);
    const gaps = Float64Array.from({ length: 3000 }, () => law.sample(random));
    const [best, ...others] = rankUpdateLaws(gaps, 0);
    expect(best.distribution.type).toBe(type);
    expect(best.ks).toBeLessThan(0.03);
    for (const other of others) expect(other.aic).toBeGreaterThanOrEqual(best.aic);
  });

  it('is at a maximum of the likelihood that its density and survival give, with a gap still open', () => {
    const random = seededRandom(6);
    const law = createLaw({ type: 'gamma', shape: 0.7, rate: 0.1 });
    const problem = { gaps: Float64Array.from({ length: 200 }, () => law.sample(random)), openGap: 25 };
    const answer = solveUpdateProcess(problem, unlimitedBudget()).solution;
    expect(answer.candidates).toHaveLength(5);
    expect(certifyUpdateProcess(problem, answer)).toEqual([]);
    const moved = answer.candidates.map((each) =>
      each.distribution.type === 'weibull'
        ? { ...each, distribution: { ...each.distribution, shape: 1.1 * each.distribution.shape } }
        : each,
    );
    expect(certifyUpdateProcess(problem, { candidates: moved }).join()).toMatch(/weibull: .* larger log-likelihood/);
    expect(certifyUpdateProcess(problem, { candidates: answer.candidates.toReversed() }).join()).toMatch(/larger AIC/);
  });
});

describe('embarrassment weights', () => {
  it('are the double sum of equation (8)', () => {
    expect(
      embarrassmentWeight(
        [
          [0.4, 0.1],
          [0.2, 0.05],
        ],
        [
          [1, 0],
          [0.5, 0.5],
        ],
        0.5,
      ),
    ).toBeCloseTo(0.2625, 14);
  });

  it('by Zipf and geometric sum to 1 before the geometric factor', () => {
    const clicks = zipfClicks({ zipf: 0.3, continue: 1, positions: 10, pages: 5 });
    expect(clicks.flat().reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const faded = zipfClicks({ zipf: 0.3, continue: 0.8, positions: 10, pages: 5 });
    expect(faded[3][2] / clicks[3][2]).toBeCloseTo(0.64, 12);
    expect(clicks[0][0] / clicks[0][1]).toBeCloseTo(11 ** 0.7, 10);
  });
});
