/** Which parts of a problem do not go together: every refusal that needs more than one of its fields. */
import { ConditionNotMet } from '../condition.ts';
import { limitsIn } from '../queue/measures.ts';
import { memorylessObsolescence, overtakes, type Queue } from '../queue/queue.ts';
import { modesOfTable } from '../queue/state-policy.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/** Whether the problem is about what a controller sees beside the queue's length. */
export function seesPhases({ observe, evaluate }: ThresholdPolicyProblem): boolean {
  return (
    (observe !== undefined && observe !== 'queue-length') || (evaluate !== undefined && 'crawlersByState' in evaluate)
  );
}

/** @throws ConditionNotMet when the problem asks for what cannot be computed together */
export function checkConditions(problem: ThresholdPolicyProblem, queue: Queue): void {
  if (problem.front !== undefined && problem.evaluate !== undefined) {
    refuse(['front'], 'does not go with a policy to evaluate; leave one of them out');
  }
  checkObservation(problem, queue);
}

function refuse(path: readonly string[], message: string): never {
  throw new ConditionNotMet(path, 'not-applicable', message);
}

function checkObservation(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { observe, evaluate } = problem;
  const byState = evaluate !== undefined && 'crawlersByState' in evaluate;
  if (evaluate !== undefined && !byState && observe !== undefined && observe !== 'queue-length') {
    refuse(['observe'], `is ${observe}, and the policy that is given goes by the queue length: leave one of them out`);
  }
  if (problem.filter !== undefined && (observe !== 'phases' || byState)) {
    refuse(['filter'], 'is what to do where the phases are not seen: it needs observe "phases", and no policy');
  }
  if (!seesPhases(problem)) return;
  if (!memorylessObsolescence(queue)) refuseObsolescencePhases(byState);
  if (!byState) {
    checkSearched(problem, queue);
    checkTableFront(problem, queue);
  } else modesOfTable(queue, problem.service, evaluate.crawlersByState);
}

function refuseObsolescencePhases(byState: boolean): never {
  refuse(
    byState ? ['evaluate', 'crawlersByState'] : ['observe'],
    'does not go with an obsolescence law of several phases: how soon pages expire then depends on the phase of every waiting ' +
      'page, which no controller sees, so that policy iteration over what it does see is not exact. Give an exponential law ' +
      'with the same mean, or null, and play the table that is answered under the law of several phases at simulations/queue',
  );
}

/** What a search for a table does not go with. */
function checkSearched(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { constraints, filter } = problem;
  const limited = limitsIn(constraints) !== null;
  if (limited && filter !== undefined) {
    refuse(
      ['filter'],
      'does not go with constraints: what a controller that acts on a belief does is known by simulation alone, so that it ' +
        'could not be said to keep a limit; leave out one of them',
    );
  }
  if (!overtakes(queue)) return;
  const why =
    'under random pick-up, where pages expire: there it depends on the pages that come later, and no limit on it, nor a ' +
    'multiplier of another limit beside it, can be kept state by state';
  const instead = 'use discipline "fifo", or observe "queue-length"';
  if (constraints?.responseTime !== undefined) {
    refuse(['constraints', 'responseTime'], `does not go with observe ${why}; ${instead}`);
  }
  if (problem.costs.response === 0) return;
  const priced = `a price on the response time ${why}`;
  if (limited) refuse(['constraints'], `does not go with observe and ${priced}; ${instead}, or leave out the price`);
  if (filter !== undefined) {
    refuse(
      ['filter'],
      'does not go with a price on the response time under random pick-up, where pages expire: the expected values it acts on ' +
        'are those of first in first out; use discipline "fifo", or leave out the price',
    );
  }
}

/** Where the tables of a front would not be proved best for any weights. */
function checkTableFront({ front, observe, constraints }: ThresholdPolicyProblem, queue: Queue): void {
  if (front === undefined) return;
  if (observe !== 'phases') {
    refuse(
      ['front'],
      `does not go with observe ${observe}: tables that see one phase are found by local search, and what is not proved best ` +
        'for its weights may lie behind the front; observe "phases" or "queue-length"',
    );
  }
  if (limitsIn(constraints) !== null) {
    refuse(
      ['front'],
      'does not go with observe phases and constraints: within limits the best are mixtures of tables, which lie between the ' +
        'tables of the front without limits; leave the limits out and read them off the front',
    );
  }
  if (overtakes(queue) && front.criteria.includes('response')) {
    refuse(
      ['front'],
      'does not go with observe phases and the criterion response under random pick-up, where pages expire: the response time ' +
        'then depends on the pages that come later, and tables are found by local search; use discipline "fifo"',
    );
  }
}
