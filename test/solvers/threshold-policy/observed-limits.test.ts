/**
 * Limits with the phases in sight: against all mixtures of two tables of tiny systems, and a play of the drawn state.
 */
import { describe, expect, it } from 'vitest';
import type { CostWeights } from '../../../src/solvers/queue/measures.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { defined } from '../../defined.ts';
import type { ThresholdPolicyAnswer } from './answered.ts';
import { boundIn, costIn, example, exampleCosts, measuresIn } from './cases.ts';
import { observedAnswer } from './certified-answer.ts';
import { type NaiveMeasures, naiveMeasures } from './naive-queue.ts';
import { type PlayedState, playQueue } from './played-queue.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

/** What a table or a mixture of them does, per unit of time. */
interface Rates {
  readonly linear: number;
  readonly toBeServed: number;
  readonly served: number;
  readonly arrivals: number;
  readonly lost: number;
}

function ratesOf(m: NaiveMeasures, costs: CostWeights): Rates {
  const served = m.arrivalRate * m.successProbability;
  const [lost, expired] = [m.arrivalRate * m.lossProbability, m.arrivalRate * m.obsolescenceProbability];
  return {
    linear:
      costs.loss * lost +
      costs.obsolescence * expired +
      costs.crawler * m.activeCrawlers +
      costs.starvation * m.starvationProbability,
    toBeServed: served * m.responseTime,
    served,
    arrivals: m.arrivalRate,
    lost,
  };
}

/**
 * The least cost of the mixtures of two whose share of lost pages is at most `limit`, on a grid that has its corner.
 */
function bestMixture(one: Rates, other: Rates, response: number, limit: number): number {
  const excess = ({ lost, arrivals }: Rates): number => lost - limit * arrivals;
  const corner = excess(one) / (excess(one) - excess(other));
  let best = Number.POSITIVE_INFINITY;
  for (const w of [...Array.from({ length: 21 }, (_, i) => i / 20), corner]) {
    if (!(w >= 0 && w <= 1)) continue;
    const mean = (of: keyof Rates): number => (1 - w) * one[of] + w * other[of];
    if (mean('lost') - limit * mean('arrivals') > 1e-12 * mean('arrivals')) continue;
    best = Math.min(best, mean('linear') + (response * mean('toBeServed')) / mean('served'));
  }
  return best;
}

/** The least share of lost pages of any controller, as a conflict says it. */
function boundOnLoss(description: QueueDescription, costs: CostWeights): number {
  const answer = observedAnswer({ ...description, costs, constraints: { lossProbability: 1e-12 } });
  return defined(answer.conflict).limits[0].smallest ?? Number.NaN;
}

