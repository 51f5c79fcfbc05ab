/** Prices of limits against differences of answers, and mixtures where no single table is best. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { Constraints, CostWeights } from '../../../src/solvers/queue/measures.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './answered.ts';
import { boundIn, costIn, measuresIn } from './cases.ts';
import { observedAnswer } from './certified-answer.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const free: CostWeights = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };
/** The cost that makes each measure small. */
const alone: Record<keyof Constraints, CostWeights> = {
  lossProbability: { ...free, loss: 1 },
  obsolescenceProbability: { ...free, obsolescence: 1 },
  starvationProbability: { ...free, starvation: 1 },
  responseTime: { ...free, response: 1 },
  activeCrawlers: { ...free, crawler: 1 },
};
const names = [
  'lossProbability',
  'obsolescenceProbability',
  'starvationProbability',
  'responseTime',
  'activeCrawlers',
] as const;

/** The slopes of the cost in a limit, towards looser and towards tighter ones. */
function slopes(answerAt: (limit: number) => ThresholdPolicyAnswer, limit: number, step: number) {
  const here = costIn(answerAt(limit));
  return [(here - costIn(answerAt(limit + step))) / step, (costIn(answerAt(limit - step)) - here) / step];
}

describe('the price of a limit, phases in sight', () => {
  it('is what loosening it saves, in the example whose response time has a price', () => {
    const file = new URL('../../../examples/threshold-policy-phases-limits.json', import.meta.url);
    const { service, obsolescence, ...request } = JSON.parse(readFileSync(file, 'utf8'));
    const forms = { service: phasesOf(service), obsolescence: phasesOf(obsolescence) };
    const problem: ThresholdPolicyProblem = { ...request, ...forms };
    const limit = defined(problem.constraints?.responseTime);
    const at = (responseTime: number) =>
      solveThresholdPolicy({ ...problem, constraints: { responseTime } }, unlimitedBudget());
    const price = defined(defined(at(limit).dualPrices).responseTime);
    expect(price).toBeCloseTo(140.0061, 3);
    const [looser, tighter] = slopes(at, limit, 1e-6 * limit);
    expect(price).toBeGreaterThan(looser * (1 - 1e-5));
    expect(price).toBeLessThan(tighter * (1 + 1e-5));
  });

  it('lies between the slopes of the cost on both sides of the limit, in random queues', { timeout: 60_000 }, () => {
    let compared = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const description = randomQueue(seed, { exponential: true, modes: 2 + (seed % 3) });
      const name = names[seed % 5];
      const problem = { ...description, discipline: 'fifo', observe: 'phases', costs: randomCosts(seed) } as const;
      const solve = (changed: Partial<ThresholdPolicyProblem>) =>
        solveThresholdPolicy({ ...problem, ...changed }, unlimitedBudget());
      const now = measuresIn(solve({}))[name];
      const least = measuresIn(solve({ costs: alone[name] }))[name];
      if (!(now > 1e-6 && now > least * 1.001)) continue;
      const limit = least + 0.6 * (now - least);
      const at = (x: number) => solve({ constraints: { [name]: x } });
      const step = 1e-5 * (now - least);
      const [looser, tighter] = slopes(at, limit, step);
      const price = defined(defined(at(limit).dualPrices)[name]);
      const tolerance = 1e-3 * Math.max(looser, tighter) + (1e-10 * costIn(at(limit))) / step;
      expect(price, `seed ${seed}, ${name}`).toBeGreaterThan(looser - tolerance);
      expect(price, `seed ${seed}, ${name}`).toBeLessThan(tighter + tolerance);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  });
});

