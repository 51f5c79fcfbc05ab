/** Laws, views and gaps against a long run of the queue, with intervals from the means of its blocks. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { studentQuantile } from '../../../src/solvers/numerics/special/student-t.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy } from './answered.ts';
import { example, exampleCosts, measuresIn, realMatrices } from './cases.ts';
import { type PlayedState, playQueue } from './played-queue.ts';
import { policyOf, tableOf, twoPhases } from './two-policies.ts';

/** Means of blocks of a long run, of one figure each: their mean, and half the width of its 95% interval. */
class Blocks {
  readonly #sums: { sum: number; weight: number }[] = [];

  add(block: number, value: number, weight = 1): void {
    this.#sums[block] ??= { sum: 0, weight: 0 };
    this.#sums[block].sum += weight * value;
    this.#sums[block].weight += weight;
  }

  get means(): number[] {
    return this.#sums.filter(({ weight }) => weight > 0).map(({ sum, weight }) => sum / weight);
  }
}

const blocks = 20;

/** How many half-widths of the 95% interval of the blocks' means a value lies away from their mean. */
function away(means: readonly number[], value: number): number {
  expect(means).toHaveLength(blocks);
  const mean = means.reduce((a, b) => a + b, 0) / blocks;
  const variance = means.reduce((a, b) => a + (b - mean) ** 2, 0) / (blocks - 1);
  const half = studentQuantile(0.95, blocks - 1) * Math.sqrt(variance / blocks);
  return Math.abs(mean - value) / half;
}

/** Twice a 95% half-width is about four standard errors: a chance of 1 in 1000 each for 19 degrees of freedom. */
const farAway = 2;

describe('what a long run of the queue shows', () => {
  const cases: [string, QueueDescription, boolean][] = [
    ['a table by phases, first in first out', example({ capacity: 3 }), true],
    ['thresholds, obsolescence of two phases', example({ capacity: 3, obsolescence: twoPhases }), false],
  ];
  it.each(cases)('are the laws of the times and the views: %s', (_, queue, table) => {
    const { at, crawlersByState } = tableOf(queue);
    const counts = policyOf(queue);
    const [times, transformAt] = [[0.4, 1.5], [0.3]];
    const measures = measuresIn(
      solveThresholdPolicy(
        {
          ...queue,
          costs: exampleCosts,
          evaluate: table ? { crawlersByState } : { crawlersByQueueLength: counts },
          measures: {
            response: { quantiles: [0.5, 0.9], times, transformAt },
            expired: { quantiles: [0.5, 0.9], times, transformAt },
            distribution: true,
            phases: true,
          },
        },
        unlimitedBudget(),
      ),
    );
    const figures = new Map<string, { blocks: Blocks; exact: number }>();
    const expected = (name: string, exact: number): void => {
      figures.set(name, { blocks: new Blocks(), exact });
    };
    for (const fate of ['served', 'expired'] as const) {
      const law = defined(Reflect.get(measures, fate === 'served' ? 'response' : 'expired'));
      expected(`${fate} mean`, law.mean);
      expected(`${fate} second moment`, law.variance + law.mean ** 2);
      for (const { time, probability } of [...defined(law.quantiles), ...defined(law.distribution)])
        expected(`${fate} by ${time}`, probability);
      for (const { at: s, value } of defined(law.transform)) expected(`${fate} transform ${s}`, value);
    }
    for (const observer of ['atAnyTime', 'atArrivals', 'atDepartures'] as const) {
      for (const [i, share] of defined(measures.queueLengths)[observer].entries())
        if (share > 0) expected(`${observer} length ${i}`, share);
      const { arrival, service } = defined(measures.phases)[observer];
      for (const [v, share] of arrival.entries()) expected(`${observer} arrival ${v}`, share);
      for (const [m, share] of service.entries()) expected(`${observer} service ${m}`, share);
    }
    const note = (block: number, name: string, value: number, weight: number): void =>
      figures.get(name)?.blocks.add(block, value, weight);
    const seen = (block: number, observer: string, state: PlayedState, weight: number): void => {
      for (let i = 0; i <= queue.capacity; i++)
        note(block, `${observer} length ${i}`, Number(state.length === i), weight);
      for (let v = 0; v < 2; v++) note(block, `${observer} arrival ${v}`, Number(state.v === v), weight);
      if (state.m === null) return;
      for (let m = 0; m < 2; m++) note(block, `${observer} service ${m}`, Number(state.m === m), weight);
    };
    // By events, not by time: a block is a part of the run either way.
    const events = 60_000;
    let event = 0;
    const block = (): number => Math.min(blocks - 1, Math.floor((event * blocks) / events));
    playQueue(
      {
        description: queue,
        crawlers: ({ length, v, m }) => (table ? at(length, v, m) : counts[length]),
        events,
        seed: 12,
      },
      {
        stayed(state, time) {
          event++;
          seen(block(), 'atAnyTime', state, time);
        },
        batch: (state, size) => seen(block(), 'atArrivals', state, size),
        left(fate, sojourn, state) {
          const b = block();
          // The length that is left behind, and the phase in which the indexing ended.
          if (fate === 'served') seen(b, 'atDepartures', { ...state, length: state.length - 1 }, 1);
          note(b, `${fate} mean`, sojourn, 1);
          note(b, `${fate} second moment`, sojourn ** 2, 1);
          const law = defined(Reflect.get(measures, fate === 'served' ? 'response' : 'expired'));
          for (const { time } of [...defined(law.quantiles), ...defined(law.distribution)])
            note(b, `${fate} by ${time}`, Number(sojourn <= time), 1);
          for (const { at: s } of defined(law.transform)) note(b, `${fate} transform ${s}`, Math.exp(-s * sojourn), 1);
        },
      },
    );
    for (const [name, { blocks: run, exact }] of figures) {
      // Where nothing is ever left behind (a departure from a full queue), there is no interval.
      if (run.means.every((mean) => mean === exact)) continue;
      expect(away(run.means, exact), name).toBeLessThan(farAway);
    }
    expect(figures.size).toBeGreaterThan(35);
  });
});

