/**
 * What must hold of an answer, checked from the answer and the problem alone: used by every test of the solver, and
 * callable in production. Nothing here is used by the searches or by the evaluations: with exponential (or no)
 * obsolescence the measures are computed a second time by certificate/remeasured.ts. With obsolescence phases it checks
 * the conservation of pages and Little's law.
 */
import { relativeGap } from '../solvers/answer.ts';
import { assembleQueue } from '../solvers/queue/assemble.ts';
import { type CostWeights, constraintTolerance, type Measures, violations } from '../solvers/queue/measures.ts';
import { type ModeByLevel, memorylessObsolescence, type Queue } from '../solvers/queue/queue.ts';
import type {
  BesidePolicy,
  ThresholdFrontPoint,
  ThresholdPolicyAnswer,
} from '../solvers/threshold-policy/answer/answer.ts';
import type { ThresholdPolicyProblem } from '../solvers/threshold-policy/problem.ts';
import { filterFaults } from './queue/filter-faults.ts';
import { frontFaults } from './queue/front-faults.ts';
import { remeasured } from './queue/remeasured.ts';
import { mixedMeasures, modesOfTableAt } from './queue/remeasured-tables.ts';

/** An answer as the contract has it: what stands beside the solution at the top. */
type Answer = Omit<ThresholdPolicyAnswer, 'beside' | 'conflict' | 'statistics' | 'warnings'> &
  Partial<BesidePolicy> & { readonly conflict?: unknown };

const policyIn = ({ solution, evaluation }: Answer): Answer['solution'] => solution ?? evaluation;

/** The gap up to which an answer may call itself optimal. */
const optimalGap = 1e-6;
/** By how much of a limit a mixture may exceed it. */
const keptTolerance = 1e-9;

/** Modes up to which each is measured a second time. */
const mostModesAgain = 32;

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

export function certifyThresholdPolicy(problem: ThresholdPolicyProblem, answer: Answer): string[] {
  const faults: string[] = [];
  const { queue } = assembleQueue(problem);
  const { objective } = answer;
  const solution = policyIn(answer);
  const again = memorylessObsolescence(queue);
  for (const fixed of answer.fixedModes ?? []) {
    faults.push(...measureFaults(fixed.measures, `mode ${fixed.crawlers}`));
    const cost = costOf(problem.costs, fixed.measures);
    if (!close(fixed.cost, cost, 1e-10)) faults.push(`mode ${fixed.crawlers} costs ${cost}, not ${fixed.cost}`);
    const mode = queue.modes.findIndex(({ crawlers }) => crawlers === fixed.crawlers);
    if (mode < 0) faults.push(`${fixed.crawlers} crawlers are no mode`);
    else if (again && queue.modes.length <= mostModesAgain) {
      const found = remeasured(queue, () => mode);
      faults.push(...differences(fixed.measures, found).map((fault) => `mode ${fixed.crawlers}: ${fault}`));
    }
  }
  if (solution === undefined || objective === undefined) {
    if (answer.status !== 'infeasible') faults.push('no solution, and not infeasible');
    if (answer.conflict === undefined) faults.push('infeasible without a conflict');
    return faults;
  }
  const { measures, crawlersByQueueLength, modes, thresholds } = solution;
  faults.push(...measureFaults(measures, 'the policy'), ...objectiveFaults(problem.costs, answer));
  faults.push(...savingFaults(answer, objective.value));
  if (again) faults.push(...pointFaults(problem, queue, answer), ...besideFaults(problem, queue, answer));
  if (solution.crawlersByState !== undefined) return [...faults, ...tableFaults(problem, queue, answer)];
  const byLevel = levelsOf(queue, crawlersByQueueLength);
  if (byLevel === null) return [...faults, `crawlers ${crawlersByQueueLength} are no modes of the queue`];
  if (thresholds !== null) faults.push(...thresholdFaults(crawlersByQueueLength, modes, thresholds));
  if (answer.status !== 'evaluated') faults.push(...optimumFaults(problem, answer));
  if (again) faults.push(...differences(measures, measuredByLevel(queue, byLevel)));
  return faults;
}

