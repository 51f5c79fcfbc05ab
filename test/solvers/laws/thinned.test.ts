/**
 * Updates that matter with a chance: the law of the time between them, against closed forms, plain sums and drawn gaps.
 */
import { describe, expect, it } from 'vitest';
import { thinnedMoments } from '../../../src/solvers/laws/families/thinned-table.ts';
import { createLaw, type Distribution, thinnedLaw } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

/** Four standard errors of a mean, and a rounding. */
const errorOf = (square: number, mean: number, draws: number): number =>
  4 * Math.sqrt(Math.max(0, square - mean ** 2) / draws) + 1e-9;

const times = [1e-6, 0.01, 0.3, 1, 2.5, 7, 30, 200, 1e4];

describe('the time between updates that matter', () => {
  it.each([0.9, 0.5, 0.05])(
    'is exponential for exponential gaps, by phases and by the renewal equation (p = %s)',
    (p) => {
      const gap = createLaw({ type: 'exponential', rate: 2 });
      const exact = createLaw({ type: 'exponential', rate: 2 * p });
      const table = thinnedMoments(gap, p);
      const law = thinnedLaw(gap, p);
      for (const t of times) {
        expect(law.truncatedMean(t) / exact.truncatedMean(t)).toBeCloseTo(1, 12);
        expect(table.truncatedMean(t) / exact.truncatedMean(t)).toBeCloseTo(1, 5);
        expect(table.truncatedSecondMoment(t) / exact.truncatedSecondMoment(t)).toBeCloseTo(1, 4);
        expect(table.survival(t)).toBeCloseTo(exact.survival(t), 4);
      }
      expect(law.mean).toBeCloseTo(exact.mean, 12);
      expect(law.secondMoment).toBeCloseTo(exact.secondMoment, 12);
      expect(law.laplaceComplement(3) / exact.laplaceComplement(3)).toBeCloseTo(1, 12);
    },
  );

  it('agrees by phases and by the renewal equation for Erlang gaps', () => {
    const gap = createLaw({ type: 'erlang', shape: 3, rate: 3 });
    const law = thinnedLaw(gap, 0.3);
    const table = thinnedMoments(gap, 0.3);
    for (const t of times) {
      expect(table.truncatedMean(t) / law.truncatedMean(t)).toBeCloseTo(1, 5);
      expect(table.truncatedSecondMoment(t) / law.truncatedSecondMoment(t)).toBeCloseTo(1, 4);
    }
  });

  it('asks a heavy-tailed gap little more often where the chance is small and stages are many', () => {
    const gap = createLaw({ type: 'lognormal', mu: 0, sigma: 3 });
    const asked = [1 / 2, 1 / 64].map((p) => {
      let moments = 0;
      const count = (moment: (t: number) => number) => (t: number) => {
        moments++;
        return moment(t);
      };
      const { mean, secondMoment } = gap;
      const [truncatedMean, truncatedSecondMoment] = [count(gap.truncatedMean), count(gap.truncatedSecondMoment)];
      thinnedMoments({ mean, secondMoment, truncatedMean, truncatedSecondMoment }, p).truncatedMean(1e6);
      return moments;
    });
    expect(asked[1]).toBeLessThan(2 * asked[0]);
  });

  it('is prepared under a poll that hears of all its work, and ends it', () => {
    const gap = createLaw({ type: 'uniform', min: 0, max: 2 });
    let moments = 0;
    let steps = 0;
    let mostUnheard = 0;
    const counted = {
      ...gap,
      truncatedMean: (t: number) => {
        moments++;
        return gap.truncatedMean(t);
      },
    };
    thinnedLaw(counted, 0.5).prepare((made) => {
      mostUnheard = Math.max(mostUnheard, moments);
      moments = 0;
      steps += made;
    });
    expect(mostUnheard).toBeLessThan(1500);
    expect(steps).toBeGreaterThan(1e8);
    const stops = thinnedLaw(counted, 0.5);
    const ended = new Error('ended');
    expect(() =>
      stops.prepare(() => {
        throw ended;
      }),
    ).toThrow(ended);
  });

  it('is a whole number of fixed gaps', () => {
    const [v, p] = [0.7, 0.3];
    const law = thinnedLaw(createLaw({ type: 'deterministic', value: v }), p);
    for (const t of [0.1, 0.7, 1, 5.3, 60]) {
      let [mean, square] = [0, 0];
      for (let n = 1; n < 400; n++) {
        const chance = p * (1 - p) ** (n - 1);
        mean += chance * Math.min(t, n * v);
        square += chance * Math.min(t, n * v) ** 2;
      }
      expect(law.truncatedMean(t) / mean).toBeCloseTo(1, 12);
      expect(law.truncatedSecondMoment(t) / square).toBeCloseTo(1, 12);
    }
    // next to no update matters: the closed form all but cancels
    const rare = thinnedLaw(createLaw({ type: 'deterministic', value: 1 }), 1e-9);
    expect(rare.truncatedSecondMoment(1000.5) / 1000.5 ** 2).toBeCloseTo(1, 5);
  });

  it.each<Distribution>([
    { type: 'weibull', shape: 0.6, scale: 1 },
    { type: 'lomax', shape: 2.5, scale: 1.5 },
    { type: 'uniform', min: 0.5, max: 1.5 },
    { type: 'empirical', values: [0.2, 0.5, 3] },
  ])('is what drawn gaps of $type sum to', (distribution) => {
    const law = thinnedLaw(createLaw(distribution), 0.35);
    const random = seededRandom(51);
    const draws = Float64Array.from({ length: 40_000 }, () => law.sample(random));
    for (const t of [0.3, 1, 4, 15]) {
      const cut = draws.map((y) => Math.min(y, t));
      const mean = cut.reduce((sum, y) => sum + y, 0) / cut.length;
      const square = cut.reduce((sum, y) => sum + y * y, 0) / cut.length;
      const fourth = cut.reduce((sum, y) => sum + y ** 4, 0) / cut.length;
      expect(Math.abs(law.truncatedMean(t) - mean)).toBeLessThan(errorOf(square, mean, cut.length));
      expect(Math.abs(law.truncatedSecondMoment(t) - square)).toBeLessThan(errorOf(fourth, square, cut.length));
    }
    expect(law.truncatedMean(1e9) / law.mean).toBeCloseTo(1, 4);
  });
});