describe('limits with the phases in sight', () => {
  it('cost what the best mixture of two tables of a tiny system costs', () => {
    let [mixed, bound, beyond] = [0, 0, 0];
    for (let seed = 1; seed <= 14; seed++) {
      const description = {
        ...randomQueue(seed + 700, { exponential: true, capacity: 1, modes: 2 }),
        admission: 'partial' as const,
        discipline: 'fifo' as const,
      };
      const costs = randomCosts(seed + 700);
      const free = observedAnswer({ ...description, costs });
      const { phases } = defined(defined(free.solution).crawlersByState);
      const arrivals = new Set(phases.map(([arrival]) => arrival)).size;
      const column = new Map(phases.map(([arrival, service], c) => [`${arrival},${service}`, c]));
      const groups = arrivals + phases.length;
      if (groups > 6) continue;
      const tables = Array.from({ length: 2 ** groups }, (_, code) =>
        ratesOf(
          naiveMeasures(description, (length, v, m) => {
            const group = length === 0 ? v : arrivals + (column.get(`${v},${m}`) ?? -1);
            return 1 + ((code >> group) & 1);
          }),
          costs,
        ),
      );
      const shares = tables.map(({ lost, arrivals: all }) => lost / all);
      const [least, now] = [Math.min(...shares), measuresIn(free).lossProbability];
      const constraints = { lossProbability: least + 0.4 * (now - least) };
      const answer = observedAnswer({ ...description, costs, constraints });
      let best = Number.POSITIVE_INFINITY;
      for (const one of tables) {
        for (const other of tables)
          best = Math.min(best, bestMixture(one, other, costs.response, constraints.lossProbability));
      }
      expect(costIn(answer) / best).toBeLessThan(1 + 1e-7);
      expect(boundIn(answer) / best).toBeLessThan(1 + 1e-9);
      expect(costIn(answer)).toBeGreaterThanOrEqual(boundIn(answer));
      expect(answer.status).toBe('optimal');
      if (answer.mixture !== undefined) mixed++;
      if (defined(answer.dualPrices?.lossProbability) > 0) bound++;
      const under = { lossProbability: least * 0.9 };
      const conflict = defined(observedAnswer({ ...description, costs, constraints: under }).conflict);
      expect(conflict.limits[0].smallest).toBeCloseTo(least, 8);
      beyond++;
    }
    expect(mixed).toBeGreaterThan(4);
    expect(bound).toBeGreaterThan(4);
    expect(beyond).toBeGreaterThan(4);
  });

  it.each(['arrival-phase', 'service-phase'] as const)(
    'cost with the %s alone what the best mixture of two such tables costs',
    (observe) => {
      let [mixed, found, problems] = [0, 0, 0];
      for (let seed = 1; seed <= 8; seed++) {
        const description = {
          ...randomQueue(seed + 740, { exponential: true, capacity: 2, modes: 2 }),
          admission: 'partial' as const,
          discipline: 'fifo' as const,
        };
        const costs = randomCosts(seed + 740);
        const free = observedAnswer({ ...description, costs, observe });
        const { phases } = defined(defined(free.solution).crawlersByState);
        const written = [...new Set(phases.map((pair) => pair[observe === 'arrival-phase' ? 0 : 1]))];
        const emptyGroups = observe === 'arrival-phase' ? written.length : 1;
        const groups = emptyGroups + 2 * written.length;
        const tables = Array.from({ length: 2 ** groups }, (_, code) =>
          ratesOf(
            naiveMeasures(description, (length, v, m) => {
              const seen = observe === 'arrival-phase' ? v : m;
              const group = seen === null ? 0 : written.indexOf(seen);
              return 1 + ((code >> (length === 0 ? group : emptyGroups + (length - 1) * written.length + group)) & 1);
            }),
            costs,
          ),
        );
        const [least, now] = [
          Math.min(...tables.map(({ lost, arrivals }) => lost / arrivals)),
          measuresIn(free).lossProbability,
        ];
        if (now < least * (1 + 1e-6)) continue;
        problems++;
        const constraints = { lossProbability: least + 0.4 * (now - least) };
        const answer = observedAnswer({ ...description, costs, observe, constraints });
        let best = Number.POSITIVE_INFINITY;
        for (const [i, one] of tables.entries()) {
          for (const other of tables.slice(i))
            best = Math.min(best, bestMixture(one, other, costs.response, constraints.lossProbability));
        }
        expect(boundIn(answer)).toBeLessThanOrEqual(best * (1 + 1e-9));
        expect(costIn(answer)).toBeGreaterThan(best * (1 - 1e-7));
        expect(costIn(answer)).toBeLessThan(best * 1.02);
        if (costIn(answer) < best * (1 + 1e-7)) found++;
        if (answer.mixture !== undefined) mixed++;
        const under = { lossProbability: boundOnLoss(description, costs) * 0.9 };
        expect(observedAnswer({ ...description, costs, observe, constraints: under }).status).toBe('infeasible');
      }
      expect(problems).toBeGreaterThanOrEqual(4);
      expect(found).toBeGreaterThanOrEqual(problems - 1);
      expect(mixed).toBeGreaterThan(2);
    },
  );

  it('are kept by the main example at a price, with two limits at once, and cost no less than without', () => {
    const free = observedAnswer({ ...example(), costs: exampleCosts });
    const { lossProbability, starvationProbability } = measuresIn(free);
    const one = { lossProbability: 0.9 * lossProbability };
    const tight = observedAnswer({ ...example(), costs: exampleCosts, constraints: one });
    expect(tight.status).toBe('optimal');
    expect(costIn(tight)).toBeGreaterThan(costIn(free));
    expect(measuresIn(tight).lossProbability).toBeCloseTo(one.lossProbability, 9);
    // The price is the slope of the cost in the limit.
    const step = 1e-4 * one.lossProbability;
    const looser = observedAnswer({
      ...example(),
      costs: exampleCosts,
      constraints: { lossProbability: one.lossProbability + step },
    });
    const slope = (costIn(tight) - costIn(looser)) / step;
    expect(defined(tight.dualPrices?.lossProbability) / slope).toBeCloseTo(1, 2);
    expect(costIn(tight)).toBeLessThan(defined(tight.byQueueLength).cost);
    const both = { ...one, starvationProbability: 0.95 * starvationProbability, responseTime: 2 };
    const more = observedAnswer({ ...example(), costs: exampleCosts, constraints: both });
    expect(more.status === 'infeasible' || costIn(more) >= costIn(tight) * (1 - 1e-9)).toBe(true);
    const slack = { lossProbability: lossProbability * 1.01 };
    expect(costIn(observedAnswer({ ...example(), costs: exampleCosts, constraints: slack }))).toBeCloseTo(
      costIn(free),
      9,
    );
  });

  it('are kept by a controller that draws its count in one state, as played', () => {
    const description = example({ capacity: 3, obsolescence: { initial: [1], generator: [[-0.2]] } });
    const constraints = { lossProbability: 0.3 };
    const answer = observedAnswer({ ...description, costs: exampleCosts, constraints });
    const played = play(answer, description, 400_000);
    const { lossProbability, starvationProbability, activeCrawlers } = measuresIn(answer);
    expect(Math.abs(played.lost - lossProbability)).toBeLessThan(0.004);
    expect(Math.abs(played.empty - starvationProbability)).toBeLessThan(0.004);
    expect(Math.abs(played.crawlers / activeCrawlers - 1)).toBeLessThan(0.02);
    // Without the draw it would do something else.
    const [, second] = defined(answer.mixture);
    expect(Math.abs(second.measures.lossProbability - lossProbability)).toBeGreaterThan(0.005);
  });
});

/** Plays the table with its drawn state. */
function play({ solution, drawnState }: ThresholdPolicyAnswer, description: QueueDescription, events: number) {
  const { phases, table } = defined(defined(solution).crawlersByState);
  const drawn = defined(drawnState);
  const total = { time: 0, empty: 0, crawlers: 0, pages: 0, lost: 0 };
  const crawlers = ({ length, v, m }: PlayedState, random: () => number): number => {
    const here = length === drawn.queueLength && v === drawn.phases[0] && (m === null || m === drawn.phases[1]);
    const column = phases.findIndex(([a, s]) => a === v && (m === null || s === m));
    return here && random() < drawn.probability ? drawn.crawlers : table[length][column];
  };
  playQueue(
    { description, crawlers, events, seed: 4 },
    {
      stayed({ length }, time, count) {
        total.time += time;
        total.crawlers += count * time;
        if (length === 0) total.empty += time;
      },
      batch(_, size, lost) {
        total.pages += size;
        total.lost += lost;
      },
    },
  );
  return {
    lost: total.lost / total.pages,
    empty: total.empty / total.time,
    crawlers: total.crawlers / total.time,
  };
}
