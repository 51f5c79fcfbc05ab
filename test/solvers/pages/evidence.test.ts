/** The closed belief of change rates, beside quadratures, fine grids and simulated pages that share no code with it. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { changedOutcome, unchangedOutcome } from '../../../src/solvers/estimation/index.ts';
import { gaussLegendre } from '../../../src/solvers/numerics/quadrature/gauss-legendre.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import {
  beliefsOf,
  believe,
  CheckFilter,
  expectedCost,
  meanRate,
  memories,
  type RateBeliefs,
  rateInterval,
} from '../../../src/solvers/pages/evidence/index.ts';
import { changedWithin, firstMoment } from '../../../src/solvers/pages/objectives/gamma-moments.ts';
import { objectiveNames, stalenessCost } from '../../../src/solvers/pages/objectives/index.ts';
import { checkHistory } from '../../check-history.ts';

const rule = gaussLegendre(16);

/** ∫ from 0 to ln(1 + u) of a positive function of s = ln(1 + t), on panels that its decay cannot outrun. */
function overLog(u: number, decay: number, f: (s: number) => number): number {
  // beyond 45 times its decay nothing is left of it
  const last = decay > 0.5 ? Math.min(Math.log1p(u), 45 / decay) : Math.log1p(u);
  const panels = 60;
  let sum = 0;
  for (let p = 0; p < panels; p++) {
    for (const [n, node] of rule.nodes.entries()) {
      sum += rule.weights[n] * f(((p + 0.5 + 0.5 * node) / panels) * last);
    }
  }
  return (0.5 * sum * last) / panels;
}

const priorOf = (shape: number, scale: number) => ({
  shape,
  scale,
  forgettingRate: new Float64Array(4),
  fadingRate: 0,
  commonLogWeight: new Float64Array(4),
});

/** Beliefs of drawn shapes and of scales over four decades, the memories weighed alike. */
function drawnBeliefs(pages: number, random: Random, shape: () => number): RateBeliefs {
  const beliefs = beliefsOf(pages, priorOf(0.5, 1));
  for (let at = 0; at < memories * pages; at++) {
    beliefs.shape[at] = shape();
    beliefs.scale[at] = 10 ** (4 * random() - 2);
  }
  return beliefs;
}

const off = (value: number, exact: number): number => Math.abs(value / exact - 1);

