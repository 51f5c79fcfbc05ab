/** Threshold policies: searches and the simulator, each checked before it is timed. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type QueueSimulationProblem, solveQueueSimulation } from '../src/solvers/simulation/index.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from '../src/solvers/threshold-policy/index.ts';
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

const mixture = {
  initial: [0.9, 0.1],
  generator: [
    [-3, 0],
    [0, -0.3 / 14.1],
  ],
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
let simulation = solveQueueSimulation({ ...million, duration: 4000 }, budget);

export const benchmarks: Benchmark[] = [
  optimum('threshold-policy, paper, K = 30', 'under 100 ms', small, 57.232146394437),
  optimum(
    'threshold-policy, paper, K = 100, proved optimum (182,104 vectors)',
    'under 1 s',
    { ...example({ capacity: 100 }), costs: exampleCosts },
    57.2321464597011,
  ),
  optimum('threshold-policy, real data, 16 modes, K = 100, proved to 1e-6', 'under 4 s', sixteen, 410.16816719919),
  optimum(
    'threshold-policy, real data, 4 modes, K = 200',
    'under 1 s',
    { ...realData({ capacity: 200 }), costs: realCosts },
    577.2611895227766,
  ),
  optimum(
    'threshold-policy, reneging of two phases, K = 5',
    'under 300 ms',
    { ...example({ capacity: 5, obsolescence: mixture }), costs: exampleCosts },
    119.53838930934033,
  ),
  {
    name: 'simulations/queue, a million pages of the paper’s example',
    target: 'under 3 s',
    check() {
      const exact = solveThresholdPolicy(
        { ...example(), costs: exampleCosts, evaluate: { crawlersByQueueLength: [3, 3, 3, 1, 1, 1] } },
        budget,
      ).beside.evaluation?.measures;
      const estimate = simulation.solution.measures.responseTime;
      if (estimate === null || estimate === undefined || exact === undefined) throw new Error('no estimate');
      const [low, high] = estimate.interval;
      if (Math.abs(estimate.mean - exact.responseTime) > high - low)
        throw new Error(`V1 ${estimate.mean}, exact ${exact.responseTime}`);
    },
    run() {
      simulation = solveQueueSimulation(million, budget);
    },
    repetitions: 3,
    figures: () => ({ pages: simulation.statistics.pages, events: simulation.statistics.events }),
  },
];
