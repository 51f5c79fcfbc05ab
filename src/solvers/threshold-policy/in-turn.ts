/**
 * Problems of which each is much like the one before, as the points of a sweep are.
 *
 * Where only prices and limits differ, the measures of every policy are kept and a problem is one pass over them
 * (kept-policies.ts); under random pick-up, and with obsolescence phases, those of every policy that was measured.
 * Where every policy is too many, branch and bound begins with the neighbour's policy. With phases in sight policy
 * iteration begins at the neighbour's table, and its bound with the neighbour's intervals. Every answer has a proof of
 * its own, as that of `solveThresholdPolicy`, whose cost it has to the tolerance of that proof.
 */
import { type Budget, keepingShare } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import type { ThresholdPolicyAnswer } from './answer.ts';
import type { ThroughputIntervals } from './bounds/throughput-bound.ts';
import type { ModeByLevel, Queue } from './model/queue.ts';
import { seesPhases, solveObserved } from './observed/solve-observed.ts';
import { type CrawlersByState, type ModeByState, modesOfTable } from './observed/state-policy.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { countThresholdVectors } from './search/enumerate.ts';
import { KeptPolicies, maxKeptPolicies } from './search/kept-policies.ts';
import { enumerates } from './search/search.ts';
import { Tally } from './search/tally.ts';
import { foundAnswer, type Prepared, prepare, searched, solvePrepared } from './solve.ts';

/** A problem that was solved, and what is kept of it. */
interface Solved {
  readonly answer: ThresholdPolicyAnswer;
  /** Everything of the problem but prices and limits, as text. */
  readonly name: string;
  readonly prepared: Prepared;
  /** Not there until a second problem about this queue came; null where its policies cannot be kept. */
  readonly kept?: KeptPolicies | null;
  /** With phases in sight: how the bound was proved. */
  readonly parted?: ThroughputIntervals | undefined;
}

/** An answer, and what the next one begins with. */
type Followed = ThresholdPolicyAnswer & Pick<Solved, 'parted'>;

/**
 * A solver to be given such problems one after the other. The first answer is whole; those after it may leave out what
 * stands beside status, objective, solution, conflict and warnings.
 */
export function thresholdPoliciesInTurn(): (problem: ThresholdPolicyProblem, budget: Budget) => ThresholdPolicyAnswer {
  let before: Solved | null = null;
  return (problem, budget) => {
    const name = nameOf(problem);
    const same = name === before?.name;
    const prepared = prepare(problem, budget, same ? before?.prepared : undefined);
    if (before === null) {
      before = { answer: solvePrepared(prepared), name, prepared };
      return before.answer;
    }
    const kept = same ? (before.kept ?? (before.kept === undefined ? keptPolicies(prepared) : null)) : undefined;
    const found: Followed = fromKept(prepared, kept ?? null) ?? fromNeighbour(prepared, before);
    const { parted, ...answer } = found;
    before = { answer, name, prepared, parted, ...(kept === undefined ? {} : { kept }) };
    return answer;
  };
}

function nameOf({ costs: _, constraints: __, ...rest }: ThresholdPolicyProblem): string {
  return JSON.stringify(rest);
}

/** The policies of a queue, where looking at all of them is how its problems are solved. */
function keptPolicies({ problem, queue, memoryless, budget }: Prepared): KeptPolicies | null {
  const { search: kind = 'auto', policy } = problem;
  if (memoryless === null || queue.discipline !== 'fifo' || policy !== undefined || seesPhases(problem)) return null;
  const policies = countThresholdVectors(queue.capacity, queue.modes.length);
  if (kind === 'local' || policies > maxKeptPolicies || !enumerates(queue, kind)) return null;
  // Half the time is left for a search, should this not come to its end.
  return KeptPolicies.of(memoryless, keepingShare(budget, 1 / 2));
}

function fromKept(prepared: Prepared, kept: KeptPolicies | null): ThresholdPolicyAnswer | null {
  const { problem, queue, constraints } = prepared;
  const best = kept?.best(problem.costs, constraints) ?? null;
  if (best === null) return null;
  const tally = new Tally(problem.costs, constraints);
  tally.remember(queue, best.byLevel, best.cost);
  return foundAnswer(prepared, {
    solver: 'kept-policies',
    byLevel: best.byLevel,
    bound: best.cost,
    tally,
    enumerated: true,
    statistics: { thresholdVectors: countThresholdVectors(queue.capacity, queue.modes.length) },
  });
}

function fromNeighbour(prepared: Prepared, { answer, parted }: Solved): Followed {
  const { problem, queue, memoryless, warnings } = prepared;
  const { policy, observe, front } = problem;
  if (memoryless !== null && policy === undefined && seesPhases(problem)) {
    const start = observe === 'phases' ? startTable(prepared, answer.solution?.crawlersByState) : undefined;
    const neighbour = start === undefined ? undefined : { modes: start, parted };
    const found = solveObserved({ ...prepared, memoryless }, neighbour);
    return { ...found, fixedModes: [], warnings: [...warnings, ...found.warnings] };
  }
  if (policy !== undefined || front !== undefined) return solvePrepared(prepared);
  const counts = answer.solution?.crawlersByQueueLength;
  return foundAnswer(prepared, searched(prepared, counts === undefined ? null : levelsOf(queue, counts)));
}

/** The neighbour's table as one for this queue; undefined where it is none. */
function startTable({ queue, problem }: Prepared, table: CrawlersByState | undefined): ModeByState | undefined {
  if (table === undefined) return undefined;
  try {
    return modesOfTable(queue, problem.service, table);
  } catch (error) {
    if (error instanceof ConditionNotMet) return undefined;
    throw error;
  }
}

/** The modes of these counts at each queue length, continued or cut off; null where a count is none of the queue's. */
function levelsOf(queue: Queue, counts: readonly number[]): ModeByLevel | null {
  const byLevel = Uint8Array.from({ length: queue.topLevel + 1 }, (_, level) => {
    const count = counts[Math.min(level, queue.capacity, counts.length - 1)];
    return queue.modes.findIndex(({ crawlers }) => crawlers === count) & 0xff;
  });
  return byLevel.every((mode) => mode < queue.modes.length) ? byLevel : null;
}
