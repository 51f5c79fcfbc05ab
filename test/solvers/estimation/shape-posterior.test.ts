import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { AgeRecursion } from '../../../src/solvers/estimation/renewal/age-recursion.ts';
import { checkRuns } from '../../../src/solvers/estimation/renewal/check-runs.ts';
import { fitFamilies, roughMeans } from '../../../src/solvers/estimation/renewal/fit-families.ts';
import { type FamilyName, lawFamilies } from '../../../src/solvers/estimation/renewal/law-families.ts';
import { PooledFit } from '../../../src/solvers/estimation/renewal/pooled-fit.ts';
import { shapePosterior } from '../../../src/solvers/estimation/renewal/shape-posterior.ts';
import { unitLaw } from '../../../src/solvers/estimation/renewal/unit-law.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

type Checks = [elapsed: number, changed: 0 | 1][];

/** Eight pages of means of 0.5 to 1.9, each checked 24 times, half a mean apart, long after its first update. */
function simulated(of: (mean: number) => Distribution, seed: number): Checks[] {
  const random = seededRandom(seed);
  return Array.from({ length: 8 }, (_, i) => {
    const mean = 0.5 + i / 5;
    const law = createLaw(of(mean));
    let time = (50 + random()) * mean;
    let update = 0;
    while (update < time) update += law.sample(random);
    return Array.from({ length: 24 }, () => {
      const elapsed = 0.5 * mean * (0.5 + random());
      time += elapsed;
      const changed = update <= time;
      while (update <= time) update += law.sample(random);
      return [elapsed, changed ? 1 : 0];
    });
  });
}

const family = (name: FamilyName) => {
  const found = lawFamilies.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no law ${name}`);
  return found;
};

function pooled(pages: Checks[]) {
  const history = checkHistory(pages);
  const every = Uint32Array.from(pages, (_, i) => i);
  const runs = checkRuns(history, every, 0);
  return { history, every, runs, pool: new PooledFit(runs, roughMeans(history, every)) };
}

/** Σ over pages of ln ∫ e^likelihood(θ) N(θ) dθ by the midpoints of 800 equal parts, N as the fit states it. */
function byBruteForce(pool: PooledFit, pages: Checks[], logLikelihood: (p: number, theta: number) => number): number {
  const { centre, spacing, slope, variance } = pool.population;
  return pages.reduce((sum, checks, p) => {
    const gap = checks.reduce((total, [elapsed]) => total + elapsed, 0) / checks.length;
    const middle = centre + slope * (Math.log(gap) - spacing);
    const part = (12 * Math.sqrt(variance)) / 800;
    const values = Array.from({ length: 800 }, (_, k) => {
      const away = (k - 399.5) * part;
      return logLikelihood(p, middle + away) - away ** 2 / (2 * variance);
    });
    const top = Math.max(...values);
    const mass = values.reduce((total, value) => total + Math.exp(value - top), 0);
    return sum + top + Math.log((mass * part) / Math.sqrt(2 * Math.PI * variance));
  }, 0);
}

describe('the marginal likelihood of a shape', () => {
  it('is the product of the pages’ integrals over their means: of Poisson pages, in closed form', () => {
    const pages = simulated((mean) => ({ type: 'exponential', rate: 1 / mean }), 3);
    const { pool } = pooled(pages);
    const found = pool.logLikelihood(family('exponential'), 0);
    const exact = byBruteForce(pool, pages, (p, theta) =>
      pages[p].reduce((sum, [elapsed, changed]) => {
        const updates = elapsed * Math.exp(-theta);
        return sum + (changed === 1 ? Math.log(-Math.expm1(-updates)) : -updates);
      }, 0),
    );
    expect(Math.abs(found - exact)).toBeLessThan(0.01);
  });

  it('holds where a period with little jitter leaves a mean an edge on both sides, no normal curve', () => {
    const pages = simulated((mean) => ({ type: 'uniform', min: 0.7 * mean, max: 1.3 * mean }), 5);
    const { pool, runs } = pooled(pages);
    const { distribution } = family('periodic');
    const recursion = new AgeRecursion();
    for (const jitter of [0.6, 0.35, 0.3]) {
      const found = pool.logLikelihood(family('periodic'), Math.log(jitter));
      const law = unitLaw(distribution(Math.log(jitter), 1));
      const exact = byBruteForce(pool, pages, (p, theta) => recursion.logLikelihood(runs, p, law, Math.exp(theta)));
      // normal curves at the modes take the last two to differ by 3.2, where they differ by 0.7
      expect(Math.abs(found - exact)).toBeLessThan(0.15);
    }
  });

  it('knows that a page checked more often changes more often', () => {
    const pages = simulated((mean) => ({ type: 'gamma', shape: 3, rate: 3 / mean }), 7);
    const { pool } = pooled(pages);
    pool.logLikelihood(family('gamma'), Math.log(3));
    expect(pool.population.slope).toBeGreaterThan(0.4);
    expect(pool.population.slope).toBeLessThan(1.2);
  });
});

describe('the interval of a shape', () => {
  const within = (lowest: number, highest: number) => ({ ...family('gamma'), lowest, highest });

  it('has the quantiles of a normal likelihood, and of an exponential one', () => {
    const normal = shapePosterior(within(-4, 9), (x) => -0.5 * ((x - 1.3) / 0.4) ** 2);
    expect(normal.x).toBeCloseTo(1.3, 6);
    expect(normal.interval?.[0]).toBeCloseTo(1.3 - 0.4 * 1.96, 1);
    expect(normal.interval?.[1]).toBeCloseTo(1.3 + 0.4 * 1.96, 1);
    // falls from its end on: that end is not ruled out, and 97.5% of the mass lies below ln 40
    const falling = shapePosterior(within(0, 16), (x) => -x);
    expect(falling.x).toBe(0);
    expect(falling.interval?.[0]).toBe(0);
    expect(falling.interval?.[1]).toBeCloseTo(Math.log(40), 1);
  });

  it('says nothing where neither end of the range is ruled out', () => {
    expect(shapePosterior(within(-1, 2), (x) => -0.1 * x * x).interval).toBeNull();
  });

  it('reaches to the exponential law’s end where Poisson pages are taken for Lomax ones', () => {
    const { history, every } = pooled(simulated((mean) => ({ type: 'exponential', rate: 1 / mean }), 4));
    const [{ interval }] = fitFamilies(history, every, unlimitedBudget(), [family('lomax')]).fits;
    expect(interval?.[0]).toBeGreaterThan(1);
    expect(interval?.[1]).toBeCloseTo(51, 9);
  });
});