describe('costs under a Gamma law of the rate', () => {
  const shapes = [0.3, 0.5, 0.999, 1 - 1e-9, 1, 1 + 1e-9, 1.4, 1.5, 1.6, 1.999999, 2, 2.000001, 3, 17, 400, 1e5, 1e6];

  it('are what quadrature finds, at all ages, near shapes of 1 and 2 too', () => {
    for (const a of shapes) {
      for (let e = -9; e <= 9; e += 0.75) {
        const u = 10 ** e;
        const at = `shape ${a}, age ${u}`;
        const density = (power: number) => (s: number) => a * Math.expm1(s) ** power * Math.exp(-a * s);
        expect(off(changedWithin(a, u), overLog(u, a, density(0))), at).toBeLessThan(1e-12);
        expect(off(firstMoment(a, u), overLog(u, Math.max(0, a - 1), density(1))), at).toBeLessThan(1e-12);
      }
    }
  });

  it.each(objectiveNames)(
    'of %s hang together: V is the age times c less C, and its slope the age times that of c',
    (name) => {
      const random = seededRandom(4);
      const beliefs = drawnBeliefs(20, random, () => 0.3 + 5 * random() ** 3);
      const mean = expectedCost(stalenessCost(name), beliefs);
      for (let i = 0; i < 20; i++) {
        for (const x of [0.03, 0.7, 11]) {
          const worth = mean.worth(i, x);
          expect(off(worth, x * mean.cost(i, x) - mean.integral(i, x))).toBeLessThan(1e-10);
          const h = 1e-5 * x;
          const growth = (mean.cost(i, x + h) - mean.cost(i, x - h)) / (2 * h);
          expect(off((mean.worth(i, x + h) - mean.worth(i, x - h)) / (2 * h), x * growth)).toBeLessThan(1e-6);
          expect(off((mean.integral(i, x + h) - mean.integral(i, x - h)) / (2 * h), mean.cost(i, x))).toBeLessThan(
            1e-6,
          );
          expect(off(mean.intervalAt(i, worth), x)).toBeLessThan(1e-11);
        }
      }
    },
  );

  it.each(objectiveNames)('of %s reach what is asked at the ages told, flat far out as they are', (name) => {
    const random = seededRandom(5);
    const beliefs = drawnBeliefs(400, random, () => 0.05 + 50 * random() ** 6);
    const mean = expectedCost(stalenessCost(name), beliefs);
    for (let i = 0; i < 400; i++) {
      for (let k = 0; k < 6; k++) {
        const worth = mean.worth(i, 10 ** (6 * random() - 3));
        if (!(worth < mean.worth(i, Number.POSITIVE_INFINITY) * (1 - 1e-6))) continue;
        expect(off(mean.worth(i, mean.intervalAt(i, worth)), worth), `page ${i}`).toBeLessThan(1e-11);
        // more than any age is worth leaves no trace
        expect(mean.intervalAt(i, 1e300)).toBeGreaterThan(1e100);
      }
    }
  });

  it.each(objectiveNames)('of %s tend to those of a known rate as the belief grows sure', (name) => {
    const beliefs = beliefsOf(1, priorOf(0.5, 1));
    beliefs.shape.fill(1e6);
    beliefs.scale.fill(1e6 / 0.37);
    const cost = stalenessCost(name);
    const mean = expectedCost(cost, beliefs);
    for (const x of [0.02, 1, 9]) {
      expect(off(mean.cost(0, x), cost.cost(0.37, x))).toBeLessThan(1e-5);
      expect(off(mean.integral(0, x), cost.integral(0.37, x))).toBeLessThan(1e-5);
      expect(off(mean.worth(0, x), cost.worth(0.37, 1, x))).toBeLessThan(1e-5);
    }
  });

  it('of harmonic by nodes are those of a fine grid of rates', () => {
    const beliefs = beliefsOf(1, priorOf(0.5, 1));
    beliefs.shape.fill(0.7);
    beliefs.scale.fill(2);
    const cost = stalenessCost('harmonic');
    const mean = expectedCost(cost, beliefs);
    for (const x of [0.1, 1, 10]) {
      const [grid] = onGrid(
        (rate) => rate ** -0.3 * Math.exp(-2 * rate),
        (rate) => cost.cost(rate, x),
      );
      expect(off(mean.cost(0, x), grid)).toBeLessThan(0.01);
    }
  });
});

/** Means over a density on a fine grid of ln λ from e^−30 to e^12. */
function onGrid(density: (rate: number) => number, ...values: ((rate: number) => number)[]): number[] {
  let mass = 0;
  const sums = values.map(() => 0);
  for (let z = -30; z < 12; z += 2e-3) {
    const rate = Math.exp(z);
    const weight = density(rate) * rate;
    mass += weight;
    for (const [v, value] of values.entries()) sums[v] += weight * value(rate);
  }
  return sums.map((sum) => sum / mass);
}