const measuredByLevel = (queue: Queue, byLevel: ModeByLevel): Measures | null =>
  remeasured(queue, (level) => byLevel[level]);

/** The policy by the queue's length beside a table, and each table of a mixture, measured a second time. */
function besideFaults(problem: ThresholdPolicyProblem, queue: Queue, answer: Answer): string[] {
  const { byQueueLength, mixture = [], solution } = answer;
  const faults: string[] = [];
  if (byQueueLength !== undefined) {
    const byLevel = levelsOf(queue, byQueueLength.crawlersByQueueLength);
    const again = byLevel === null ? null : measuredByLevel(queue, byLevel);
    const cost = again === null ? byQueueLength.cost : costOf(problem.costs, again);
    if (byLevel === null) faults.push('the policy by queue length names counts that are no modes');
    if (!close(byQueueLength.cost, cost, 1e-8)) faults.push(`by queue length it costs ${cost}`);
  }
  const { phases = [] } = solution?.crawlersByState ?? {};
  for (const [i, { table, measures, cost }] of mixture.entries()) {
    const again = remeasured(queue, modesOfTableAt(queue, problem.service, { phases, table }));
    faults.push(...differences(measures, again).map((fault) => `table ${i} of the mixture: ${fault}`));
    const own = costOf(problem.costs, measures);
    if (!close(cost, own, 1e-8)) faults.push(`table ${i} of the mixture costs ${own}, not ${cost}`);
  }
  return faults;
}

/** What the policy saves beside the best fixed mode, and what one that sees the phases saves beside it. */
function savingFaults({ fixedModes = [], relativeProfit, fullInformation }: Answer, value: number): string[] {
  const faults: string[] = [];
  if (typeof relativeProfit === 'number') {
    const saves = fixedModes.some(({ cost }) => close(relativeProfit, cost > 0 ? 1 - value / cost : 0, 1e-9));
    if (!saves) faults.push(`a profit of ${relativeProfit} is that over no fixed mode`);
  }
  if (fullInformation === undefined) return faults;
  const { cost, bound, relativeImprovement } = fullInformation;
  if (bound > cost || cost > value * (1 + 1e-9))
    faults.push(`seeing the phases costs ${cost}, of ${bound} to ${value}`);
  if (!close(relativeImprovement, value > 0 ? 1 - cost / value : 0, 1e-9))
    faults.push(`seeing the phases does not save ${relativeImprovement}`);
  return faults;
}

/** A table by phases: measured a second time, and no more expensive than what sees less. */
function tableFaults(problem: ThresholdPolicyProblem, queue: Queue, answer: Answer): string[] {
  const { objective, byQueueLength, fixedModes = [] } = answer;
  const solution = policyIn(answer);
  if (solution?.crawlersByState === undefined || objective === undefined) return [];
  const { phases, table } = solution.crawlersByState;
  const mixture = answer.mixture ?? [{ share: 1, table }];
  const faults = differences(solution.measures, mixedMeasures(queue, problem.service, phases, mixture));
  if (answer.status === 'evaluated') return faults;
  for (const { name, excess } of violations(solution.measures, problem.constraints ?? {})) {
    if (excess > keptTolerance) faults.push(`the mixture exceeds the limit on ${name} by ${excess} of it`);
  }
  faults.push(...drawnFaults(answer));
  if (answer.filter !== undefined) {
    const modeAt = modesOfTableAt(queue, problem.service, solution.crawlersByState);
    const { filter } = answer;
    faults.push(...filterFaults({ queue, costs: problem.costs, filter, modeAt, measures: solution.measures }));
  }
  // What is not seen makes no difference.
  const seen = { 'arrival-phase': 0, 'service-phase': 1 };
  const { observe } = problem;
  if (observe === 'arrival-phase' || observe === 'service-phase') {
    for (const [level, row] of table.entries()) {
      for (const [c, pair] of phases.entries()) {
        const alike = phases.findIndex((other) => other[seen[observe]] === pair[seen[observe]]);
        if (row[c] !== row[alike])
          faults.push(`row ${level} tells [${pair}] from [${phases[alike]}], seeing the ${observe}`);
      }
    }
  }
  const margin = 1e-9 * Math.abs(objective.value);
  const kept = fixedModes.filter((one) => violations(one.measures, problem.constraints ?? {}).length === 0);
  for (const cost of [...kept, ...(byQueueLength === undefined ? [] : [byQueueLength])].map((one) => one.cost)) {
    if (objective.value > cost + margin)
      faults.push(`a policy by queue length costs ${cost}, less than ${objective.value}`);
    if (objective.bound !== null && objective.bound > cost + margin)
      faults.push(`bound above ${cost}, which is reached`);
  }
  return faults;
}

