/** What the caller should know before relying on an answer: as its warnings. */
import { type Warning, warning } from '../answer.ts';
import type { ActivationOutcome } from './task.ts';

/** An answer with what there is to say about given targets. */
export function withRemarks(answer: Omit<ActivationOutcome, 'warnings'>): ActivationOutcome {
  const remarks: Warning[] = [];
  if (answer.classes.length > 1) {
    const detail =
      `the targets make ${answer.classes.length} recurrent classes: which one the system ends in depends on where it ` +
      'starts; the objective and the evaluation describe the most expensive, evaluation.recurrentClasses all of them';
    remarks.push(warning('several-recurrent-classes', detail, ['evaluate', 'targets']));
  }
  return { ...answer, warnings: remarks };
}
