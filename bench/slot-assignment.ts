/**
 * Slot assignment at the sizes its users have: ten crawlers, a day, up to ten million tasks. Every case is checked
 * first: feasible by an independent count, optimal by its own slot prices (weighted up to a million tasks). Baseline at
 * the sizes it can do: Jonker-Volgenant on the dense matrix (linear-sum-assignment).
 */
import { linearSumAssignment } from 'linear-sum-assignment';
import { type Budget, unlimitedBudget } from '../src/solvers/budget.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import {
  assignSlots,
  releaseTask,
  type SlotAssignment,
  type SlotAssignmentProblem,
} from '../src/solvers/slot-assignment/index.ts';
import { examineAssignment } from '../test/oracles/slot-assignment.ts';
import type { Benchmark } from './benchmark.ts';

const crawlers = 10;
const day = 86_400;

interface Shape {
  readonly tasks: number;
  readonly load: number;
  readonly weighted?: boolean;
  /** Share of tasks with one common ideal time. */
  readonly equal?: number;
  /** Share of release tasks. */
  readonly releases?: number;
  /** Share of (task, crawler) pairs that are forbidden. */
  readonly forbidden?: number;
  /** Each task bound to one crawler. */
  readonly affinity?: boolean;
}

function instanceOf(shape: Shape): SlotAssignmentProblem {
  const { tasks: n, load, equal = 0, releases = 0, forbidden = 0 } = shape;
  const random = seededRandom(7);
  const idealTime = Float64Array.from({ length: n }, () => (random() < equal ? day / 2 : random() * day));
  const kind = releases > 0 ? Uint8Array.from(idealTime, () => (random() < releases ? 1 : 0)) : null;
  // Release tasks in the last twentieth of the day would find no slots left at full load.
  kind?.forEach((each, j) => {
    if (each === releaseTask) idealTime[j] *= 0.95;
  });
  const weight = shape.weighted ? Float64Array.from(idealTime, () => 0.1 + 10 * random()) : null;
  let allowedCrawlers = null;
  if (forbidden > 0 || shape.affinity) {
    const start = new Int32Array(n + 1);
    const list: number[] = [];
    for (let j = 0; j < n; j++) {
      const listStart = list.length;
      if (!shape.affinity) for (let k = 0; k < crawlers; k++) if (random() >= forbidden) list.push(k);
      if (list.length === listStart) list.push(shape.affinity ? j % crawlers : Math.floor(random() * crawlers));
      start[j + 1] = list.length;
    }
    allowedCrawlers = { start, crawlers: Int32Array.from(list) };
  }
  return {
    interval: day,
    slotCounts: new Int32Array(crawlers).fill(Math.ceil(n / load / crawlers)),
    idealTime,
    kind,
    weight,
    allowed: allowedCrawlers,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

function solve(instance: SlotAssignmentProblem, budget: Budget, prices = false): SlotAssignment {
  const answer = assignSlots(instance, budget, { prices });
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}

/** Equal weights are solved by the sweep, which gives no prices; a search for them takes minutes from 1e5 tasks on. */
const hasPrices = ({ tasks, weighted = false }: Shape): boolean => tasks <= (weighted ? 1e6 : 1000);

function checkAnswer(instance: SlotAssignmentProblem, answer: SlotAssignment): void {
  const { violations, value, bound } = examineAssignment(instance, answer.slotOf, answer.prices);
  if (violations.length > 0) throw new Error(violations.join('; '));
  if (Math.abs(value - answer.objective.value) > 1e-9 * value)
    throw new Error(`cost ${answer.objective.value}, recomputed ${value}`);
  const provedBound = answer.prices === null ? answer.objective.bound : bound;
  if (answer.status === 'optimal' && value - provedBound > 1e-9 * value)
    throw new Error(`cost ${value}, bound ${provedBound}`);
}

interface Case {
  readonly name: string;
  readonly target?: string;
  readonly shape: Shape;
  /** Time limit of the solver, ms; then it answers with the best assignment so far. */
  readonly limitMs?: number;
  readonly repetitions?: number;
  readonly baseline?: { readonly name: string; readonly solve: (instance: SlotAssignmentProblem) => number };
}

function benchmark({
  name,
  target,
  shape,
  limitMs,
  repetitions = limitMs === undefined ? 5 : 2,
  baseline,
}: Case): Benchmark {
  const figures: Record<string, string> = {};
  let instance: SlotAssignmentProblem | null = null;
  let resident = 0;
  const preparedInstance = (): SlotAssignmentProblem => {
    instance ??= instanceOf(shape);
    return instance;
  };
  return {
    name: `slot-assignment, ${name}${limitMs === undefined ? '' : `, limit ${limitMs} ms`}`,
    ...(target !== undefined && { target }),
    repetitions,
    check() {
      const answer = solve(preparedInstance(), budgetOf(limitMs), limitMs === undefined && hasPrices(shape));
      checkAnswer(preparedInstance(), answer);
      if (limitMs === undefined && answer.status !== 'optimal') throw new Error('not proved optimal');
      if (baseline === undefined) return;
      const baselineCost = baseline.solve(preparedInstance());
      if (Math.abs(baselineCost - answer.objective.value) > 1e-6 * answer.objective.value)
        throw new Error(`${baselineCost} against ${answer.objective.value}`);
    },
    run() {
      const { status, objective } = solve(preparedInstance(), budgetOf(limitMs));
      const gap = (objective.value - objective.bound) / objective.bound;
      figures['status, gap'] = `${status}, ${(100 * gap).toFixed(2)}%`;
      resident = Math.max(resident, process.memoryUsage().rss);
    },
    ...(baseline && { baseline: { name: baseline.name, run: () => void baseline.solve(preparedInstance()) } }),
    figures() {
      // Frees a case of ten million tasks before the next one is measured.
      instance = null;
      return { ...figures, 'resident MiB': Math.round(resident / 2 ** 20) };
    },
  };
}

/** The budget of a case: with a time limit, ms, or unlimited. */
function budgetOf(limitMs: number | undefined): Budget {
  if (limitMs === undefined) return unlimitedBudget();
  const end = performance.now() + limitMs;
  const remainingMs = (): number => Math.max(0, end - performance.now());
  return { seed: 0, stopRequested: () => performance.now() >= end, remainingMs, report: () => {} };
}

/** Cost of each (task, slot) pair, for the baselines. */
function matrixOf(instance: SlotAssignmentProblem): number[][] {
  const times = Array.from(instance.slotCounts, (slots) =>
    Array.from({ length: slots }, (_, l) => (l * day) / slots),
  ).flat();
  return Array.from(instance.idealTime, (t, j) => times.map((tau) => (instance.weight?.[j] ?? 1) * Math.abs(tau - t)));
}

function jonkerVolgenant(instance: SlotAssignmentProblem): number {
  const matrix = matrixOf(instance);
  const { rowAssignments } = linearSumAssignment(matrix, { maximaze: false });
  return matrix.reduce((sum, row, j) => sum + row[rowAssignments[j]], 0);
}

const dense = { name: 'linear-sum-assignment (dense Jonker-Volgenant)', solve: jonkerVolgenant };

export const benchmarks: Benchmark[] = [
  benchmark({ name: '100 unit tasks', shape: { tasks: 100, load: 1 }, baseline: dense }),
  benchmark({ name: '1000 unit tasks', shape: { tasks: 1000, load: 1 }, baseline: dense, repetitions: 2 }),
  benchmark({ name: '100 weighted tasks', shape: { tasks: 100, load: 0.9, weighted: true }, baseline: dense }),
  benchmark({
    name: '1000 weighted tasks',
    shape: { tasks: 1000, load: 0.9, weighted: true },
    baseline: dense,
    repetitions: 2,
  }),
  benchmark({
    name: '1e5 unit tasks, 20% release, full',
    target: 'under 30 ms',
    shape: { tasks: 1e5, load: 1, releases: 0.2 },
  }),
  benchmark({
    name: '1e6 unit tasks, 20% release, full',
    target: 'under 250 ms',
    shape: { tasks: 1e6, load: 1, releases: 0.2 },
  }),
  benchmark({
    name: '1e6 unit tasks, 20% release, 5% idle',
    target: 'under 500 ms',
    shape: { tasks: 1e6, load: 0.95, releases: 0.2 },
  }),
  benchmark({ name: '1e6 unit tasks, each bound to a crawler', shape: { tasks: 1e6, load: 1, affinity: true } }),
  benchmark({
    name: '1e7 unit tasks, 20% release, full',
    target: 'under 2 s and 1 GB',
    shape: { tasks: 1e7, load: 1, releases: 0.2 },
    repetitions: 3,
  }),
  benchmark({
    name: '1e7 unit tasks, 20% release, 5% idle',
    target: 'under 4 s',
    shape: { tasks: 1e7, load: 0.95, releases: 0.2 },
    repetitions: 3,
  }),
  benchmark({
    name: '1e5 weighted tasks at 90% load',
    target: 'under 0.5 s',
    shape: { tasks: 1e5, load: 0.9, weighted: true },
  }),
  benchmark({
    name: '1e6 weighted tasks at 90% load',
    target: 'under 6 s',
    shape: { tasks: 1e6, load: 0.9, weighted: true },
    repetitions: 2,
  }),
  benchmark({
    name: '1e5 weighted tasks, 80% of pairs forbidden, 90% load',
    target: 'under 2 s',
    shape: { tasks: 1e5, load: 0.9, weighted: true, forbidden: 0.8 },
  }),
  benchmark({ name: '1e4 weighted tasks, full', shape: { tasks: 1e4, load: 1, weighted: true }, repetitions: 2 }),
  benchmark({ name: '1e5 weighted tasks, full', shape: { tasks: 1e5, load: 1, weighted: true }, limitMs: 4000 }),
  benchmark({
    name: '1e5 weighted tasks, 30% equal ideal times',
    shape: { tasks: 1e5, load: 0.9, weighted: true, equal: 0.3 },
    limitMs: 4000,
  }),
  benchmark({
    name: '1e5 weighted tasks, 30% equal, full',
    shape: { tasks: 1e5, load: 1, weighted: true, equal: 0.3 },
    limitMs: 4000,
  }),
  benchmark({
    name: '1e5 weighted tasks, 80% forbidden, full',
    shape: { tasks: 1e5, load: 1, weighted: true, forbidden: 0.8 },
    limitMs: 4000,
  }),
];
