/**
 * Policies that see the phases: against the dense generator, all tables of tiny systems, simulation, and the paper's
 * queues.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../../src/solvers/condition.ts';
import type { CrawlersByState } from '../../../src/solvers/queue/policies.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { boundIn, costIn, example, exampleCosts, fixture, measuresIn, realCosts, realData } from './cases.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './flat-answer.ts';
import { costOfMeasures, naiveMeasures } from './naive-queue.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

/**
 * The answer for a controller that sees the phases, unless the problem says otherwise, after its certificate was
 * checked.
 */
function observedAnswer(problem: ThresholdPolicyProblem): ThresholdPolicyAnswer {
  const request: ThresholdPolicyProblem = { observe: 'phases', ...problem };
  const answer = solveThresholdPolicy(request, unlimitedBudget());
  expect(certifyThresholdPolicy(request, answer)).toEqual([]);
  return answer;
}

function tableIn({ solution }: ThresholdPolicyAnswer): CrawlersByState {
  if (solution?.crawlersByState === undefined) throw new Error('an answer without a table');
  return solution.crawlersByState;
}

/** What a controller does with the table: the six lines of the documentation. */
function crawlersIn({ phases, table }: CrawlersByState) {
  const column = new Map(phases.map(([arrival, service], c) => [`${arrival},${service}`, c]));
  const some = phases[0][1];
  return (length: number, v: number, m: number | null): number => table[length][column.get(`${v},${m ?? some}`) ?? -1];
}

