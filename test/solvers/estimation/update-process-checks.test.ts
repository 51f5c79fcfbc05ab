import { describe, expect, it } from 'vitest';
import { type AnswerOf, crawlAllocation, crawlSchedule, estimatesUpdateProcess } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { checkHistory, pooledProcesses } from '../../../src/solvers/estimation/index.ts';
import { AgeRecursion } from '../../../src/solvers/estimation/renewal/age-recursion.ts';
import { checkRuns } from '../../../src/solvers/estimation/renewal/check-runs.ts';
import { unitLaw } from '../../../src/solvers/estimation/renewal/unit-law.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

type Checks = [elapsed: number, changed: 0 | 1][];

/** Checks of a page whose gaps have this law, long after its first update; drawn from the law's own sampler. */
function simulate(distribution: Distribution, checks: number, spacing: number, random: Random): Checks {
  const law = createLaw(distribution);
  let time = 0;
  const start = (50 + random()) * law.mean;
  let update = 0;
  while (update < start) update += law.sample(random);
  time = start;
  return Array.from({ length: checks }, () => {
    const elapsed = spacing * (0.5 + random());
    time += elapsed;
    const changed = update <= time;
    while (update <= time) update += law.sample(random);
    return [elapsed, changed ? 1 : 0];
  });
}

/** The pages of an answer to rows. */
function rowsOf(solution: AnswerOf<typeof estimatesUpdateProcess>['solution']) {
  const pages = solution?.pages;
  if (!Array.isArray(pages)) throw new TypeError('no rows');
  return pages;
}

/** ln P(checks) by a chain over ages in steps of `step`: nothing but the law's survival. */
function naiveLogLikelihood(distribution: Distribution, checks: Checks, step: number): number {
  const law = createLaw(distribution);
  const ages = 12_000;
  const survival = Float64Array.from({ length: ages + 1 }, (_, k) => law.survival(k * step));
  const hazard = Float64Array.from({ length: ages }, (_, k) =>
    survival[k] > 0 ? 1 - survival[k + 1] / survival[k] : 1,
  );
  let mass = survival.slice(0, ages);
  let total = mass.reduce((sum, each) => sum + each, 0);
  mass = mass.map((each) => each / total);
  let sum = 0;
  for (const [elapsed, changed] of checks) {
    let same = mass;
    let other = new Float64Array(ages);
    for (let k = Math.round(elapsed / step); k > 0; k--) {
      const nextSame = new Float64Array(ages);
      const nextOther = new Float64Array(ages);
      for (let a = 0; a < ages - 1; a++) {
        nextSame[a + 1] = same[a] * (1 - hazard[a]);
        nextOther[a + 1] = other[a] * (1 - hazard[a]);
        nextOther[0] += (same[a] + other[a]) * hazard[a];
      }
      same = nextSame;
      other = nextOther;
    }
    mass = changed === 1 ? other : same;
    total = mass.reduce((all, each) => all + each, 0);
    sum += Math.log(total);
    mass = mass.map((each) => each / total);
  }
  return sum;
}

const recursion = (distribution: Distribution, checks: Checks): number => {
  const runs = checkRuns(checkHistory([checks]), Uint32Array.of(0), 0);
  return new AgeRecursion().logLikelihood(runs, 0, unitLaw(distribution), 1);
};

describe('the likelihood of checks under a renewal process', () => {
  it('is the product of 1 − e^−λτ and e^−λτ where updates are Poisson', () => {
    const checks: Checks = [
      [0.5, 1],
      [1.2, 0],
      [0.3, 0],
      [2, 1],
      [0.01, 1],
      [3, 0],
      [0.7, 1],
    ];
    const exact = checks.reduce((sum, [t, changed]) => sum + (changed === 1 ? Math.log(-Math.expm1(-t)) : -t), 0);
    expect(recursion({ type: 'exponential', rate: 1 }, checks)).toBeCloseTo(exact, 3);
  });

  it.each<Distribution>([
    { type: 'gamma', shape: 4, rate: 4 },
    { type: 'weibull', shape: 0.7, scale: 1 / 1.2658235 },
    { type: 'lognormal', mu: -0.125, sigma: 0.5 },
  ])('is near that of a chain over ages in small steps: $type', (distribution) => {
    const checks: Checks = [
      [0.6, 1],
      [0.4, 0],
      [0.6, 1],
      [1, 1],
      [0.2, 0],
      [0.4, 0],
      [0.4, 1],
    ];
    expect(Math.abs(recursion(distribution, checks) - naiveLogLikelihood(distribution, checks, 0.004))).toBeLessThan(
      0.06,
    );
  });
});

