/** A policy by queue length and a table by phases, for tests of their measures. */
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';

/** Most pages expire soon, some very late. */
export const twoPhases = {
  initial: [0.9, 0.1],
  generator: [
    [-3, 0],
    [0, -0.3 / 14.1],
  ],
};
export const policyOf = ({ capacity }: QueueDescription): number[] => [3, 3, 1, 1].slice(0, capacity + 1);

/** A table of two modes by phases, as the solver takes it and as the naive queue does. */
export function tableOf(queue: QueueDescription) {
  const counts = policyOf(queue);
  const at = (length: number, v: number, m: number | null): number => (v === 0 && m !== 1 ? counts[length] : 3);
  const phases: [number, number][] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const table = counts.map((_, length) => phases.map(([v, m]) => at(length, v, length === 0 ? null : m)));
  return { at, crawlersByState: { phases, table } };
}
