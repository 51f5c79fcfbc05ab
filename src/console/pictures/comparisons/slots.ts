/** Tasks on slots: how far from their ideal times, and the clash where there is no assignment. */

import { figure } from '../../../words/numbers.ts';
import { cells, column, list, number, rowCount } from '../../api/read.ts';
import { chart, ink, Plot, wholeTick } from '../frame/chart.ts';
import { crawlersOf, nameOf } from '../frame/names.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

const mostCrawlers = 40;

/** Fetches by how far they are from the time that was wanted. */
export const deviations: Pictures = ({ request, answer }) => {
  const time = column(answer.solution?.tasks, 'time');
  const ideal = column(request.tasks, 'idealTime');
  const off = Array.from(time, (at, i) => at - ideal[i]).filter((each) => Number.isFinite(each));
  if (off.length === 0) return [];
  const picture: Picture = {
    id: 'deviations',
    title: 'How far from the ideal times',
    draw: (width) =>
      chart(width, {
        x: { label: 'time − ideal time', nice: true },
        y: { label: 'tasks', tickFormat: wholeTick, interval: 1 },
        marks: [
          Plot.rectY(off, {
            ...Plot.binX({ y: 'count' }, { x: (each: number) => each, thresholds: off.length > 60 ? 40 : 12 }),
            fill: ink.blue,
            inset: 0.5,
          }),
          Plot.ruleX([0], { stroke: ink.text, strokeDasharray: '4 3' }),
          Plot.ruleY([0], { stroke: ink.muted }),
        ],
      }),
  };
  return [picture];
};

/**
 * Demand for slots against the slots there are, counted back from the end of the interval: the clash is where it
 * crosses.
 */
export const slotClash: Pictures = ({ request, answer }) => {
  if (rowCount(request.tasks) === 0) return [];
  const interval = number(request, 'interval');
  const crawlers = list(request, 'crawlers');
  const known = crawlersOf(request, 0);
  const tasks = list(answer.conflict, 'tasks').flatMap((task) => (typeof task === 'number' ? [task] : []));
  const ideal = column(request.tasks, 'idealTime');
  const kind = cells(request.tasks, 'kind');
  const after = number(answer.conflict, 'after');
  const inClash = new Set(tasks);
  const slots = crawlers.flatMap((each, c) => {
    const count = Math.min(number(each, 'slots'), 2000);
    return Array.from({ length: count }, (_, s) => ({
      time: (s * interval) / count,
      name: known[c],
      inside: Number.isFinite(after) ? (s * interval) / count >= after : true,
    }));
  });
  const names = [...new Set(slots.map(({ name }) => name))].slice(0, mostCrawlers);
  const rows = Array.from(ideal, (at, i) => ({ at, clash: inClash.has(i), release: kind[i] === 'release', i })).slice(
    0,
    2000,
  );
  const picture: Picture = {
    id: 'clash',
    title: 'The clash',
    wide: true,
    keys: [
      { label: 'slot that could serve the clashing tasks', color: ink.green, shape: 'square' },
      { label: 'other slot', color: ink.grey, shape: 'square' },
      { label: 'clashing task, at its ideal time', color: ink.red, shape: 'dot' },
      { label: 'other task', color: ink.blue, shape: 'dot' },
    ],
    draw: (width) =>
      chart(width, {
        height: 110 + 24 * names.length,
        marginLeft: Math.min(160, 40 + 7 * Math.max(5, ...names.map((name) => name.length))),
        x: { label: 'time', domain: [0, interval] },
        y: { type: 'band', label: null, domain: ['tasks', ...names], padding: 0.3 },
        marks: [
          ...(Number.isFinite(after)
            ? [
                Plot.rect([0], { x1: after, x2: interval, fill: ink.red, fillOpacity: 0.07, className: 'stretch' }),
                Plot.ruleX([after], { stroke: ink.red, strokeDasharray: '4 3' }),
              ]
            : []),
          Plot.tickX(
            slots.filter(({ name }) => names.includes(name)),
            {
              x: 'time',
              y: 'name',
              stroke: ({ inside }) => (inside ? ink.green : ink.grey),
              strokeWidth: 3,
              className: 'slots',
            },
          ),
          Plot.dot(rows, {
            x: 'at',
            y: () => 'tasks',
            fill: ({ clash: clashing }) => (clashing ? ink.red : ink.blue),
            r: 5,
            fillOpacity: 0.7,
            symbol: (row: { release: boolean }) => (row.release ? 'triangle' : 'circle'),
            title: ({ i, at: time }) => `${nameOf(request.tasks, i)}, ideal ${figure(time)}`,
            tip: true,
          }),
        ],
        color: { type: 'identity' },
        symbol: { type: 'identity' },
      }),
    note: 'Triangles are release tasks: they may not start before their ideal time.',
  };
  return [picture];
};
