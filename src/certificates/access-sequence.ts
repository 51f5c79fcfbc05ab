/**
 * Checks a cycle against the model alone: it shares the law of the access time with the solver, and no code.
 *
 * The cost is computed afresh from the papers' formula, r = 1 − Σ_m (1 − h^(d_m))/(K·μ·E X). There h = E e^(−μX), and
 * d_m are the distances between accesses of a page around the cycle of K. Source: Coffman, Liu & Weber 1997, (3) and
 * Lemma 3.1. A page that does not occur has r = 1. The bound at the cycle's own counts, Σ c(1 − f/(μE X)·(1 −
 * h^(1/f))), is not above the cost. O(K + N), one transform a page.
 */

import type { AccessSequence, AccessSequenceProblem } from '../solvers/access-sequence/index.ts';
import { createLaw } from '../solvers/laws/create-law.ts';
import { faultList } from './faults.ts';
import { accessRequest } from './pages/access-request.ts';
import {
  isObject,
  listIn,
  numberIn,
  numbersIn,
  objectAt,
  objectiveOf,
  textIn,
  type WireObject,
  WireTable,
} from './wire.ts';

type Problem = Pick<AccessSequenceProblem, 'accessTime' | 'changeRate' | 'weight' | 'cycleLength' | 'lastAccess'>;
interface Checked extends Pick<AccessSequence, 'status' | 'objective'> {
  readonly method: string;
  readonly sequence: Uint32Array;
  readonly counts: Uint32Array;
  readonly staleness: Float64Array;
  readonly firstCycleCost: number | null;
  readonly overallBound: number;
  readonly methods: readonly { readonly cost: number }[];
}

/** Differences of this size, relative to the sum of the weights, are rounding. */
const slack = 1e-8;

export function faultsOfCycle(problem: Problem, answer: Checked): string[] {
  const { changeRate, weight, cycleLength } = problem;
  const pages = changeRate.length;
  const { faults: wrong, expect } = faultList();
  const { sequence, counts, staleness, objective, overallBound } = answer;
  const cycle = sequence.length;
  expect(
    sequence.every((page) => page < pages),
    'a position in the cycle is no page',
  );
  expect(
    cycleLength === null || answer.method === 'golden-ratio' || cycle === cycleLength,
    `the cycle has ${cycle} accesses`,
  );
  const { fresh, occurs, load, perUnit } = freshness(problem, sequence);
  let cost = 0;
  let weights = 0;
  let ownBound = 0;
  for (let i = 0; i < pages; i++) {
    const stale = 1 - fresh[i];
    expect(counts[i] === occurs[i], `page ${i} occurs ${occurs[i]} times in the cycle, not ${counts[i]}`);
    expect(Math.abs(stale - staleness[i]) <= slack, `staleness of page ${i} is ${staleness[i]}, by the model ${stale}`);
    cost += weight[i] * staleness[i];
    weights += weight[i];
    const f = occurs[i] / cycle;
    ownBound += weight[i] * (f === 0 ? 1 : 1 + f * perUnit[i] * Math.expm1(-load[i] / f));
  }
  const { value, bound, gap } = objective;
  expect(Math.abs(cost - value) <= 1e-12 * weights, `Σ weight·staleness is ${cost}, not ${value}`);
  expect(
    ownBound <= value + slack * weights,
    `the cost ${value} is below what even spacing of its counts costs, ${ownBound}`,
  );
  expect(bound !== null && bound <= value, `the bound ${bound} is above the cost ${value}`);
  expect(overallBound <= value, `the overall bound ${overallBound} is above the cost ${value}`);
  expect(answer.status === 'feasible' || (gap !== null && gap <= 1e-9), `optimal with a gap of ${gap}`);
  expect(
    answer.methods.some((method) => method.cost === value),
    'no method has the cost of the cycle',
  );
  const { firstCycleCost } = answer;
  expect((firstCycleCost === null) === (problem.lastAccess === undefined), 'the first cycle has a cost with ages only');
  if (firstCycleCost !== null && problem.lastAccess !== undefined) {
    const first = walked(sequence, weight, problem.lastAccess, { load, perUnit });
    expect(
      Math.abs(first - firstCycleCost) <= slack * weights,
      `the first cycle costs ${first}, not ${firstCycleCost}`,
    );
  }
  return wrong;
}

