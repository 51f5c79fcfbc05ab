/** What the caller should know before relying on a policy: as the warnings of the answer. */
import { type Warning, warning } from '../../answer.ts';
import { type Constraints, type Measures, violations } from '../../queue/measures.ts';
import { isMonotone, type ModeByLevel, type Queue } from '../../queue/queue.ts';

/** About an optimum: ties, and an optimum on the edge of what was searched. */
export function remarksOnOptimum(queue: Queue, byLevel: ModeByLevel, ties: number): Warning[] {
  const remarks: Warning[] = [];
  const { capacity, modes } = queue;
  if (ties > 1) {
    remarks.push(warning('ties', `${ties} policies cost the same to 12 digits; one of them is returned`));
  }
  const [first, last] = [byLevel[0], byLevel[capacity]];
  if (modes.length > 1 && last === modes.length - 1) {
    const detail =
      `all ${modes[last].crawlers} crawlers, the most offered, stay active whatever the queue length: more crawlers ` +
      'may do better still';
    remarks.push(warning('optimum-on-edge', detail, ['arrivals']));
  } else if (modes.length > 1 && first === 0) {
    const detail =
      `${modes[0].crawlers} crawlers, the fewest offered, are active whatever the queue length: fewer may do better ` +
      'still';
    remarks.push(warning('optimum-on-edge', detail, ['arrivals']));
  }
  if (first !== last && byLevel[capacity - 1] !== last) {
    const detail = `crawlers are still switched off at the last queue length, ${capacity}: a larger capacity may do better`;
    remarks.push(warning('optimum-on-edge', detail, ['capacity']));
  }
  return remarks;
}

/** About a policy of the caller's: that it has no thresholds, and the constraints it breaks. */
export function remarksOnPolicy(
  queue: Queue,
  byLevel: ModeByLevel,
  measures: Measures,
  constraints: Constraints | null,
): Warning[] {
  const remarks: Warning[] = [];
  if (!isMonotone(queue, byLevel)) {
    const detail =
      'more crawlers are active at some longer queue: the policy has no thresholds; it was evaluated as it is';
    remarks.push(warning('policy-not-monotone', detail, ['evaluate', 'crawlersByQueueLength']));
  }
  return [...remarks, ...remarksOnLimits(measures, constraints)];
}

/** The limits that a given policy exceeds. */
export function remarksOnLimits(measures: Measures, constraints: Constraints | null): Warning[] {
  return violations(measures, constraints ?? {}).map(({ name }) => {
    const detail = `the policy has ${name} ${measures[name]}, above the limit ${constraints?.[name]}`;
    return warning('limit-exceeded', detail, ['constraints', name]);
  });
}
