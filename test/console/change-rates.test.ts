/** How often pages change, read from requests of every form: what the pictures draw pages by. */
import { describe, expect, it } from 'vitest';
import { changeRates, rateOfLaw } from '../../src/console/pictures/dots/change-rates.ts';
import { createLaw, type Distribution } from '../../src/solvers/laws/index.ts';

const laws: readonly Distribution[] = [
  { type: 'deterministic', value: 4 },
  { type: 'exponential', rate: 2 },
  { type: 'erlang', shape: 3, rate: 6 },
  { type: 'gamma', shape: 0.5, rate: 2 },
  { type: 'hyperexponential', probabilities: [0.3, 0.7], rates: [0.1, 4] },
  { type: 'uniform', min: 1, max: 3 },
  { type: 'lognormal', mu: 0.2, sigma: 1.1 },
  { type: 'weibull', shape: 0.3, scale: 5 },
  { type: 'pareto', shape: 2.5, scale: 1 },
  { type: 'lomax', shape: 2.5, scale: 1 },
  {
    type: 'phase-type',
    initial: [1, 0],
    generator: [
      [-2, 1],
      [0, -3],
    ],
  },
  { type: 'empirical', values: [1, 2, 6] },
];

describe('the rate of a page', () => {
  it.each(laws.map((law) => [law.type, law] as const))('under a %s law is one over its mean', (_, law) => {
    expect(rateOfLaw(law) * createLaw(law).mean).toBeCloseTo(1, 12);
  });

  it('is none where there is no law, or its mean is infinite', () => {
    expect(rateOfLaw(undefined)).toBeNaN();
    expect(rateOfLaw({ type: 'nonsense' })).toBeNaN();
    expect(rateOfLaw({ type: 'lomax', shape: 0.5, scale: 1 })).toBe(0);
  });

  it('is read from rows and from columns alike', () => {
    const weibull = { type: 'weibull', shape: 0.3, scale: 5 };
    const rows = {
      interval: 2,
      pages: [
        { changeRate: 3 },
        { changeRate: 4 },
        { updates: { type: 'renewal', distribution: weibull } },
        { updates: { type: 'quasi-deterministic', times: [1, 2], probabilities: [1, 0.5] } },
      ],
    };
    const columns = {
      interval: 2,
      pages: {
        process: ['poisson', 'poisson', 'weibull', 'quasi-deterministic'],
        changeRate: [3, 4, null, null],
        shape: [null, null, 0.3, null],
        scale: [null, null, 5, null],
        probabilities: [null, null, null, [1, 0.5]],
      },
    };
    const expectedRates = [3, 4, rateOfLaw(weibull), 0.75];
    expect([...changeRates(rows, undefined)]).toEqual(expectedRates);
    expect([...changeRates(columns, undefined)]).toEqual(expectedRates);
  });

  it('is the one that the answer estimated, where it did', () => {
    expect([...changeRates({ pages: [{ checks: [] }] }, [{ changeRate: 0.5 }])]).toEqual([0.5]);
  });
});