describe('update laws from checks', () => {
  const pool = (of: (mean: number) => Distribution, spacing: number, seed: number) => {
    const random = seededRandom(seed);
    return checkHistory(
      Array.from({ length: 16 }, (_, i) => simulate(of(0.5 + i / 10), 24, spacing * (0.5 + i / 10), random)),
    );
  };

  it('finds gamma gaps, with an interval that holds the shape and means near the pages’ own', () => {
    const history = pool((mean) => ({ type: 'gamma', shape: 4, rate: 4 / mean }), 0.4, 5);
    const { candidates, identified, distributions } = pooledProcesses(history, unlimitedBudget());
    expect(identified).toBe(true);
    const gamma = candidates.find(({ distribution }) => distribution.type === 'gamma');
    expect(gamma?.shapeInterval?.[0]).toBeLessThan(4);
    expect(gamma?.shapeInterval?.[1]).toBeGreaterThan(4);
    const exponential = candidates.find(({ distribution }) => distribution.type === 'exponential');
    expect((exponential?.aic ?? 0) - candidates[0].aic).toBeGreaterThan(10);
    expect(candidates[0].heldOut).toBeGreaterThan(exponential?.heldOut ?? 0);
    const error = distributions.map((law, i) => Math.log(createLaw(law).mean / (0.5 + i / 10)));
    expect(Math.sqrt(error.reduce((sum, each) => sum + each * each, 0) / error.length)).toBeLessThan(0.2);
  });

  it('keeps the laws it has fitted when the time ends within the next', () => {
    const random = seededRandom(2);
    const gamma: Distribution = { type: 'gamma', shape: 4, rate: 4 };
    const history = checkHistory(Array.from({ length: 20 }, () => simulate(gamma, 50, 0.5, random)));
    let asked = 0;
    const whole = pooledProcesses(history, {
      ...unlimitedBudget(),
      stopRequested: () => {
        asked++;
        return false;
      },
    });
    // some twenty milliseconds lie between two questions, so a law that takes longer is not one step
    expect(asked).toBeGreaterThan(2 * whole.candidates.length + 10);
    let left = asked - 12;
    const stopped = pooledProcesses(history, { ...unlimitedBudget(), stopRequested: () => --left < 0 });
    expect(stopped.candidates.length).toBeGreaterThan(0);
    expect(stopped.candidates.length).toBeLessThan(whole.candidates.length);
    expect(stopped.warnings.map(({ code }) => code)).toContain('stopped-early');
    for (const each of stopped.candidates) expect(whole.candidates).toContainEqual(each);
  });

  it('is not said to be identified by the changes of a page that was not looked at', () => {
    // a page with nearly all changes leaves few of the others in the sample
    const quiet = Array.from({ length: 7 }, (): Checks => Array.from({ length: 30 }, () => [1, 0]));
    const busy: Checks = Array.from({ length: 8000 }, (_, k) => [1, k % 2 === 0 ? 1 : 0]);
    const history = checkHistory([...quiet, busy]);
    const { identified, pagesSampled, warnings } = pooledProcesses(history, unlimitedBudget());
    expect(pagesSampled).toBe(2);
    expect(identified).toBe(false);
    expect(warnings).toMatchObject([{ code: 'law-not-identified' }]);
    expect(warnings[0].detail).toContain('of the 2 pages looked at, 0 checks saw a change');
  });

  it('names no winner where checks are far apart, and takes the pages as Poisson', () => {
    const history = pool((mean) => ({ type: 'gamma', shape: 4, rate: 4 / mean }), 5, 6);
    const { identified, distributions, warnings } = pooledProcesses(history, unlimitedBudget());
    expect(identified).toBe(false);
    expect(warnings[0].code).toBe('law-not-identified');
    expect(distributions.every(({ type }) => type === 'exponential')).toBe(true);
  });

  it('answers pages that crawl-allocation takes as they are', () => {
    const random = seededRandom(8);
    const pages = Array.from({ length: 4 }, (_, i) => ({
      id: `p${i}`,
      checks: simulate({ type: 'gamma', shape: 5, rate: 5 }, 20, 0.4, random),
    }));
    const { solution } = estimatesUpdateProcess({ pages });
    expect(solution?.identified).toBe(true);
    const allocation = crawlAllocation({ interval: 5, crawls: 12, pages: rowsOf(solution) });
    expect(allocation.status).toBe('optimal');
    const schedule = crawlSchedule({ interval: 5, pages: rowsOf(solution), crawlers: [{ slots: 12 }] });
    expect(schedule.solution?.schedule).toHaveLength(12);
  });

  it.each<[name: string, checks: Checks]>([
    ['a change at every check', [[1, 1]]],
    ['none at any', [[1, 0]]],
    [
      'gaps thirty orders of magnitude apart',
      [
        [1e-15, 0],
        [1e15, 1],
      ],
    ],
  ])('answers finite figures and names no winner after %s', (_, checks) => {
    const { solution } = estimatesUpdateProcess({
      pages: [{ checks: Array.from({ length: 30 }, () => checks).flat() }],
    });
    expect(solution?.identified).toBe(false);
    expect(rowsOf(solution)[0].changeRate).toBeGreaterThan(0);
    expect(rowsOf(solution)[0].updates).toBeUndefined();
  });

  it('knows a period with jitter from gamma gaps', () => {
    const history = pool((mean) => ({ type: 'uniform', min: 0.7 * mean, max: 1.3 * mean }), 0.3, 9);
    const { candidates } = pooledProcesses(history, unlimitedBudget());
    expect(candidates[0].distribution.type).toBe('uniform');
    expect(candidates[0].shape).toBeGreaterThan(0.15);
    expect(candidates[0].shape).toBeLessThan(0.45);
  });

  it('fits pages apart: a clock, bursts and one with too little to show', () => {
    const random = seededRandom(4);
    const laws: Distribution[] = [
      { type: 'gamma', shape: 20, rate: 20 },
      { type: 'weibull', shape: 0.4, scale: 1 / 3.3233509704478426 },
    ];
    const checks = laws.map((law) => simulate(law, 150, 0.4, random));
    const apart = estimatesUpdateProcess({
      pages: [...checks, checks[0].slice(0, 5)].map((each) => ({ checks: each })),
      pooled: false,
    });
    const rows = rowsOf(apart.solution);
    expect(rows.map(({ identified }) => identified)).toEqual([true, true, false]);
    const [clock, bursts] = rows.map(({ updates }) => {
      if (updates === undefined) return 1;
      const law = createLaw(updates.distribution);
      return law.secondMoment / law.mean ** 2 - 1;
    });
    expect(clock).toBeLessThan(0.2);
    expect(bursts).toBeGreaterThan(1.5);
    expect(rows[2].changeRate).toBeGreaterThan(0);
    expect(apart.warnings).toMatchObject([{ code: 'law-not-identified' }]);
  });

  it('reads observations as checks, and answers columns that crawl-allocation takes', () => {
    const random = seededRandom(8);
    const checks = Array.from({ length: 4 }, () => simulate({ type: 'gamma', shape: 5, rate: 5 }, 20, 0.4, random));
    const observations = checks.map((page) => {
      let time = 1000;
      const later = page.map(([elapsed, changed]) => {
        time += elapsed;
        return { time, changed: changed === 1 };
      });
      return [{ time: 1000 }, ...later];
    });
    const fromChecks = estimatesUpdateProcess({ pages: { checks } });
    const { solution } = estimatesUpdateProcess({ pages: { id: ['a', 'b', 'c', 'd'], observations } });
    expect(solution?.candidates[0].shape).toBeCloseTo(fromChecks.solution?.candidates[0].shape ?? Number.NaN, 6);
    const pages = solution?.pages;
    if (pages === undefined || Array.isArray(pages)) throw new TypeError('no columns');
    expect(pages.id).toEqual(['a', 'b', 'c', 'd']);
    const { id, process, rate, shape, scale, mu, sigma } = pages;
    expect(id).toHaveLength(4);
    const allocation = crawlAllocation({ interval: 5, crawls: 12, pages: { process, rate, shape, scale, mu, sigma } });
    expect(allocation.status).toBe('optimal');
  });

  it('wants gaps or pages, not both', () => {
    const pages = [
      {
        checks: [
          [1, 1],
          [1, 0],
        ] satisfies Checks,
      },
    ];
    expect(() => estimatesUpdateProcess({ gaps: [1, 2, 3], pages })).toThrow();
    expect(() => estimatesUpdateProcess({})).toThrow();
    expect(() => estimatesUpdateProcess({ pages: [{ checks: [[1, 1]] }] })).toThrow();
  });
});