describe('a controller that sees the phases', () => {
  it.each([
    ['the main example', { ...example(), costs: exampleCosts }, fixture.bestFullInformationPolicy.table1],
    ['the real data', { ...realData(), costs: realCosts }, fixture.bestFullInformationPolicy.realData],
  ])('pays what the reference says, proved: %s', (_, problem, { threshold, full }) => {
    const answer = observedAnswer(problem);
    expect(answer.status).toBe('optimal');
    expect(costIn(answer)).toBeCloseTo(full, 5);
    expect(answer.byQueueLength?.cost).toBeCloseTo(threshold, 5);
    expect(boundIn(answer)).toBeGreaterThan(costIn(answer) * (1 - 1e-8));
  });

  it('has the measures of the dense generator, whatever the admission', () => {
    let compared = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const description = { ...randomQueue(seed, { exponential: true, capacity: 3 }) };
      const costs = randomCosts(seed);
      const answer = observedAnswer({ ...description, costs });
      const naive = naiveMeasures(description, crawlersIn(tableIn(answer)));
      for (const [name, value] of Object.entries(measuresIn(answer))) {
        const expected: unknown = Reflect.get(naive, name);
        if (typeof expected !== 'number' || typeof value !== 'number') continue;
        expect(Math.abs(value - expected), `${name} at seed ${seed}`).toBeLessThan(1e-8 * Math.max(1, expected));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('finds the best of all tables of tiny systems, and proves it', () => {
    let larger = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const description = {
        ...randomQueue(seed + 300, { exponential: true, capacity: 2, modes: 2 }),
        admission: 'partial' as const,
      };
      const costs = randomCosts(seed + 300);
      const answer = observedAnswer({ ...description, costs });
      const { phases } = tableIn(answer);
      const arrivals = new Set(phases.map(([arrival]) => arrival)).size;
      const groups = arrivals + 2 * phases.length;
      if (phases.length > 1) larger++;
      const services = phases.length / arrivals;
      const column = new Map(phases.map(([arrival, service], c) => [`${arrival},${service}`, c]));
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < 2 ** groups; code += groups > 8 ? 3 : 1) {
        const at = (length: number, v: number, m: number | null): number => {
          const c = m === null ? 0 : (column.get(`${v},${m}`) ?? -1);
          const group = length === 0 ? v : arrivals + (length - 1) * arrivals * services + c;
          return 1 + ((code >> group) & 1);
        };
        best = Math.min(best, costOfMeasures(naiveMeasures(description, at), costs));
      }
      // With many groups every third table is measured and none may be better; else all are, and one must be as good.
      expect(costIn(answer)).toBeLessThanOrEqual(best * (1 + 1e-8));
      if (groups <= 8) expect(costIn(answer)).toBeGreaterThan(best * (1 - 1e-8));
      expect(boundIn(answer)).toBeLessThanOrEqual(best);
      expect(answer.status).toBe('optimal');
    }
    expect(larger).toBeGreaterThan(5);
  });

  it.each([
    ['the main example', example, exampleCosts],
    ['the real data', realData, realCosts],
  ])('is proved under heavy overload too, where an empty system is never seen: %s', (_, queue, costs) => {
    for (const [capacity, slower] of [
      [20, 0.01],
      [50, 0.1],
      [100, 0.3],
    ]) {
      const { service } = queue();
      const generator = service.generator.map((row) => row.map((rate) => rate * slower));
      const answer = observedAnswer({
        ...queue({ capacity, obsolescence: null, service: { ...service, generator } }),
        costs,
      });
      expect(answer.status).toBe('optimal');
      expect(boundIn(answer)).toBeGreaterThan(costIn(answer) * (1 - 1e-11));
    }
  });

  it('lists the phases in the order of the request, whatever the solver removes or reorders', () => {
    // Phase 0 is never reached, and the law begins in phase 2.
    const service = {
      initial: [0, 0, 1],
      generator: [
        [-1, 0, 0.5],
        [0, -3, 0],
        [0, 2, -4],
      ],
    };
    const answer = observedAnswer({ ...example({ service }), costs: exampleCosts });
    const { phases } = tableIn(answer);
    expect(phases).toEqual([0, 1].flatMap((arrival) => [1, 2].map((m) => [arrival, m])));
    const naive = naiveMeasures(example({ service, obsolescence: { initial: [1], generator: [[-0.2]] } }), (l, v, m) =>
      crawlersIn(tableIn(answer))(l, v, m),
    );
    expect(costOfMeasures(naive, exampleCosts)).toBeCloseTo(costIn(answer), 8);
  });

  it.each<[string, string[], Partial<ThresholdPolicyProblem>]>([
    ['sweep the price of what is limited', ['constraints'], { constraints: { lossProbability: 0.1 } }],
    [
      'the phase of every waiting page, which no controller sees',
      ['observe'],
      {
        obsolescence: {
          initial: [0.9, 0.1],
          generator: [
            [-3, 0],
            [0, -0.02],
          ],
        },
      },
    ],
  ])('is refused where the reason is: %s', (words, path, change) => {
    const run = () => observedAnswer({ ...example(), costs: exampleCosts, ...change });
    expect(run).toThrow(ConditionNotMet);
    expect(run).toThrow(expect.objectContaining({ path, message: expect.stringContaining(words) }));
  });

  it('refuses a table that does not fit, with the place', () => {
    const { phases, table } = tableIn(observedAnswer({ ...example(), costs: exampleCosts }));
    const evaluate = (crawlersByState: CrawlersByState) => () =>
      observedAnswer({ ...example(), costs: exampleCosts, observe: undefined, evaluate: { crawlersByState } });
    expect(evaluate({ phases: phases.slice(1), table })).toThrow(/in their order: \[0,0\], \[0,1\], \[1,0\], \[1,1\]/);
    expect(evaluate({ phases: phases.toReversed(), table })).toThrow(/in their order/);
    expect(evaluate({ phases, table: table.slice(1) })).toThrow(/has 5 entries; expected 6/);
    expect(evaluate({ phases, table: table.with(2, [1, 1, 7, 1]) })).toThrow(/is 7; the allowed crawler counts/);
    expect(evaluate({ phases, table: table.with(0, [1, 3, 3, 3]) })).toThrow(/no service phase can be seen/);
  });
});

describe('rates over nine decades', () => {
  it('give a table no dearer than the thresholds, and a bound not below 0', () => {
    const answer = solveThresholdPolicy(
      {
        capacity: 2,
        arrivals: {
          model: 'per-mode',
          modes: [
            {
              crawlers: 1,
              matrices: [
                [
                  [-7001, 0],
                  [0, -110],
                ],
                [
                  [0, 0],
                  [0, 0],
                ],
                [
                  [7000, 1],
                  [100, 10],
                ],
              ],
            },
            {
              crawlers: 2,
              matrices: [
                [
                  [-1, 0],
                  [0, -1],
                ],
                [
                  [0, 0],
                  [1, 0],
                ],
                [
                  [0, 1],
                  [0, 0],
                ],
              ],
            },
          ],
        },
        service: {
          initial: [0.9, 0.1],
          generator: [
            [-1, 0],
            [0, -0.001],
          ],
        },
        obsolescence: { initial: [1], generator: [[-6000]] },
        costs: { loss: 0, obsolescence: 1, response: 0.1, crawler: 0, starvation: 100 },
        observe: 'phases',
      },
      unlimitedBudget(),
    );
    // The smallest cost of all 1,024 tables, measured one by one.
    expect(answer.objective?.value).toBeCloseTo(11.103000168, 8);
    expect(answer.objective?.bound ?? 0).toBeGreaterThanOrEqual(0);
    expect(answer.byQueueLength?.cost).toBeCloseTo(12.066045929853928, 8);
  });
});
