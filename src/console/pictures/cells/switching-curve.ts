/**
 * activation-policy: the switching curve, where the system spends its time under it, and what it gains on a fixed
 * count.
 */

import { figure } from '../../../words/numbers.ts';
import type { Answered } from '../../api/answered.ts';
import { number, numbers } from '../../api/read.ts';
import { percent } from '../../words/format.ts';
import { chart, ink, level, Plot, wholeTick, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { type Occupancy, occupancyOf } from './occupancy.ts';

interface Cell {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly share: number;
}

const mostCells = 60;

/** The law as cells, at most sixty a side: neighbours are added up. */
function cellsOf({ from, rows }: Occupancy): Cell[] {
  const width = rows[0].length;
  const dx = Math.ceil(width / mostCells);
  const dy = Math.ceil(rows.length / mostCells);
  const cells: Cell[] = [];
  for (let i = 0; i < rows.length; i += dy) {
    for (let q = 0; q < width; q += dx) {
      let share = 0;
      for (let k = i; k < Math.min(rows.length, i + dy); k++) {
        for (let j = q; j < Math.min(width, q + dx); j++) share += rows[k][j];
      }
      const x2 = Math.min(width, q + dx) - 0.5;
      cells.push({ x1: q - 0.5, x2, y1: from + i - 0.5, y2: from + Math.min(rows.length, i + dy) - 0.5, share });
    }
  }
  return cells;
}

function occupancyOfAnswer({ request, answer }: Answered): Occupancy | null {
  const { solution } = answer;
  const indexingRate = [number(request, 'service'), number(request, 'service', 'rate')].find(Number.isFinite);
  if (indexingRate === undefined) return null;
  return occupancyOf({
    crawlerRate: number(request, 'crawlerRate'),
    indexingRate,
    targets: numbers(solution, 'targets'),
    crawlers: number(solution, 'crawlers'),
    fewest: number(solution, 'activeCrawlers', 'min'),
    most: number(solution, 'activeCrawlers', 'max'),
  });
}

function switchingCurve({ answer }: Answered, occupancy: Occupancy | null): Picture {
  const targets = numbers(answer.solution, 'targets');
  const steps = targets.map((target, q) => ({ x1: q - 0.5, x2: q + 0.5, target, q }));
  const edges = steps.flatMap(({ x1, x2, target }) => [
    { x: x1, y: target - 0.5 },
    { x: x2, y: target - 0.5 },
  ]);
  const cells = occupancy ? cellsOf(occupancy) : [];
  const peak = Math.max(1e-300, ...cells.map(({ share }) => share));
  const fixed = number(answer, 'baseline', 'crawlers');
  const note =
    'After an arrival or a departure, look up the new queue length and the crawlers still active: below the curve, activate one more.';
  return {
    id: 'switching-curve',
    title: 'When to activate one more crawler, and where the system spends its time',
    wide: true,
    keys: [
      { label: 'activate', color: ink.green, shape: 'band' },
      { label: 'switching curve', color: ink.green, shape: 'line' },
      ...(cells.length > 0 ? [{ label: 'share of time', color: ink.blue, shape: 'square' as const }] : []),
      { label: `best fixed count (${figure(fixed)})`, color: ink.orange, shape: 'dash' },
    ],
    note,
    draw: (width) =>
      chart(width, {
        height: Math.min(420, Math.max(260, width * 0.42)),
        x: {
          label: 'queue length after the event (pages)',
          domain: [-0.5, targets.length - 0.5],
          ticks: wholeTicks(0, targets.length - 1),
        },
        y: { label: 'active crawlers', tickFormat: wholeTick, domain: [-0.5, Math.max(...targets, fixed || 0) + 1] },
        marks: [
          Plot.rect(steps, {
            x1: 'x1',
            x2: 'x2',
            y1: -0.5,
            y2: (step) => step.target - 0.5,
            fill: ink.green,
            fillOpacity: 0.13,
            className: 'activate',
          }),
          Plot.rect(
            cells.filter(({ share }) => share > peak * 1e-4),
            {
              x1: 'x1',
              x2: 'x2',
              y1: 'y1',
              y2: 'y2',
              fill: ink.blue,
              fillOpacity: ({ share }) => Math.sqrt(share / peak),
              inset: 0.5,
              className: 'occupancy',
              title: (cell: Cell) =>
                `queue ${figure(cell.x1 + 0.5)}, active ${figure(cell.y1 + 0.5)}\n${percent(cell.share)} of the time`,
              tip: true,
            },
          ),
          Plot.line(edges, { x: 'x', y: 'y', stroke: ink.green, strokeWidth: 2 }),
          ...(Number.isFinite(fixed) ? level(fixed, `best fixed count: ${figure(fixed)}`, ink.orange) : []),
        ],
        opacity: { type: 'identity' },
      }),
  };
}

/** The switching curve, with where the system spends its time. */
export const switching: Pictures = (answered) =>
  numbers(answered.answer.solution, 'targets').length === 0
    ? []
    : [switchingCurve(answered, occupancyOfAnswer(answered))];
