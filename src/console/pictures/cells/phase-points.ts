/** The marks of the picture of a table by phases. */

import { numbers } from '../../api/read.ts';

/** Active crawlers at a queue length and in a pair of phases. */
export interface StateCell {
  readonly queue: number;
  readonly phases: string;
  readonly count: number;
}

const nameOfPair = (pair: unknown): string => numbers(pair).join(', ');

/** The cells of a table by queue length and phases, and the names of its columns. */
export function stateCells(phases: readonly unknown[], table: readonly unknown[]) {
  const names = phases.map(nameOfPair);
  const cells = table.flatMap((row, queue): StateCell[] =>
    numbers(row).map((count, column) => ({ queue, phases: names[column], count })),
  );
  return { names, cells };
}
