/** threshold-policy with phases in sight: active crawlers by queue length and phases, as cells. */
import { figure } from '../../../schemas/words/numbers.ts';
import { listAt, numbersAt } from '../../api/read.ts';
import { chart, ink, Plot, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

/** Active crawlers at a queue length and in a pair of phases. */
interface StateCell {
  readonly queue: number;
  readonly phases: string;
  readonly count: number;
}

/** The table by state; nothing where phases are not seen. */
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
          x: { label: 'pages in the system', domain: [-0.5, longest + 0.5], ticks: wholeTicks(0, longest) },
          y: { label: null, type: 'band', domain: names },
          marks: [
            Plot.barX(cells, {
              x1: ({ queue }: StateCell) => queue - 0.5,
              x2: ({ queue }: StateCell) => queue + 0.5,
              y: 'phases',
              fill: ink.blue,
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

/** A bar a queue length. */
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
          ticks: wholeTicks(0, data.length - 1),
        },
        y: {
          label: 'active crawlers',
          ticks: wholeTicks(0, Math.max(1, ...crawlers), 6),
          domain: [0, Math.max(1, ...crawlers) * 1.1],
        },
        marks: [
          Plot.rectY(data, {
            x1: ({ queue }) => queue - 0.5,
            x2: ({ queue }) => queue + 0.5,
            y: 'count',
            fill: ink.blue,
            inset: data.length <= 60 ? 1 : 0,
            title: ({ queue, count }) => `${figure(queue)} pages: ${figure(count)} crawlers`,
            tip: true,
          }),
          Plot.ruleY([0], { stroke: ink.muted }),
        ],
      }),
  };
  return [picture];
};
