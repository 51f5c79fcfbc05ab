/**
 * What an answer says to a controller that sees phases: its table, the tables mixed with it and the state left to
 * chance. Also what is left of their worth where phases can only be believed.
 */

import { figure } from '../../../words/numbers.ts';
import { list } from '../../api/read.ts';
import { percent } from '../../words/format.ts';
import { bars } from '../frame/bars.ts';
import { chart, ink, isNarrow, Plot, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import {
  type ActedCost,
  actedCosts,
  differingCells,
  drawnCells,
  mixtureParts,
  type StateCell,
  stateCells,
} from './phase-points.ts';

/** Tables beyond this many of a mixture are left to the JSON. */
const mostTables = 4;

interface Outlined extends StateCell {
  /** What is said of the cell beside its count. */
  readonly said: string;
}

interface Cells {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly names: readonly string[];
  readonly cells: readonly StateCell[];
  readonly outlined: readonly Outlined[];
}

function cellsPicture({ id, title, note, names, cells, outlined }: Cells): Picture {
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
          Plot.barX(outlined, {
            ...place,
            fill: 'none',
            stroke: ink.orange,
            strokeWidth: 2,
            inset: 2,
            className: 'outlined',
            title: ({ queue, phases, said }: Outlined) => `${figure(queue)} pages, phases ${phases}: ${said}`,
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
  const drawn = drawnCells(answer, cells);
  const rows = 'Rows: arrival phase, service phase. The darker, the more crawlers.';
  const first = cellsPicture({
    id: 'crawlers-by-state',
    title: 'Active crawlers by queue length and phases',
    note: drawn.length === 0 ? rows : `${rows} Outlined: whenever this state is entered, ${drawn[0].said}.`,
    names,
    cells,
    outlined: drawn,
  });
  const others = drawn.length > 0 ? [] : list(answer, 'mixture').slice(1, mostTables);
  return [
    first,
    ...others.map((part, i) => {
      const other = stateCells(phases, list(part, 'table')).cells;
      const changed = differingCells(other, cells).map((cell) => ({ ...cell, said: `${figure(cell.count)} crawlers` }));
      return cellsPicture({
        id: `crawlers-by-state-${i + 2}`,
        title: `Active crawlers in number ${i + 2} of the mixture`,
        note: `${rows} Outlined: where it differs from the answer.`,
        names,
        cells: other,
        outlined: changed,
      });
    }),
  ];
};

/** How the parts of a mixture share the time; nothing where one policy is best. */
export const mixturePicture: Pictures = ({ answer }) => {
  const parts = mixtureParts(answer);
  if (parts.length < 2) return [];
  return [
    {
      id: 'mixture',
      title: 'How the policies of the mixture share the time',
      note: 'Together they keep the limits on average, cheaper than any one of them does.',
      draw: (width) =>
        bars(
          width,
          parts.map(({ label, share, cost }, i) => ({
            label,
            value: share,
            text: `${percent(share)}, cost ${figure(cost)}`,
            color: i === 0 ? ink.green : ink.blue,
          })),
          'share of time',
        ),
    },
  ];
};

/** What acting on a belief costs, between what is paid without phases and with them; nothing without a filter. */
export const filterPicture: Pictures = ({ answer }) => {
  const rows = actedCosts(answer);
  if (rows.length === 0) return [];
  const simulated = rows.filter(({ low, high }) => high > low);
  return [
    {
      id: 'filter',
      title: 'What is left where the phases are only believed',
      wide: true,
      keys: [
        { label: 'exact', color: ink.green, shape: 'dot' },
        { label: 'simulated, with its 95% interval', color: ink.blue, shape: 'dot' },
      ],
      note: 'The share is how much is left of what seeing the phases saves against the queue’s length alone.',
      draw: (width) =>
        chart(width, {
          height: 66 + 30 * rows.length,
          marginLeft: Math.min(168, width * 0.42),
          marginRight: isNarrow(width) ? 90 : 190,
          x: { label: 'cost per time unit', nice: true, ticks: isNarrow(width) ? 2 : 5 },
          y: { label: null, type: 'band', domain: rows.map(({ name }) => name) },
          marks: [
            Plot.ruleY(simulated, {
              y: 'name',
              x1: 'low',
              x2: 'high',
              stroke: ink.blue,
              strokeWidth: 4,
              strokeOpacity: 0.45,
            }),
            Plot.dot(rows, {
              y: 'name',
              x: 'mean',
              r: 4.5,
              fill: ({ low, high }: ActedCost) => (high > low ? ink.blue : ink.green),
              title: ({ name, mean }: ActedCost) => `${name}: ${figure(mean)}`,
              tip: true,
            }),
            Plot.text(rows, {
              y: 'name',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: 10,
              fill: ink.text,
              text: ({ mean, low, high, survives }: ActedCost) =>
                high > low
                  ? `${figure(mean)} ± ${figure((high - low) / 2, 2)}${!isNarrow(width) && Number.isFinite(survives) ? `, ${percent(survives)} left` : ''}`
                  : figure(mean),
            }),
          ],
          color: { type: 'identity' },
        }),
    },
  ];
};
