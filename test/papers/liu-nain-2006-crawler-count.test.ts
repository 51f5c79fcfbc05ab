/** Liu & Nain (2006), Table 1.1 (λ = .01, μ = 1), with its one erratum, and what the text says around it. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { type CrawlerCountProblem, solveCrawlerCount } from '../../src/solvers/crawler-count/index.ts';
import { certifyCrawlerCount } from '../certificates/queues.ts';
import oracle from '../fixtures/crawler-count.json' with { type: 'json' };
import { requireDefined } from '../require-defined.ts';
import { bestOf, closedFormOf } from '../solvers/crawler-count/best-of.ts';

function problemOf(starvationWeight: number, capacity: number): CrawlerCountProblem {
  return {
    crawlerRate: 0.01,
    service: { type: 'exponential', rate: 1 },
    capacity,
    costs: { loss: 1, starvation: starvationWeight, crawler: 0 },
  };
}

const solve = (problem: CrawlerCountProblem) => solveCrawlerCount(problem, unlimitedBudget());
const finite = oracle.table_1_1.flatMap((cell) => (typeof cell.K === 'number' ? [{ ...cell, K: cell.K }] : []));
const infinite = oracle.table_1_1.filter((cell) => cell.K === 'infinity');

describe('Table 1.1', () => {
  it('has 45 cells of finite capacity and 5 of infinite capacity', () => {
    expect([finite.length, infinite.length]).toEqual([45, 5]);
  });

  it.each(finite.map((cell) => [cell.gamma, cell.K, cell.correct, cell] as const))(
    'γ = %d, K = %d: %d crawlers',
    (gamma, capacity, crawlers, cell) => {
      const problem = problemOf(gamma, capacity);
      const solution = solve(problem);
      expect(bestOf(solution).crawlers).toBe(crawlers);
      expect(solution.status).toBe('optimal');
      expect(Math.abs(bestOf(solution).cost / requireDefined(cell.cost) - 1)).toBeLessThan(1e-12);
      expect(Math.abs(closedFormOf(solution).continuous.offeredLoad / requireDefined(cell.rho_opt) - 1)).toBeLessThan(
        1e-12,
      );
      expect(certifyCrawlerCount(problem, solution)).toEqual([]);
    },
  );

  it('is printed right in all cells but one: γ = 1.2, K = 40 is 100 crawlers, not 101, which costs more', () => {
    const wrong = finite.filter((cell) => cell.paper !== cell.correct);
    expect(wrong.map((cell) => [cell.gamma, cell.K, cell.paper, cell.correct])).toEqual([[1.2, 40, 101, 100]]);
    expect(wrong[0].cost_paper_N).toBeGreaterThan(bestOf(solve(problemOf(1.2, 40))).cost);
  });

  it.each(infinite.map((cell) => [cell.gamma, cell.correct] as const))(
    'γ = %d, K = ∞: the approximation (1.12) is %d crawlers, and is exact in the limit',
    (gamma, crawlers) => {
      const answer = solve(problemOf(gamma, 1e9));
      expect(closedFormOf(answer).largeCapacityApproximation.crawlers).toBe(crawlers);
      expect(bestOf(answer).crawlers).toBe(crawlers);
    },
  );
});

describe('Around Table 1.1', () => {
  it('“(1.12) lies within 10% for K ≥ 10 in all but one case” is false: four cells miss', () => {
    const far = finite.filter(({ K, correct }) => K >= 10 && Math.abs(100 - correct) > 0.1 * correct);
    expect(far.map(({ gamma, K }) => [gamma, K])).toEqual([
      [0.1, 10],
      [0.1, 20],
      [0.1, 30],
      [0.5, 10],
    ]);
  });

  it('the critical weight is γ(K) = μ(K + 2)/K, below which ρ* < 1 and above which ρ* > 1 (Lemma 1)', () => {
    for (const capacity of [1, 2, 5, 40, 1e6]) {
      const critical = (capacity + 2) / capacity;
      const at = (weight: number) => closedFormOf(solve(problemOf(weight, capacity)));
      expect(at(critical).criticalStarvationCost).toBeCloseTo(critical, 14);
      expect(at(critical).continuous.offeredLoad).toBeCloseTo(1, 13);
      expect(at(critical * 0.99).continuous.offeredLoad).toBeLessThan(1);
      expect(at(critical * 1.01).continuous.offeredLoad).toBeGreaterThan(1);
    }
  });

  it('ρ* never falls in γ (Proposition 2)', () => {
    for (const capacity of [2, 7, 300]) {
      let previousLoad = 0;
      for (let e = -12; e <= 12; e += 0.25) {
        const load = closedFormOf(solve(problemOf(10 ** e, capacity))).continuous.offeredLoad;
        expect(load).toBeGreaterThanOrEqual(previousLoad);
        previousLoad = load;
      }
    }
  });

  it('ρ* rises with K for γ ≤ μ, and for γ > μ rises then falls, towards 1 (Propositions 3 and 4)', () => {
    const loads = (weight: number) =>
      Array.from({ length: 400 }, (_, i) => closedFormOf(solve(problemOf(weight, i + 2))).continuous.offeredLoad);
    const rising = loads(1);
    expect(rising.every((load, i) => i === 0 || load >= rising[i - 1])).toBe(true);
    const humped = loads(1.3);
    const top = humped.indexOf(Math.max(...humped));
    expect(top).toBeGreaterThan(0);
    expect(humped.every((load, i) => i === 0 || (i <= top ? load >= humped[i - 1] : load <= humped[i - 1]))).toBe(true);
    expect(Math.abs(closedFormOf(solve(problemOf(1.3, 1e9))).continuous.offeredLoad - 1)).toBeLessThan(1e-7);
  });

  it('Proposition 3(b) as corrected: the turn comes no earlier than ⌊2μ/(γ − μ)⌋', () => {
    for (const weight of [1.05, 1.1, 1.3, 2, 3]) {
      const loads = Array.from(
        { length: 120 },
        (_, i) => closedFormOf(solve(problemOf(weight, i + 2))).continuous.offeredLoad,
      );
      const turn = 2 + loads.indexOf(Math.max(...loads));
      expect(turn).toBeGreaterThanOrEqual(Math.floor(2 / (weight - 1) + 1e-9));
    }
  });
});
