/** Which parts of a problem do not go together: every refusal that needs more than one of its fields. */
import { ConditionNotMet } from '../condition.ts';
import { limitsIn } from '../queue/measures.ts';
import { memorylessObsolescence, type Queue } from '../queue/queue.ts';
import { modesOfTable } from '../queue/state-policy.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/** Whether the problem is about what a controller sees beside the queue's length. */
export function seesPhases({ observe, evaluate }: ThresholdPolicyProblem): boolean {
  return observe === 'phases' || (evaluate !== undefined && 'crawlersByState' in evaluate);
}

/** @throws ConditionNotMet when the problem asks for what cannot be computed together */
export function checkConditions(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { evaluate, constraints } = problem;
  if (!seesPhases(problem)) return;
  if (evaluate !== undefined && !('crawlersByState' in evaluate)) {
    refuse(['observe'], 'is phases, and the policy that is given goes by the queue length: leave one of them out');
  }
  if (!memorylessObsolescence(queue)) {
    refuse(
      evaluate === undefined ? ['observe'] : ['evaluate', 'crawlersByState'],
      'does not go with an obsolescence law of several phases: how soon pages expire then depends on the phase of every waiting ' +
        'page, which no controller sees, so that policy iteration over what it does see is not exact. Give an exponential law ' +
        'with the same mean, or null, and play the table that is answered under the law of several phases at simulations/queue',
    );
  }
  if (evaluate !== undefined) modesOfTable(queue, problem.service, evaluate.crawlersByState);
  else if (limitsIn(constraints) !== null) {
    refuse(
      ['constraints'],
      'does not go with observe phases: sweep the price of what is limited, and take the table that keeps the limit',
    );
  }
}

function refuse(path: readonly string[], message: string): never {
  throw new ConditionNotMet(path, 'not-applicable', message);
}
