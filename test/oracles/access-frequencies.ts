/**
 * Checks frequencies against the model alone: it shares the law of the access time with the solver, and no code.
 *
 * With h = E e^(−μX) and L = −ln h a page accessed evenly is fresh for a share x/(μ E X)·(1 − e^(−L/x)), accessed at
 * random for x/(μ E X)·(1 − h)/(1 − h + x·h). Its next unit of frequency saves d(x) = c/(μ E X)·P(2, L/x) (P the
 * regularised incomplete gamma function: 1 − (1 + s)e^(−s)), respectively c/(μ E X)·((1 − h)/(1 − h + x·h))². The costs
 * are convex, so no frequencies y ≥ m with Σ y = 1 cost less than these by more than max_y Σ d_i·(y_i − x_i) = Σ d_i·(m
 * − x_i) + (1 − mN)·max d_i (M. Frank and P. Wolfe, Naval
 * Research Logistics Quarterly 3, 1956): a proof of optimality that needs no multiplier. Of an answer that is only
 * feasible the bound is compared with what its multiplier proves, found by bisection. O(N), one transform a page.
 */

import type { AccessFrequencies, AccessFrequenciesProblem } from '../../src/solvers/access-frequencies/index.ts';
import { createLaw } from '../../src/solvers/laws/create-law.ts';
import { lowerGamma } from '../../src/solvers/numerics/special/incomplete-gamma.ts';
import { faultList } from './faults.ts';

/** Differences of this size, relative to the sum of the weights, are rounding. */
const slack = 1e-8;

type Checked = Pick<
  AccessFrequencies,
  'status' | 'objective' | 'frequency' | 'staleness' | 'multiplier' | 'starved'
> & { readonly warnings: readonly Pick<AccessFrequencies['warnings'][number], 'code'>[] };

export function certifyAccessFrequencies(
  problem: AccessFrequenciesProblem,
  answer: Checked | { readonly status: 'infeasible' },
): string[] {
  const { changeRate, weight, policy, minFrequency } = problem;
  const count = changeRate.length;
  if (answer.status === 'infeasible') return minFrequency * count > 1 ? [] : ['the least frequency can be met'];
  const { faults: wrong, expect } = faultList();
  const law = createLaw(problem.accessTime);
  let sum = 0;
  let cost = 0;
  let weights = 0;
  let starved = 0;
  let moved = 0;
  let best = 0;
  let priced = -answer.multiplier;
  for (let i = 0; i < count; i++) {
    const x = answer.frequency[i];
    const page = pageOf(changeRate[i], law);
    const share = policy === 'deterministic' ? evenly : atRandom;
    const { fresh, saving } = share(page, x);
    expect(x >= minFrequency * (1 - 1e-9), `page ${i} has the frequency ${x}, below ${minFrequency}`);
    const stale = answer.staleness[i];
    expect(Math.abs(1 - fresh - stale) <= slack, `staleness of page ${i} is ${stale}, by the model ${1 - fresh}`);
    sum += x;
    cost += weight[i] * stale;
    weights += weight[i];
    moved += weight[i] * saving * (minFrequency - x);
    best = Math.max(best, weight[i] * saving);
    if (x === 0) starved++;
    if (answer.status === 'feasible') priced += pricedCost(page, share, weight[i], answer.multiplier, minFrequency);
  }
  const { objective, multiplier } = answer;
  const could = moved + Math.max(0, 1 - minFrequency * count) * best;
  expect(Math.abs(sum - 1) <= 1e-9, `the frequencies sum to ${sum}`);
  expect(Math.abs(cost - objective.value) <= 1e-12 * weights, `Σ weight·staleness is ${cost}, not ${objective.value}`);
  if (answer.status === 'optimal') {
    expect(could <= slack * weights, `other frequencies could cost less by ${could}`);
  } else {
    const bound = objective.bound ?? Number.NEGATIVE_INFINITY;
    expect(bound <= priced + slack * weights, `the bound ${bound} is above ${priced}, which the multiplier proves`);
    expect(bound <= objective.value, `the bound ${bound} is above the value ${objective.value}`);
  }
  expect(starved === answer.starved, `${starved} pages have frequency 0, not ${answer.starved}`);
  expect(
    answer.status === 'feasible' || multiplier <= best * (1 + 1e-6),
    `the multiplier ${multiplier} is above all that a unit of frequency saves, ${best}`,
  );
  expect(
    answer.warnings.some(({ code }) => code === 'zero-frequency-pages') === starved > 0,
    'the warning of pages with frequency 0 and their number differ',
  );
  return wrong;
}

/** The least of c·staleness + λx over x in [m, 1]: its slope is bisected, thirty times. */
function pricedCost(
  page: CheckedPage,
  share: typeof evenly,
  weight: number,
  price: number,
  minFrequency: number,
): number {
  let low = minFrequency;
  let high = 1;
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (weight * share(page, middle).saving > price) low = middle;
    else high = middle;
  }
  return weight * (1 - share(page, low).fresh) + price * low;
}

/** h, 1 − h, L and 1/(μ E X) of a page. */
interface CheckedPage {
  readonly changed: number;
  readonly unchanged: number;
  readonly load: number;
  readonly perAccess: number;
}

function pageOf(rate: number, law: ReturnType<typeof createLaw>): CheckedPage {
  const changed = law.laplaceComplement(rate);
  const unchanged = law.laplace(rate);
  const load = changed < 0.5 ? -Math.log1p(-changed) : -Math.log(unchanged);
  return { changed, unchanged, load, perAccess: 1 / (rate * law.mean) };
}

interface Share {
  /** Share of time the page is fresh. */
  readonly fresh: number;
  /** What one more unit of frequency adds to it. */
  readonly saving: number;
}

function evenly({ load, perAccess }: CheckedPage, x: number): Share {
  if (x === 0) return { fresh: 0, saving: perAccess };
  const s = load / x;
  return { fresh: -x * perAccess * Math.expm1(-s), saving: perAccess * (s < 700 ? lowerGamma(2, s) : 1) };
}

function atRandom({ changed, unchanged, perAccess }: CheckedPage, x: number): Share {
  const share = changed / (changed + x * unchanged);
  return { fresh: x * perAccess * share, saving: perAccess * share * share };
}
