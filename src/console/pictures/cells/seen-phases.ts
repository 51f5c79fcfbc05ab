/** What an answer says to a controller that sees phases: its table. */

import { figure } from '../../../words/numbers.ts';
import { list } from '../../api/read.ts';
import { chart, ink, Plot, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { type StateCell, stateCells } from './phase-points.ts';

interface Cells {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly names: readonly string[];
  readonly cells: readonly StateCell[];
}

function cellsPicture({ id, title, note, names, cells }: Cells): Picture {
  const most = Math.max(1, ...cells.map(({ count }) => count));
  const longest = Math.max(0, ...cells.map(({ queue }) => queue));
  const place = {
    x1: ({ queue }: StateCell) => queue - 0.5,
    x2: ({ queue }: StateCell) => queue + 0.5,
    y: 'phases',
  };
  return {
    id,
    title,
    note,
    draw: (width) =>
      chart(width, {
        height: 70 + 26 * names.length,
        marginLeft: 60,
        x: { label: 'pages in the system', domain: [-0.5, longest + 0.5], ticks: wholeTicks(0, longest) },
        y: { label: null, type: 'band', domain: [...names] },
        marks: [
          Plot.barX(cells, {
            ...place,
            fill: ink.blue,
            fillOpacity: ({ count }: StateCell) => 0.08 + (0.92 * count) / most,
            inset: 1,
            title: ({ queue, phases, count }: StateCell) =>
              `${figure(queue)} pages, phases ${phases}: ${figure(count)} crawlers`,
            tip: true,
          }),
        ],
      }),
  };
}

/** Active crawlers by queue length and phases, as cells; nothing where phases are not seen. */
export const statePictures: Pictures = ({ answer }) => {
  const phases = list(answer, 'solution', 'crawlersByState', 'phases');
  const table = list(answer, 'solution', 'crawlersByState', 'table');
  if (phases.length === 0 || table.length === 0) return [];
  const { names, cells } = stateCells(phases, table);
  return [
    cellsPicture({
      id: 'crawlers-by-state',
      title: 'Active crawlers by queue length and phases',
      note: 'Rows: arrival phase, service phase. The darker, the more crawlers.',
      names,
      cells,
    }),
  ];
};
