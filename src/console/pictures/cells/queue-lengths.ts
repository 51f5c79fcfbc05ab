/** How many crawlers are active at each length of the queue. */

import { figure } from '../../../words/numbers.ts';
import { numbers } from '../../api/read.ts';
import { chart, ink, Plot, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

/** A bar a queue length. */
export const crawlersByQueueLength: Pictures = ({ answer }) => {
  const crawlers = numbers(answer.solution, 'crawlersByQueueLength');
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
