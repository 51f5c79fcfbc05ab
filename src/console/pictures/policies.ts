/** Policies by queue length: the switching curve beside the best fixed count, active crawlers as bars, and by phases. */
import { figure } from '../../schemas/words/numbers.ts';
import { listAt, numberAt, numbersAt } from '../api/read.ts';
import { chart, horizontalRule, Plot, palette, wholeTickCount, wholeTickText } from './frame/chart.ts';
import type { Picture, Pictures } from './frame/picture.ts';

/** The curve below which one more crawler is activated. */
export const switchingPictures: Pictures = ({ answer }) => {
  const targets = numbersAt(answer.solution, 'targets');
  if (targets.length === 0) return [];
  const steps = targets.map((target, q) => ({ x1: q - 0.5, x2: q + 0.5, target, q }));
  const edges = steps.flatMap(({ x1, x2, target }) => [
    { x: x1, y: target - 0.5 },
    { x: x2, y: target - 0.5 },
  ]);
  const fixedCount = numberAt(answer, 'baseline', 'crawlers');
  const rule =
    'After an arrival or a departure, look up the new queue length and the crawlers still active: below the curve, activate one more.';
  const picture: Picture = {
    id: 'switching-curve',
    title: 'When to activate one more crawler',
    isWide: true,
    keys: [
      { label: 'activate', color: palette.green, shape: 'band' },
      { label: 'switching curve', color: palette.green, shape: 'line' },
      { label: `best fixed count (${figure(fixedCount)})`, color: palette.orange, shape: 'dash' },
    ],
    note: rule,
    draw: (width) =>
      chart(width, {
        height: Math.min(420, Math.max(260, width * 0.42)),
        x: {
          label: 'queue length after the event (pages)',
          domain: [-0.5, targets.length - 0.5],
          ticks: wholeTickCount(0, targets.length - 1),
        },
        y: {
          label: 'active crawlers',
          tickFormat: wholeTickText,
          domain: [-0.5, Math.max(...targets, fixedCount || 0) + 1],
        },
        marks: [
          Plot.rect(steps, {
            x1: 'x1',
            x2: 'x2',
            y1: -0.5,
            y2: (step) => step.target - 0.5,
            fill: palette.green,
            fillOpacity: 0.13,
            className: 'activate',
          }),
          Plot.line(edges, { x: 'x', y: 'y', stroke: palette.green, strokeWidth: 2 }),
          ...(Number.isFinite(fixedCount)
            ? horizontalRule(fixedCount, `best fixed count: ${figure(fixedCount)}`, palette.orange)
            : []),
        ],
        opacity: { type: 'identity' },
      }),
  };
  return [picture];
};

/** Active crawlers at a queue length and a pair of phases. */
interface StateCell {
  readonly queue: number;
  readonly phases: string;
  readonly count: number;
}

/** The heat map of crawlersByState; empty for a policy that does not observe phases. */
export const statePictures: Pictures = ({ answer }) => {
  const names = listAt(answer, 'solution', 'crawlersByState', 'phases').map((pair) => numbersAt(pair).join(', '));
  const cells = listAt(answer, 'solution', 'crawlersByState', 'table').flatMap((row, queue): StateCell[] =>
    numbersAt(row).map((count, column) => ({ queue, phases: names[column], count })),
  );
  if (names.length === 0 || cells.length === 0) return [];
  const maxCount = Math.max(1, ...cells.map(({ count }) => count));
  const longest = Math.max(...cells.map(({ queue }) => queue));
  return [
    {
      id: 'crawlers-by-state',
      title: 'Active crawlers by queue length and phases',
      note: 'Rows: arrival phase, service phase. The darker, the more crawlers.',
      draw: (width) =>
        chart(width, {
          height: 70 + 26 * names.length,
          marginLeft: 60,
          x: { label: 'pages in the system', domain: [-0.5, longest + 0.5], ticks: wholeTickCount(0, longest) },
          y: { label: null, type: 'band', domain: names },
          marks: [
            Plot.barX(cells, {
              x1: ({ queue }: StateCell) => queue - 0.5,
              x2: ({ queue }: StateCell) => queue + 0.5,
              y: 'phases',
              fill: palette.blue,
              fillOpacity: ({ count }: StateCell) => 0.08 + (0.92 * count) / maxCount,
              inset: 1,
              title: ({ queue, phases, count }: StateCell) =>
                `${figure(queue)} pages, phases ${phases}: ${figure(count)} crawlers`,
              tip: true,
            }),
          ],
        }),
    },
  ];
};

/** Draws one bar for each queue length. */
export const crawlersByQueueLength: Pictures = ({ answer }) => {
  const crawlers = numbersAt(answer.solution, 'crawlersByQueueLength');
  if (crawlers.length === 0) return [];
  const data = crawlers.map((count, queue) => ({ queue, count }));
  const picture: Picture = {
    id: 'crawlers-by-queue-length',
    title: 'Active crawlers at each queue length',
    draw: (width) =>
      chart(width, {
        x: {
          label: 'pages in the system',
          domain: [-0.5, data.length - 0.5],
          ticks: wholeTickCount(0, data.length - 1),
        },
        y: {
          label: 'active crawlers',
          ticks: wholeTickCount(0, Math.max(1, ...crawlers), 6),
          domain: [0, Math.max(1, ...crawlers) * 1.1],
        },
        marks: [
          Plot.rectY(data, {
            x1: ({ queue }) => queue - 0.5,
            x2: ({ queue }) => queue + 0.5,
            y: 'count',
            fill: palette.blue,
            inset: data.length <= 60 ? 1 : 0,
            title: ({ queue, count }) => `${figure(queue)} pages: ${figure(count)} crawlers`,
            tip: true,
          }),
          Plot.ruleY([0], { stroke: palette.muted }),
        ],
      }),
  };
  return [picture];
};
