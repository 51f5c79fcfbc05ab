/**
 * What the activation policy costs. Correctness first: every answer is certified, proved to 1e−9 and, where an oracle
 * is known, compared with it. Baselines: general policy iteration by banded elimination, and the paper's value
 * iteration.
 */
import { AllPoliciesChain } from '../src/solvers/activation-policy/all-policies-chain.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { ChainSolver } from '../src/solvers/chain/index.ts';
import oracle from '../test/fixtures/activation-policy.json' with { type: 'json' };
import {
  type ActivationOutcome,
  type ActivationTask,
  certifyActivation,
  findActivation,
  modelOf,
} from '../test/solvers/activation-policy/activation-tasks.ts';
import type { Benchmark } from './benchmark.ts';

type LimitedCase = ActivationTask & { readonly crawlers: number };

const queue = (crawlers: number, capacity: number, crawlerRate: number, starvationWeight: number): LimitedCase => ({
  crawlers,
  capacity,
  crawlerRate,
  indexingRate: 1,
  starvationWeight,
  crawlerCost: 0,
});

const small = queue(143, 15, 0.01, 17 / 15);
const medium = queue(1000, 100, 0.0015, 1);
const large = queue(10_000, 200, 0.00015, 1);

/** Solves, and throws unless the answer is certified and proved. */
function lowerBound(problem: ActivationTask): ActivationOutcome {
  const answer = findActivation(problem, unlimitedBudget());
  const faults = certifyActivation(problem, answer);
  if (faults.length > 0) throw new Error(faults.join('; '));
  if (answer.status !== 'optimal') throw new Error(`cost ${answer.cost}, bound ${answer.bound}: not proved`);
  return answer;
}

const gapOf = ({ cost, bound }: ActivationOutcome): string =>
  bound === null ? 'unknown' : ((cost - bound) / Math.max(bound, 1e-12)).toExponential(1);

function benchmarkOf(name: string, target: string, problem: LimitedCase, repetitions: number): Benchmark {
  let answer: ActivationOutcome;
  return {
    name: `activation-policy, ${name}`,
    target,
    repetitions,
    check: () => {
      lowerBound(problem);
    },
    run: () => {
      answer = findActivation(problem, unlimitedBudget());
    },
    figures: () => ({
      states: answer.states,
      iterations: answer.iterations,
      cost: answer.cost,
      gap: gapOf(answer),
      'gain over the best static count': `${(100 * (answer.relativeImprovement ?? 0)).toFixed(1)}%`,
    }),
  };
}

const tableProblems: ActivationTask[] = [...oracle['table1.2'], ...oracle['table1.3']].map((row) => ({
  crawlerRate: row.crawlerRate,
  indexingRate: 1,
  capacity: row.capacity,
  starvationWeight: row.gammaUsedForDynamic,
  crawlerCost: 0,
  ...('crawlers' in row && { crawlers: row.crawlers }),
}));

export const benchmarks: Benchmark[] = [
  {
    ...benchmarkOf('N = 143, K = 15', 'under 2 ms', small, 200),
    baseline: {
      name: 'general policy iteration, banded',
      run: () => {
        const chain = new AllPoliciesChain(modelOf(small));
        const policy = chain.policyOf(new Int32Array(16).fill(100));
        new ChainSolver(chain.chain, 16, unlimitedBudget()).minimise(chain.weights, policy);
      },
    },
  },
  benchmarkOf('N = 1000, K = 100', 'under 0.2 s warm', medium, 7),
  benchmarkOf('N = 10,000, K = 200', 'under 4 s', large, 3),
  {
    name: 'activation-policy, all 54 rows of Tables 1.2 and 1.3',
    target: 'under 0.3 s',
    check: () => {
      const rows = [...oracle['table1.2'], ...oracle['table1.3']];
      for (const [i, problem] of tableProblems.entries()) {
        const answer = lowerBound(problem);
        if (Math.abs(answer.cost - rows[i].exact.cost) > 1e-12) throw new Error(`row ${i}: ${answer.cost}`);
        if (answer.targets.join() !== rows[i].exact.targets.join()) throw new Error(`row ${i}: ${answer.targets}`);
      }
    },
    run: () => {
      for (const problem of tableProblems) findActivation(problem, unlimitedBudget());
    },
  },
];
