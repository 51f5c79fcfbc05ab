/** The marks of the pictures of tables by phases, of mixtures and of beliefs, from an answer. */

import { figure } from '../../../words/numbers.ts';
import { at, list, number, numbers, text } from '../../api/read.ts';
import { percent } from '../../words/format.ts';

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

/** The cells of a table that differ from those of another. */
export function differingCells(cells: readonly StateCell[], others: readonly StateCell[]): StateCell[] {
  return cells.filter(({ count }, i) => count !== others[i]?.count);
}

/** The cells of the state whose count is left to chance, and what is drawn there; none where nothing is. */
export function drawnCells(answer: unknown, cells: readonly StateCell[]) {
  const drawn = at(answer, 'drawnState');
  const queue = number(drawn, 'queueLength');
  const pair = numbers(drawn, 'phases');
  // In an empty system no phase of indexing is seen.
  const here = cells.filter(
    (cell) =>
      cell.queue === queue &&
      (queue === 0 ? Number(cell.phases.split(', ')[0]) === pair[0] : cell.phases === nameOfPair(pair)),
  );
  const said = `${figure(number(drawn, 'crawlers'))} active with probability ${percent(number(drawn, 'probability'))}`;
  return here.map((cell) => ({ ...cell, said: `${said}, else ${figure(cell.count)}` }));
}

/** The event of an activation policy whose outcome is left to chance, as a cell; none where nothing is. */
export function drawnDecision(answer: unknown) {
  const queue = number(answer, 'mixedDecision', 'queueLength');
  const active = number(answer, 'mixedDecision', 'activeCrawlers');
  const probability = number(answer, 'mixedDecision', 'probability');
  if (![queue, active, probability].every(Number.isFinite)) return [];
  const said =
    `after an event that leaves ${figure(queue)} pages and ${figure(active)} active, one more is activated with ` +
    `probability ${percent(probability)}`;
  return [{ x1: queue - 0.5, x2: queue + 0.5, y1: active - 0.5, y2: active + 0.5, said }];
}

/** What is mixed in time: the share and the cost of each part. */
export function mixtureParts(answer: unknown): { label: string; share: number; cost: number }[] {
  return list(answer, 'mixture').map((part, i) => ({
    label: i === 0 ? 'the one shown' : `number ${i + 1}`,
    share: number(part, 'share'),
    cost: number(part, 'cost'),
  }));
}

/** A cost with what is known of it: the same number three times where it is exact. */
export interface ActedCost {
  readonly name: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** NaN where the cost is exact. */
  readonly survives: number;
}

/** What a controller pays that sees the queue's length alone, that follows a belief, and that sees the phases. */
export function actedCosts(answer: unknown): ActedCost[] {
  const exactly = (name: string, cost: number): ActedCost => ({
    name,
    mean: cost,
    low: cost,
    high: cost,
    survives: Number.NaN,
  });
  const believed = list(answer, 'filter', 'acting').map((acting) => ({
    name: text(acting, 'on') === 'likeliest' ? 'belief: likeliest phases' : 'belief: expected cost',
    mean: number(acting, 'cost', 'mean'),
    low: number(acting, 'cost', 'interval', 0),
    high: number(acting, 'cost', 'interval', 1),
    survives: number(acting, 'survives'),
  }));
  if (believed.length === 0) return [];
  return [
    exactly('queue length alone', number(answer, 'byQueueLength', 'cost')),
    ...believed,
    exactly('phases seen', number(answer, 'objective', 'value')),
  ].filter(({ mean }) => Number.isFinite(mean));
}
