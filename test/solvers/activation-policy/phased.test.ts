/**
 * Indexing in phases, pages in batches and correlated crawlers. They stand against every policy of tiny systems and
 * against the same chain written down naively. They also stand against the plain model where they are that, and against
 * a simulation.
 */
import { describe, expect, it } from 'vitest';
import { bestStaticCount, type PhasedDescription } from '../../../src/solvers/activation-policy/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import {
  type ActivationOutcome,
  type ActivationTask,
  activationWork,
  certifyActivation,
  findActivation,
} from './asked.ts';
import { type NaiveDecision, type NaivePolicy, type NaiveQueue, naivePhasedAverages } from './naive-phased.ts';
import { simulatedCost } from './phased-simulation.ts';

const erlang = {
  initial: [1, 0],
  generator: [
    [-2, 2],
    [0, -2],
  ],
};
const hyper = {
  initial: [0.2, 0.8],
  generator: [
    [-0.25, 0],
    [0, -4],
  ],
};
const coxian = {
  initial: [1, 0, 0],
  generator: [
    [-3, 2, 0],
    [0, -1, 0.5],
    [0, 0, -0.8],
  ],
};
const bursty = [
  [
    [-1.1, 0.1],
    [0.05, -0.1],
  ],
  [
    [0.9, 0],
    [0, 0.05],
  ],
  [
    [0, 0.1],
    [0, 0],
  ],
];

const base: ActivationTask = {
  crawlerRate: 0.4,
  indexingRate: 1,
  capacity: 2,
  crawlers: 2,
  starvationWeight: 1.5,
  crawlerCost: 0,
};

const solved = (problem: ActivationTask): ActivationOutcome => findActivation(problem, unlimitedBudget());

/** The problem as the naive chain takes it. */
function naive(problem: ActivationTask): NaiveQueue {
  const { phased = {}, crawlerRate, indexingRate, crawlers = 1, ...rest } = problem;
  const shares = phased.batchShares ?? [1];
  return {
    ...rest,
    crawlers,
    service: phased.service ?? { initial: [1], generator: [[-indexingRate]] },
    matrices: phased.arrivals ?? [[[-crawlerRate]], ...shares.map((share) => [[crawlerRate * share]])],
  };
}

/** The answer as a controller applies it. */
function applied({ targets, targetsByState, decisionsByState }: ActivationOutcome): NaivePolicy {
  return ({ queue, active, service, bringer }: NaiveDecision) => {
    if (targetsByState !== undefined) {
      return active.length < targetsByState.table[queue][service === null ? 0 : targetsByState.phases.indexOf(service)];
    }
    if (decisionsByState === undefined) return active.length < targets[queue];
    const column = decisionsByState.columns.findIndex(
      (one) => one.service === (service ?? 0) && one.arrival === bringer,
    );
    const row = decisionsByState.active.findIndex((counts) =>
      counts.every((count, w) => count === active.filter((phase) => phase === w).length),
    );
    return decisionsByState.table[queue][column][row] === '1';
  };
}

/** The least cost of all policies that decide by `seen`, by trying each. */
function enumerated(queue: NaiveQueue, seen: (decision: NaiveDecision) => string | null): number {
  const kinds = new Set<string>();
  naivePhasedAverages(queue, (decision) => {
    kinds.add(seen(decision) ?? '');
    return decision.active.length % 2 === 0;
  });
  for (const always of [true, false]) {
    naivePhasedAverages(queue, (decision) => {
      kinds.add(seen(decision) ?? '');
      return always;
    });
  }
  const names = [...kinds];
  let least = Number.POSITIVE_INFINITY;
  for (let policy = 0; policy < 2 ** names.length; policy++) {
    const on = new Set(names.filter((_, i) => (policy >> i) & 1));
    least = Math.min(least, naivePhasedAverages(queue, (decision) => on.has(seen(decision) ?? '')).cost);
  }
  return least;
}