/** The points of a front: measured a second time, within the limits, and priced as they are listed. */
function pointFaults(problem: ThresholdPolicyProblem, queue: Queue, { front = [] }: Answer): string[] {
  const faults: string[] = [];
  const again = ({ policy }: ThresholdFrontPoint): Measures | null => {
    if (policy.crawlersByState !== undefined) {
      return remeasured(queue, modesOfTableAt(queue, problem.service, policy.crawlersByState));
    }
    const byLevel = levelsOf(queue, policy.crawlersByQueueLength);
    if (byLevel === null)
      faults.push(`crawlers ${policy.crawlersByQueueLength} of the front are no modes of the queue`);
    return byLevel === null ? null : remeasured(queue, (level) => byLevel[level]);
  };
  const measured = (index: number): ThresholdFrontPoint['criteria'] | null => {
    const measures = again(front[index]);
    if (measures === null) return null;
    for (const { name } of violations(measures, problem.constraints ?? {})) {
      faults.push(`point ${index} of the front exceeds the limit on ${name}`);
    }
    return {
      loss: measures.arrivalRate * measures.lossProbability,
      obsolescence: measures.arrivalRate * measures.obsolescenceProbability,
      response: measures.responseTime,
      crawlers: measures.activeCrawlers,
      starvation: measures.starvationProbability,
    };
  };
  const found = frontFaults(front, measured);
  return [...faults, ...found];
}

/** A state that is drawn is all that the two tables of a mixture differ in. */
function drawnFaults({ drawnState, mixture, solution }: Answer): string[] {
  const shares = mixture?.reduce((sum, { share }) => sum + share, 0) ?? 1;
  const faults = close(shares, 1, 1e-12) ? [] : [`the shares of the tables sum to ${shares}`];
  if (drawnState === undefined || solution?.crawlersByState === undefined) return faults;
  const [one, other] = mixture ?? [];
  const { queueLength, phases, crawlers, probability } = drawnState;
  if (!(probability >= 0 && probability <= 1)) faults.push(`a count is drawn with probability ${probability}`);
  for (const [level, row] of solution.crawlersByState.table.entries()) {
    for (const [c, [arrival, service]] of solution.crawlersByState.phases.entries()) {
      const here = level === queueLength && arrival === phases[0] && (level === 0 || service === phases[1]);
      if (one?.table[level][c] !== row[c]) faults.push('the first table of the mixture is not the one that is given');
      if (other?.table[level][c] !== (here ? crawlers : row[c])) faults.push(`row ${level} differs in [${phases}]`);
    }
  }
  return faults;
}

function costOf(costs: CostWeights, measures: Measures): number {
  const { arrivalRate, lossProbability, obsolescenceProbability } = measures;
  return (
    arrivalRate * (costs.loss * lossProbability + costs.obsolescence * obsolescenceProbability) +
    costs.response * measures.responseTime +
    costs.crawler * measures.activeCrawlers +
    costs.starvation * measures.starvationProbability
  );
}

/** The cost from the measures, and what is said of its proof. */
function objectiveFaults(costs: CostWeights, answer: Answer): string[] {
  const { status, objective } = answer;
  const solution = policyIn(answer);
  if (objective === undefined || solution === undefined) return [];
  const faults: string[] = [];
  const { measures } = solution;
  const { value, bound, gap } = objective;
  const recomputed = costOf(costs, measures);
  if (!close(value, recomputed, 1e-10)) faults.push(`cost ${value}, from its measures ${recomputed}`);
  if (bound !== null && bound > value) faults.push(`bound ${bound} above ${value}`);
  if (gap !== (bound === null ? null : relativeGap(value, bound))) faults.push(`gap ${gap} of ${value} over ${bound}`);
  if (status === 'optimal' && !(gap !== null && gap <= optimalGap)) faults.push(`optimal with gap ${gap}`);
  return faults;
}

