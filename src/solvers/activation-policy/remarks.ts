/** What the caller should know before relying on an answer: as its warnings. */
import { type Warning, warning } from '../answer.ts';
import type { ActivationAnswer, ActivationProblem } from './problem.ts';

/** About given targets, and about what was asked for and not used. */
export function remarksOn(problem: ActivationProblem, answer: Omit<ActivationAnswer, 'warnings'>): Warning[] {
  const remarks: Warning[] = [];
  const { algorithm, relaxation, targets } = problem;
  if (answer.classes.length > 1) {
    const detail =
      `the targets make ${answer.classes.length} recurrent classes: which one the system ends in depends on where it ` +
      'starts; the objective and the solution describe the dearest, recurrentClasses all of them';
    remarks.push(warning('several-recurrent-classes', detail, ['targets']));
  }
  const unused = (name: 'relaxation' | 'algorithm', why: string): void => {
    remarks.push(warning('unused-property', `${name} ${why}`, [name]));
  };
  if (relaxation !== undefined && algorithm !== 'relative-value-iteration') {
    unused('relaxation', 'only concerns relative-value-iteration and was not used');
  } else if (targets !== undefined && algorithm === 'relative-value-iteration') {
    unused('algorithm', 'was not used: given targets are evaluated exactly');
  }
  if (answer.valueIteration?.ruleMet && answer.status === 'feasible') {
    const detail =
      'the paper’s stopping rule was met, but it certifies nothing: see objective.gap, or use policy-iteration';
    remarks.push(warning('stopping-rule-proves-nothing', detail, ['algorithm']));
  }
  return remarks;
}