describe('the arrivals of a mode', () => {
  it('have the gaps that a long record of them has', () => {
    const matrices = realMatrices();
    const problem = {
      ...example({ capacity: 2, arrivals: { model: 'scaled', matrices, factors: [1] } }),
      costs: exampleCosts,
      measures: { modes: true },
    };
    const [mode] = defined(measuresIn(solveThresholdPolicy(problem, unlimitedBudget())).modes);
    const random = seededRandom(11);
    const n = matrices[0].length;
    const gaps: number[] = [];
    for (let phase = 0, gap = 0; gaps.length < 200_000; ) {
      gap += standardExponential(random) / -matrices[0][phase][phase];
      let u = random() * -matrices[0][phase][phase];
      let batch = false;
      outer: for (const [k, matrix] of matrices.entries()) {
        for (let to = 0; to < n; to++) {
          if (k === 0 && to === phase) continue;
          u -= matrix[phase][to];
          if (u >= 0) continue;
          batch = k > 0;
          phase = to;
          break outer;
        }
      }
      if (batch) {
        gaps.push(gap);
        gap = 0;
      }
    }
    const [mean, variance] = [1 / mode.batchRate, defined(mode.gapVariance)];
    const parts = (figure: (i: number) => number): number[] => {
      const run = new Blocks();
      for (let i = 5; i < gaps.length; i++) run.add(Math.floor((i * blocks) / gaps.length), figure(i));
      return run.means;
    };
    expect(
      away(
        parts((i) => gaps[i]),
        mean,
      ),
    ).toBeLessThan(farAway);
    expect(
      away(
        parts((i) => (gaps[i] - mean) ** 2),
        variance,
      ),
    ).toBeLessThan(farAway);
    expect(defined(mode.gapCorrelations)).toHaveLength(5);
    for (const [lag, correlation] of defined(mode.gapCorrelations).entries()) {
      const products = parts((i) => ((gaps[i] - mean) * (gaps[i - lag - 1] - mean)) / variance);
      expect(away(products, correlation), `lag ${lag + 1}`).toBeLessThan(farAway);
    }
  });
});