describe('with phases in sight', () => {
  it.each<[string, PhasedDescription, number]>([
    ['Erlang indexing', { service: erlang }, 1.5],
    ['hyperexponential indexing', { service: hyper }, 0.7],
    ['hyperexponential indexing and batches', { service: hyper, batchShares: [0.5, 0.5] }, 3],
  ])('the policy is the best of all: %s', (_name, phased, starvationWeight) => {
    const problem = { ...base, starvationWeight, phased, observe: 'phases' as const };
    const answer = solved(problem);
    expect(answer.status).toBe('optimal');
    const least = enumerated(naive(problem), ({ queue, active, service }) => `${queue} ${active.length} ${service}`);
    expect(Math.abs(answer.cost - least)).toBeLessThan(1e-9 * least);
    expect(certifyActivation(problem, answer)).toEqual([]);
  });

  it('the policy is the best of all: correlated crawlers', () => {
    const phased = { arrivals: bursty };
    const problem = { ...base, capacity: 1, phased, observe: 'phases' as const };
    const answer = solved(problem);
    expect(answer.status).toBe('optimal');
    const seen = ({ queue, active, bringer }: NaiveDecision): string => `${queue} ${active.join()} ${bringer}`;
    const least = enumerated(naive(problem), seen);
    expect(Math.abs(answer.cost - least)).toBeLessThan(1e-9 * least);
    expect(answer.decisionsByState?.active).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it.each<[string, PhasedDescription]>([
    ['phases of indexing', { service: coxian }],
    ['batches', { batchShares: [0.4, 0, 0.6] }],
    ['correlated crawlers', { arrivals: bursty }],
    ['all of them', { service: erlang, arrivals: bursty }],
  ])('and without, applying the answer gives its averages: %s', (_name, phased) => {
    for (const observe of ['phases', 'queue-length'] as const) {
      const problem = { ...base, capacity: 4, crawlers: 3, crawlerCost: 0.02, phased, observe };
      const answer = solved(problem);
      const averages = naivePhasedAverages(naive(problem), applied(answer));
      const [stated] = answer.classes;
      for (const name of ['cost', 'starvationProbability', 'lossRate', 'meanActive', 'meanQueueLength'] as const) {
        expect(Math.abs(stated[name] - averages[name])).toBeLessThan(1e-8);
      }
      expect(certifyActivation(problem, answer)).toEqual([]);
      expect(answer.bound).toBeLessThanOrEqual(answer.cost);
      if (answer.byQueueLength) expect(answer.byQueueLength.cost).toBeGreaterThanOrEqual(answer.cost * (1 - 1e-9));
      if (answer.fullInformation) expect(answer.fullInformation.cost).toBeLessThanOrEqual(answer.cost);
    }
  });
});

describe('without phases in sight', () => {
  it.each<[string, PhasedDescription, number]>([
    ['Erlang indexing', { service: erlang }, 1.5],
    ['hyperexponential indexing', { service: hyper }, 3],
    ['correlated crawlers', { arrivals: bursty }, 1.5],
  ])(
    'the targets are the best of all decisions by queue length and active crawlers: %s',
    (_name, phased, starvationWeight) => {
      const problem = { ...base, starvationWeight, phased };
      const answer = solved(problem);
      const least = enumerated(naive(problem), ({ queue, active }) => `${queue} ${active.length}`);
      expect(Math.abs(answer.cost - least)).toBeLessThan(1e-9 * least);
      expect(answer.bound).toBeLessThanOrEqual(least * (1 + 1e-9));
    },
  );

  it('batches of exponential indexing hide nothing: the targets are proved', () => {
    const answer = solved({ ...base, capacity: 12, crawlers: 30, phased: { batchShares: [0.3, 0.2, 0.5] } });
    expect(answer.status).toBe('optimal');
    expect(answer.fullInformation?.relativeImprovement).toBeCloseTo(0, 12);
  });

  it('the best static count is that of crawler-count where pages come one at a time', () => {
    const problem = { ...base, capacity: 8, crawlers: 12, crawlerRate: 0.15 };
    const { baseline } = solved({ ...problem, phased: { batchShares: [1, 1e-13] } });
    const plain = bestStaticCount(problem, 12);
    expect(baseline.crawlers).toBe(plain.crawlers);
    expect(Math.abs(baseline.cost - plain.cost)).toBeLessThan(1e-10);
  });
});

describe('what is the plain model under another name', () => {
  it.each<[string, PhasedDescription]>([
    ['an exponential law', { service: { initial: [1], generator: [[-1]] } }],
    [
      'two phases with one rate',
      {
        service: {
          initial: [0.3, 0.7],
          generator: [
            [-1, 0],
            [0, -1],
          ],
        },
      },
    ],
    ['batches of one page', { batchShares: [1, 0, 0] }],
    ['a Poisson process as matrices', { arrivals: [[[-0.4]], [[0.4]]] }],
  ])('is answered as that: %s', (_name, phased) => {
    const problem = { ...base, capacity: 5, crawlers: 9 };
    expect(solved({ ...problem, phased })).toEqual(solved(problem));
    expect(activationWork({ ...problem, phased })).toBe(activationWork(problem));
  });

  it('nearly that costs nearly as much', () => {
    const problem = { ...base, capacity: 6, crawlers: 12, crawlerRate: 0.15 };
    const answer = solved({ ...problem, phased: { batchShares: [1, 1e-12] } });
    expect(Math.abs(answer.cost - solved(problem).cost)).toBeLessThan(1e-10);
    expect(answer.targets).toEqual(solved(problem).targets);
  });
});

describe('given targets', () => {
  it('are evaluated, class by class where there are several', () => {
    const problem = { ...base, crawlerRate: 0.5, starvationWeight: 1, targets: Int32Array.from([2, 0, 1]) };
    const answer = solved({ ...problem, phased: { service: erlang } });
    expect(answer.status).toBe('evaluated');
    expect(answer.classes).toHaveLength(2);
    expect(answer.cost).toBe(Math.max(...answer.classes.map(({ cost }) => cost)));
  });

  it('of correlated crawlers cost what a simulation of them costs', () => {
    const targets = Int32Array.from([3, 3, 2, 1, 0]);
    const problem = { ...base, capacity: 4, crawlers: 3, phased: { service: hyper, arrivals: bursty }, targets };
    const answer = solved(problem);
    const runs = Array.from({ length: 10 }, (_, seed) => simulatedCost(naive(problem), targets, seed, 1000));
    const mean = runs.reduce((sum, cost) => sum + cost, 0) / runs.length;
    const deviation = Math.sqrt(runs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / (runs.length - 1));
    expect(Math.abs(answer.cost - mean)).toBeLessThan((4 * deviation) / Math.sqrt(runs.length));
    expect(deviation / Math.sqrt(runs.length)).toBeLessThan(0.1 * mean);
  });
});

describe('what is refused', () => {
  it.each<[string, Partial<ActivationTask>, string, string]>([
    ['no number of crawlers', { crawlers: undefined }, 'crawlers-missing', 'crawlers'],
    ['limits', { constraints: { lossRate: 1 } }, 'not-applicable', 'constraints'],
    ['a chain too large', { capacity: 1000, crawlers: 4000 }, 'too-large', 'crawlers'],
  ])('%s', (_name, change, code, at) => {
    const { crawlers: _, ...rest } = base;
    const problem = { ...base, phased: { service: erlang }, ...change };
    const asked: ActivationTask =
      change.crawlers === undefined && 'crawlers' in change
        ? { ...rest, phased: { service: erlang } }
        : { ...problem, crawlers: problem.crawlers ?? 1 };
    expect(() => activationWork(asked)).toThrow(expect.objectContaining({ code, path: [at] }));
  });

  it('rates that no double can hold together, wherever they were given', () => {
    const refused = (problem: ActivationTask, at: string) =>
      expect(() => findActivation(problem, unlimitedBudget())).toThrow(
        expect.objectContaining({ code: 'rates-too-far-apart', path: [at] }),
      );
    const fast = {
      initial: [0.1, 0.9],
      generator: [
        [-1e93, 0],
        [0, -1e95],
      ],
    };
    refused({ ...base, phased: { service: fast } }, 'crawlerRate');
    const slow = [
      [
        [-3e-94, 1e-94],
        [0, -1e-95],
      ],
      [
        [2e-94, 0],
        [1e-95, 0],
      ],
    ];
    refused({ ...base, phased: { arrivals: slow } }, 'arrivals');
  });

  it('nothing else: a stop leaves the best so far', () => {
    let polls = 0;
    const budget = { ...unlimitedBudget(), stopRequested: () => ++polls > 40 };
    const answer = findActivation({ ...base, capacity: 30, crawlers: 60, phased: { service: coxian } }, budget);
    expect(defined(answer.classes[0]).cost).toBeGreaterThan(0);
    expect(answer.status).toBe('feasible');
  });
});