/** What is wrong with an answer of the contract, for one crawler. */
export function verifyAccessSequence(request: WireObject, answer: WireObject): string[] {
  const asked = accessRequest(request);
  const cycleLength = typeof request.cycleLength === 'number' ? request.cycleLength : null;
  const { weight, minFrequency } = asked;
  if (answer.status === 'infeasible') return minFrequency * weight.length > 1 ? [] : ['the least frequency can be met'];
  const begun = asked.lastAccess.some((last) => !Number.isNaN(last));
  const problem = { ...asked, cycleLength, lastAccess: begun ? asked.lastAccess : undefined };
  const solution = objectAt(answer, 'solution');
  return faultsOfCycle(problem, {
    status: answer.status === 'optimal' ? 'optimal' : 'feasible',
    objective: objectiveOf(answer),
    method: textIn(solution, 'method'),
    sequence: Uint32Array.from(numbersIn(solution, 'sequence')),
    counts: Uint32Array.from(numbersIn(solution, 'counts')),
    staleness: new WireTable(solution.pages, 'pages', weight.length).numbers('staleness'),
    firstCycleCost: isObject(answer.firstCycle) ? numberIn(answer.firstCycle, 'cost') : null,
    overallBound: numberIn(objectAt(answer, 'bounds'), 'overall'),
    methods: listIn(answer, 'methods').map((method) => ({ cost: numberIn(objectAt(method), 'cost') })),
  });
}

/** Σ c_i·(stale share) over one cycle from the ages before it, access by access. */
function walked(
  sequence: Uint32Array,
  weight: Float64Array,
  lastAccess: Float64Array,
  { load, perUnit }: Pick<Freshness, 'load' | 'perUnit'>,
): number {
  const last = lastAccess.map((ago) => -ago);
  const fresh = new Float64Array(weight.length);
  const account = (i: number, until: number): void => {
    if (Number.isNaN(last[i])) return;
    const before = Math.max(0, -1 - last[i]);
    fresh[i] += Math.exp(-before * load[i]) - Math.exp(-(until - last[i]) * load[i]);
  };
  for (const [t, i] of sequence.entries()) {
    account(i, t);
    last[i] = t;
  }
  let cost = 0;
  for (let i = 0; i < weight.length; i++) {
    account(i, sequence.length - 1);
    cost += weight[i] * (1 - (fresh[i] * perUnit[i]) / sequence.length);
  }
  return cost;
}

interface Freshness {
  /** 1 − r_i. */
  readonly fresh: Float64Array;
  readonly occurs: Uint32Array;
  /** −ln h_i. */
  readonly load: Float64Array;
  /** 1/(μ_i E X). */
  readonly perUnit: Float64Array;
}

function freshness({ accessTime, changeRate }: Problem, sequence: Uint32Array): Freshness {
  const law = createLaw(accessTime);
  const load = changeRate.map((rate) => {
    const changed = law.laplaceComplement(rate);
    return changed < 0.5 ? -Math.log1p(-changed) : -Math.log(law.laplace(rate));
  });
  const perUnit = changeRate.map((rate) => 1 / (rate * law.mean));
  const occurs = new Uint32Array(changeRate.length);
  const fresh = new Float64Array(changeRate.length);
  const last = new Float64Array(changeRate.length).fill(Number.NaN);
  // the second time round every access knows the one before it
  for (let round = 0; round < 2; round++) {
    for (let t = 0; t < sequence.length; t++) {
      const page = sequence[t];
      const now = round * sequence.length + t;
      if (round === 1) {
        fresh[page] -= Math.expm1(-(now - last[page]) * load[page]);
        occurs[page]++;
      }
      last[page] = now;
    }
  }
  return { fresh: fresh.map((sum, i) => (sum * perUnit[i]) / sequence.length), occurs, load, perUnit };
}