describe('a limit of exactly 0', () => {
  const problem: ThresholdPolicyProblem = {
    capacity: 1,
    arrivals: {
      model: 'per-mode',
      modes: [
        { crawlers: 1, matrices: [[[-1]], [[1]]] },
        { crawlers: 2, matrices: [[[-1]], [[0]], [[1]]] },
      ],
    },
    service: { initial: [1], generator: [[-1]] },
    obsolescence: { initial: [1], generator: [[-1]] },
    costs: { loss: 1, obsolescence: 0, response: 0, crawler: 0, starvation: 10 },
    admission: 'complete-admission',
    observe: 'phases',
  };

  it('is kept where it can be, at the price that a limit just above it shows', () => {
    const constraints = { obsolescenceProbability: 0 };
    const answer = observedAnswer({ ...problem, constraints });
    expect(answer.status).toBe('optimal');
    expect(costIn(answer)).toBeCloseTo(5.5, 12);
    expect(costIn(observedAnswer({ ...problem, observe: 'queue-length', constraints }))).toBeCloseTo(5.5, 12);
    const looser = observedAnswer({ ...problem, constraints: { obsolescenceProbability: 1e-6 } });
    const saved = (costIn(answer) - costIn(looser)) / 1e-6;
    expect(defined(defined(answer.dualPrices).obsolescenceProbability) / saved).toBeCloseTo(1, 4);
  });

  it('keeps its bound where every policy keeps it', () => {
    const answer = observedAnswer({
      ...problem,
      obsolescence: null,
      costs: { ...problem.costs, response: 1 },
      constraints: { obsolescenceProbability: 0 },
    });
    expect(answer.status).toBe('optimal');
    expect(defined(answer.dualPrices).obsolescenceProbability).toBe(0);
    const without = observedAnswer({ ...problem, obsolescence: null, costs: { ...problem.costs, response: 1 } });
    expect(boundIn(answer)).toBeGreaterThan(costIn(without) * (1 - 1e-6));
  });

  it.each(['lossProbability', 'starvationProbability', 'responseTime'] as const)(
    'on %s is infeasible, with the least that can be reached',
    (name) => {
      const { status, conflict } = observedAnswer({ ...problem, constraints: { [name]: 0 } });
      expect(status).toBe('infeasible');
      expect(defined(conflict).limits[0].smallest).toBeGreaterThan(0.1);
    },
  );
});

describe('with one phase in sight', () => {
  it('tables are mixed where that costs less than any of them, under limits that do not bind', () => {
    // Sharing the time between two tables attains the bound of seeing both phases; each alone misses it by 7e-6.
    const cases = [130, 356].flatMap((seed) => [
      { seed, observe: 'service-phase' as const },
      { seed, observe: 'arrival-phase' as const },
    ]);
    for (const { seed, observe } of cases) {
      const description = randomQueue(seed, { exponential: true, modes: 2, capacity: 2 });
      const costs = { ...randomCosts(seed), response: 10 ** (seed % 3) };
      const problem = { ...description, discipline: 'fifo', observe, costs } as const;
      const answer = observedAnswer({ ...problem, constraints: { activeCrawlers: 1000 } });
      expect(answer.mixture, `seed ${seed}, ${observe}`).toHaveLength(2);
      for (const one of defined(answer.mixture)) expect(one.cost).toBeGreaterThan(costIn(answer) * (1 + 1e-6));
      expect(costIn(answer)).toBeLessThan(boundIn(answer) * (1 + 1e-7));
    }
  });

  it('limits that no mixture of such tables keeps are infeasible, which is no matter of time', () => {
    let clashes = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const description = randomQueue(seed, { exponential: true, modes: 2, capacity: 2 });
      const seen = { ...description, discipline: 'fifo', costs: randomCosts(seed), observe: 'phases' } as const;
      const solve = (changed: Partial<ThresholdPolicyProblem>) =>
        solveThresholdPolicy({ ...seen, ...changed }, unlimitedBudget());
      const best = measuresIn(solve({}));
      const between = (name: keyof Constraints, share: number): number => {
        const least = measuresIn(solve({ costs: alone[name] }))[name];
        return least + share * (0.5 * Math.max(0, best[name] - least) + 0.02 * least);
      };
      for (const share of [0.05, 0.2, 0.4]) {
        const constraints = {
          lossProbability: between('lossProbability', share),
          starvationProbability: between('starvationProbability', share),
        };
        if (solve({ constraints }).status === 'infeasible') continue;
        const { status, conflict } = solve({
          constraints,
          observe: seed % 2 === 1 ? 'arrival-phase' : 'service-phase',
        });
        if (status !== 'infeasible') continue;
        clashes++;
        expect(defined(conflict).detail).toContain('observe "phases"');
      }
    }
    expect(clashes).toBeGreaterThan(2);
  });
});

/** The phase-type form of an exponential or phase-type law as a request writes it. */
function phasesOf(law: { type: string; rate: number; initial: number[]; generator: number[][] } | null) {
  if (law === null) return null;
  if (law.type === 'exponential') return { initial: [1], generator: [[-law.rate]] };
  return { initial: law.initial, generator: law.generator };
}
