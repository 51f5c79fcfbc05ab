/** An arrival process of order five from 10,000 gaps, by maximum likelihood. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type ArrivalRecord, fitHiddenErlang, type HiddenErlang } from '../src/solvers/estimation/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../src/solvers/numerics/random/random-variates.ts';
import type { Benchmark } from './benchmark.ts';

const gapCount = 10_000;
/** What BuTools 2.0 prints as its fit to the Bellcore trace (documentation of MAPFromTrace): r = 1, 1, 3. */
const bellcore = {
  stages: [1, 1, 3],
  rates: [83.429, 718.68, 1026.2],
  transitions: [
    [0.649, 0.0588, 0.2922],
    [0.0047, 0.9265, 0.0688],
    [0.0416, 0.0945, 0.8639],
  ],
};

function gapsOf({ stages, rates, transitions }: typeof bellcore): ArrivalRecord {
  const random = seededRandom(7);
  let branch = 0;
  const intervals = Float64Array.from({ length: gapCount }, () => {
    let gap = 0;
    for (let stage = 0; stage < stages[branch]; stage++) gap += standardExponential(random) / rates[branch];
    let u = random();
    let next = 0;
    while (next < 2 && u >= transitions[branch][next]) u -= transitions[branch][next++];
    branch = next;
    return gap;
  });
  return {
    intervals,
    sessionStarts: Uint32Array.of(0),
    batchCounts: Uint32Array.of(0, gapCount + 1),
    batches: gapCount + 1,
  };
}

const arrivals = gapsOf(bellcore);
let fitted: HiddenErlang | null = null;

/** By the definition: forward chances of the branches, gap by gap. */
function likelihoodOfTruth({ stages, rates, transitions }: typeof bellcore): number {
  let chances = stages.map(() => 1 / stages.length);
  let total = 0;
  for (const gap of arrivals.intervals) {
    const joint = chances.map(
      (chance, i) =>
        (chance * rates[i] ** stages[i] * gap ** (stages[i] - 1) * Math.exp(-rates[i] * gap)) /
        (stages[i] === 3 ? 2 : 1),
    );
    const sum = joint.reduce((a, b) => a + b);
    total += Math.log(sum) / gapCount;
    chances = stages.map((_, j) => joint.reduce((chance, value, i) => chance + (value / sum) * transitions[i][j], 0));
  }
  return total;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'arrival-process, order 5 on 10,000 gaps, by maximum likelihood',
    target: 'under 1 s',
    check: () => {
      fitted = fitHiddenErlang(arrivals, 5, unlimitedBudget());
      const truth = likelihoodOfTruth(bellcore);
      if (!(fitted.logLikelihood >= truth))
        throw new Error(`likelihood ${fitted.logLikelihood}, of the truth ${truth}`);
    },
    run: () => {
      fitHiddenErlang(arrivals, 5, unlimitedBudget());
    },
    figures: () => ({
      'log-likelihood': fitted?.logLikelihood ?? 'none',
      'of the process that made the gaps': likelihoodOfTruth(bellcore),
      branches: fitted?.stages.join(', ') ?? 'none',
    }),
  },
];
