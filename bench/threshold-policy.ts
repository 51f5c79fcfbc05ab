/** Threshold policies: searches, single evaluations and the simulator, each checked before it is timed. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { assembleQueue } from '../src/solvers/queue/assemble.ts';
import { costOf } from '../src/solvers/queue/measures.ts';
import { fixedMode, modesOfThresholds, type QueueDescription } from '../src/solvers/queue/queue.ts';
import { type QueueSimulationProblem, solveQueueSimulation } from '../src/solvers/simulation/index.ts';
import { chooseEvaluator } from '../src/solvers/threshold-policy/evaluate/choose-evaluator.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from '../src/solvers/threshold-policy/index.ts';
import { nonDecreasing } from '../src/solvers/threshold-policy/search/enumerate.ts';
import { example, exampleCosts, realCosts, realData, realMatrices } from '../test/solvers/threshold-policy/cases.ts';
import type { Benchmark } from './benchmark.ts';

const budget = unlimitedBudget(1);

function expectClose(what: string, value: number | undefined, expected: number, tolerance = 1e-9): void {
  if (value !== undefined && Math.abs(value / expected - 1) <= tolerance) return;
  throw new Error(`${what}: ${value}, expected ${expected}`);
}

function optimum(name: string, target: string, problem: ThresholdPolicyProblem, expected: number): Benchmark {
  let answer = solveThresholdPolicy(problem, budget);
  return {
    name,
    target,
    check() {
      if (answer.status !== 'optimal') throw new Error(`${name}: ${answer.status}`);
      expectClose(name, answer.objective?.value, expected);
    },
    run() {
      answer = solveThresholdPolicy(problem, budget);
    },
    figures: () => answer.statistics,
  };
}

/** One evaluation of a policy, the evaluator being prepared. */
function evaluation(
  name: string,
  target: string | undefined,
  description: QueueDescription,
  thresholds: readonly number[] | null,
  check: (cost: number) => void,
): Benchmark {
  const { queue } = assembleQueue(description);
  const { evaluator } = chooseEvaluator(queue, budget);
  const byLevel = thresholds === null ? fixedMode(queue, queue.modes.length - 1) : modesOfThresholds(queue, thresholds);
  return {
    name,
    ...(target === undefined ? {} : { target }),
    check: () => check(costOf(evaluator.evaluate(byLevel), exampleCosts)),
    run: () => {
      evaluator.evaluate(byLevel);
    },
    figures: () => ({ states: evaluator.states }),
  };
}

function plainEnumeration(problem: ThresholdPolicyProblem): number {
  const { queue } = assembleQueue(problem);
  const { evaluator } = chooseEvaluator(queue, budget);
  let best = Number.POSITIVE_INFINITY;
  for (const vector of nonDecreasing(queue.modes.length - 1, -1, queue.capacity)) {
    best = Math.min(best, costOf(evaluator.evaluate(modesOfThresholds(queue, vector)), problem.costs));
  }
  return best;
}

const mixture = {
  initial: [0.9, 0.1],
  generator: [
    [-3, 0],
    [0, -0.3 / 14.1],
  ],
};
const finite = (name: string) => (cost: number) => {
  if (!(cost > 0 && cost < 1e6)) throw new Error(`${name}: cost ${cost}`);
};
const sixteen: ThresholdPolicyProblem = {
  ...realData({
    capacity: 100,
    arrivals: { model: 'scaled', matrices: realMatrices(), factors: Array.from({ length: 16 }, (_, i) => i + 1) },
  }),
  costs: realCosts,
};
const small: ThresholdPolicyProblem = { ...example({ capacity: 30 }), costs: exampleCosts };

const million: QueueSimulationProblem = {
  queue: 'threshold-policy',
  description: example(),
  policy: { crawlersByQueueLength: [3, 3, 3, 1, 1, 1] },
  duration: 42_000,
  replications: 10,
};
let simulated = solveQueueSimulation({ ...million, duration: 4000 }, budget);

export const benchmarks: Benchmark[] = [
  {
    ...optimum('threshold-policy, paper, K = 30, full search', 'under 100 ms', small, 57.232146394437),
    baseline: {
      name: 'plain enumeration, one evaluation a vector',
      run() {
        expectClose('plain enumeration', plainEnumeration(small), 57.232146394437);
      },
    },
  },
  optimum(
    'threshold-policy, paper, K = 100, proved optimum (182,104 vectors)',
    'under 1 s',
    { ...example({ capacity: 100 }), costs: exampleCosts },
    57.2321464597011,
  ),
  optimum('threshold-policy, real data, 16 modes, K = 100, proved to 1e-6', 'under 4 s', sixteen, 410.16816719919),
  evaluation(
    'threshold-policy, one evaluation, K = 200',
    'under 10 ms',
    example({ capacity: 200 }),
    [-1, 3, 3],
    (cost) => expectClose('K = 200', cost, 57.232146459701106),
  ),
  evaluation(
    'threshold-policy, one evaluation, real data, K = 200',
    'under 10 ms',
    realData({ capacity: 200 }),
    null,
    finite('real data, K = 200'),
  ),
  evaluation(
    'threshold-policy, ordered phases, R = 2, K = 12',
    'under 300 ms',
    example({ capacity: 12, obsolescence: mixture }),
    [-1, 1, 1],
    (cost) => expectClose('K = 12', cost, 119.20043051136413),
  ),
  {
    ...evaluation(
      'threshold-policy, ordered phases, R = 2, K = 16',
      'under 1.5 s',
      example({ capacity: 16, obsolescence: mixture }),
      [-1, 1, 1],
      (cost) => expectClose('K = 16', cost, 119.2004191584875),
    ),
    repetitions: 3,
  },
  {
    name: 'simulations/queue, a million pages of the paper’s example',
    target: 'under 3 s',
    check() {
      const exact = solveThresholdPolicy(
        { ...example(), costs: exampleCosts, evaluate: { crawlersByQueueLength: [3, 3, 3, 1, 1, 1] } },
        budget,
      ).beside.evaluation?.measures;
      const estimate = simulated.solution.measures.responseTime;
      if (estimate === null || estimate === undefined || exact === undefined) throw new Error('no estimate');
      const [low, high] = estimate.interval;
      if (Math.abs(estimate.mean - exact.responseTime) > high - low)
        throw new Error(`V1 ${estimate.mean}, exact ${exact.responseTime}`);
    },
    run() {
      simulated = solveQueueSimulation(million, budget);
    },
    repetitions: 3,
    figures: () => ({ pages: simulated.statistics.pages, events: simulated.statistics.events }),
  },
];