describe('the belief of a page', () => {
  it('is the exact posterior within 1% in the mean and 5% in the deviation, over histories of 50 checks', () => {
    const random = seededRandom(11);
    const runs = 60;
    let meanOff = 0;
    let spreadOff = 0;
    for (let run = 0; run < runs; run++) {
      const beliefs = beliefsOf(1, priorOf(0.5, 0.5));
      const filter = new CheckFilter(beliefs);
      const rate = Math.exp(2 * random() - 1);
      const checks = Array.from({ length: 50 }, (): [number, number] => {
        const gap = (0.05 + 0.9 * random()) / rate;
        return [gap, random() < Math.exp(-rate * gap) ? unchangedOutcome : changedOutcome];
      });
      for (const [gap, outcome] of checks) filter.take(0, gap, outcome);
      const likelihood = (own: number): number =>
        checks.reduce(
          (log, [gap, outcome]) =>
            log + (outcome === unchangedOutcome ? -own * gap : Math.log(-Math.expm1(-own * gap))),
          -0.5 * Math.log(own) - 0.5 * own,
        );
      const top = likelihood(rate);
      const [mean, square] = onGrid(
        (own) => Math.exp(likelihood(own) - top),
        (own) => own,
        (own) => own * own,
      );
      const [a, b] = [beliefs.shape[0], beliefs.scale[0]];
      meanOff += off(a / b, mean) / runs;
      spreadOff += off(Math.sqrt(a) / b, Math.sqrt(square - mean * mean)) / runs;
    }
    expect(meanOff).toBeLessThan(0.01);
    expect(spreadOff).toBeLessThan(0.05);
  });

  it('has 95% intervals that leave 2.5% of its mass on either side, to a thousandth of the rate', () => {
    const random = seededRandom(3);
    const beliefs = beliefsOf(30, priorOf(1, 1));
    for (let at = 0; at < 120; at++) {
      beliefs.shape[at] = 0.4 + 30 * random() ** 4;
      beliefs.scale[at] = 0.1 + 10 * random();
      beliefs.share[at] = random();
    }
    for (let i = 0; i < 30; i++) {
      const total = [0, 1, 2, 3].reduce((sum, k) => sum + beliefs.share[4 * i + k], 0);
      for (let k = 0; k < 4; k++) beliefs.share[4 * i + k] /= total;
      const [low, high] = rateInterval(beliefs, i);
      // masses of one memory after the other, each normalised on the grid
      let below = 0;
      let above = 0;
      for (let k = 0; k < 4; k++) {
        const [a, b] = [beliefs.shape[4 * i + k], beliefs.scale[4 * i + k]];
        const [under, over] = onGrid(
          (rate) => Math.exp((a - 1) * Math.log(rate) - b * rate + (a > 1 ? (a - 1) * (1 - Math.log((a - 1) / b)) : 0)),
          (rate) => (rate < low ? 1 : 0),
          (rate) => (rate > high ? 1 : 0),
        );
        below += beliefs.share[4 * i + k] * under;
        above += beliefs.share[4 * i + k] * over;
      }
      expect(Math.abs(below / 0.025 - 1), `page ${i} below`).toBeLessThan(0.02);
      expect(Math.abs(above / 0.025 - 1), `page ${i} above`).toBeLessThan(0.02);
    }
  });
});

describe('the beliefs of a log', () => {
  it('predict the number of changes by deciles, on pages of lognormal rates', () => {
    const random = seededRandom(8);
    const day = 86_400;
    const rates = Array.from(
      { length: 400 },
      () => Math.exp(-4 + 1.5 * (random() + random() + random() + random() - 2) * 1.7) / day,
    );
    const log = rates.map((rate) =>
      Array.from({ length: 12 }, (): [number, number] => {
        const gap = (5 + 50 * random()) * day;
        return [gap, random() < -Math.expm1(-rate * gap) ? changedOutcome : unchangedOutcome];
      }),
    );
    const beliefs = believe(checkHistory(log), 1 / (30 * day), unlimitedBudget());
    const mean = expectedCost(stalenessCost('freshness'), beliefs);
    const next = rates.map((rate, i) => {
      const gap = (5 + 50 * random()) * day;
      return { foretold: mean.cost(i, gap), came: -Math.expm1(-rate * gap) };
    });
    next.sort((a, b) => a.foretold - b.foretold);
    for (let decile = 0; decile < 10; decile++) {
      const part = next.slice(40 * decile, 40 * decile + 40);
      const foretold = part.reduce((sum, each) => sum + each.foretold, 0) / 40;
      const came = part.reduce((sum, each) => sum + each.came, 0) / 40;
      expect(Math.abs(foretold - came), `decile ${decile}: ${foretold} foretold, ${came} came`).toBeLessThan(0.07);
    }
  });

  it('are the prior for pages without checks, about the rate of the other pages', () => {
    const log = checkHistory([
      [],
      ...Array.from({ length: 30 }, () => [
        [86_400, changedOutcome] as [number, number],
        [86_400, unchangedOutcome] as [number, number],
      ]),
    ]);
    const beliefs = believe(log, 1, unlimitedBudget());
    expect(meanRate(beliefs, 0)).toBeCloseTo(beliefs.prior.shape / beliefs.prior.scale, 12);
    expect(meanRate(beliefs, 0) * 86_400).toBeGreaterThan(0.3);
    expect(meanRate(beliefs, 0) * 86_400).toBeLessThan(1.5);
    const none = believe(checkHistory([[], []]), 0.25, unlimitedBudget());
    expect(meanRate(none, 1)).toBeCloseTo(0.25, 12);
  });
});