/** An optimum is monotone, keeps the constraints, and nothing that was measured beside it is cheaper. */
function optimumFaults(problem: ThresholdPolicyProblem, answer: Answer): string[] {
  const faults: string[] = [];
  const { solution, objective, fixedModes = [], subsets = [] } = answer;
  if (solution === undefined || objective === undefined) return faults;
  if (solution.thresholds === null) faults.push('the optimum is not monotone');
  const broken = violations(solution.measures, problem.constraints ?? {});
  if (broken.length > 0) faults.push(`limits not kept: ${broken.map(({ name }) => name).join(', ')}`);
  const margin = 1e-9 * Math.abs(objective.value);
  for (const fixed of fixedModes) {
    if (violations(fixed.measures, problem.constraints ?? {}).length > 0) continue;
    if (objective.value > fixed.cost + margin) faults.push(`mode ${fixed.crawlers} alone costs less`);
    if (objective.bound !== null && objective.bound > fixed.cost + margin) {
      faults.push(`bound ${objective.bound} above the cost of mode ${fixed.crawlers} alone, ${fixed.cost}`);
    }
  }
  for (const subset of subsets) {
    if (objective.value > subset.cost + margin) faults.push(`subset ${subset.modes} costs less`);
  }
  return faults;
}

/** Conservation and Little's law. */
function measureFaults(measures: Measures, whose: string): string[] {
  const faults: string[] = [];
  const { lossProbability, obsolescenceProbability, successProbability, arrivalRate, queueLength, sojournTime } =
    measures;
  const total = lossProbability + obsolescenceProbability + successProbability;
  if (!close(total, 1, 1e-10)) faults.push(`${whose}: probabilities of a page's fates sum to ${total}`);
  if (!close(queueLength, arrivalRate * sojournTime, 1e-9)) {
    faults.push(`${whose}: queue length ${queueLength}, by Little's law ${arrivalRate * sojournTime}`);
  }
  for (const [name, value] of Object.entries(measures)) {
    if (typeof value === 'number' && !(value >= -constraintTolerance && value < Number.POSITIVE_INFINITY)) {
      faults.push(`${whose}: ${name} is ${value}`);
    }
  }
  return faults;
}

function differences(measures: Measures, again: Measures | null): string[] {
  if (again === null) return [];
  return Object.entries(again).flatMap(([name, expected]: [string, unknown]) => {
    const value: unknown = Reflect.get(measures, name);
    if (value === expected) return [];
    const same = typeof value === 'number' && typeof expected === 'number' && close(value, expected, 1e-8);
    return same ? [] : [`${name} ${value}, computed a second time ${expected}`];
  });
}

function levelsOf(queue: Queue, counts: readonly number[]): ModeByLevel | null {
  if (counts.length !== queue.capacity + 1) return null;
  const byLevel = new Uint8Array(queue.topLevel + 1);
  for (let level = 0; level <= queue.topLevel; level++) {
    const mode = queue.modes.findIndex(({ crawlers }) => crawlers === counts[Math.min(level, queue.capacity)]);
    if (mode < 0) return null;
    byLevel[level] = mode;
  }
  return byLevel;
}

function thresholdFaults(counts: readonly number[], modes: readonly number[], thresholds: readonly number[]): string[] {
  if (thresholds.length !== modes.length - 1) return [`${modes.length} modes with ${thresholds.length} thresholds`];
  let used = 0;
  for (const [level, count] of counts.entries()) {
    while (used < thresholds.length && level > thresholds[used]) used++;
    if (modes[used] !== count) return [`at queue length ${level} the thresholds say ${modes[used]}, the list ${count}`];
  }
  return [];
}
