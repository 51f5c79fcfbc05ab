/** slot-assignment: who fetches what when, how far from the ideal times, and the clash where there is no assignment. */
import { figure } from '../format.ts';
import { chart, ink, Plot, wholeTick } from './chart.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { at, cells, column, list, nameOf, number, rowCount, text } from './read.ts';

const crawlerName = (crawlers: readonly unknown[], position: number): string =>
  text(crawlers[position], 'id') || `crawler ${position}`;

const mostDrawn = 4000;
const mostCrawlers = 40;

interface IdleSlot {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The slots of crawler c, each `width` long, that no fetch has. */
function idleSlots(name: string, slots: number, width: number, c: number, used: ReadonlySet<string>): IdleSlot[] {
  const free: IdleSlot[] = [];
  for (let s = 0; s < slots; s++) {
    if (!used.has(`${c} ${s}`)) free.push({ name, from: s * width, to: (s + 1) * width });
  }
  return free;
}

/** A dot at each fetch's ideal time, tied to the fetch. */
function ties(
  drawn: readonly number[],
  ideal: ArrayLike<number>,
  middle: (i: number) => number,
  row: (i: number) => string,
  rows: number,
) {
  const dy = -Math.min(15, 120 / rows);
  return [
    Plot.link(drawn, {
      x1: (i: number) => ideal[i],
      x2: middle,
      y1: row,
      y2: row,
      stroke: ink.text,
      strokeOpacity: 0.6,
      dy,
      className: 'ties',
    }),
    Plot.dot(drawn, { x: (i: number) => ideal[i], y: row, r: 2, fill: ink.text, dy }),
  ];
}

function timeline({ request, answer }: Answered): Picture {
  const crawlers = list(request, 'crawlers');
  const interval = number(request, 'interval');
  const tasks = answer.solution?.tasks;
  const crawler = column(tasks, 'crawler');
  const time = column(tasks, 'time');
  const slot = column(tasks, 'slot');
  const ideal = column(request.tasks, 'idealTime');
  const width = crawlers.map((each) => interval / number(each, 'slots'));
  const shown = crawlers.slice(0, mostCrawlers).map((_, i) => crawlerName(crawlers, i));
  const used = new Set<string>();
  for (let i = 0; i < crawler.length; i++) used.add(`${crawler[i]} ${slot[i]}`);
  const placed = Array.from(crawler, (_, i) => i).filter((i) => crawler[i] < shown.length);
  const every = Math.ceil(placed.length / mostDrawn);
  const drawn = placed.filter((_, k) => k % every === 0);
  const worst = Math.max(1e-300, ...drawn.map((i) => Math.abs(time[i] - ideal[i])));
  const idle = shown.flatMap((name, c) => {
    const slots = number(crawlers[c], 'slots');
    return slots > mostDrawn / shown.length ? [] : idleSlots(name, slots, width[c], c, used);
  });
  const dropped = number(answer.solution, 'dropped');
  const notes = [
    every > 1 ? `One in ${figure(every)} tasks is drawn.` : '',
    shown.length < crawlers.length ? `The first ${figure(shown.length)} of ${figure(crawlers.length)} crawlers.` : '',
    dropped > 0 ? `${figure(dropped)} tasks are dropped.` : '',
  ];
  return {
    id: 'assignment',
    title: 'Crawlers and their slots over the interval',
    wide: true,
    keys: [
      { label: 'a fetch: at its ideal time to furthest from it', color: ink.blue, to: ink.red, shape: 'gradient' },
      { label: 'idle slot', color: ink.grey, shape: 'band' },
      { label: 'ideal time, tied to its fetch', color: ink.text, shape: 'dot' },
    ],
    note: notes.filter((note) => note !== '').join(' ') || undefined,
    draw: (size) =>
      chart(size, {
        height: Math.max(130, 66 + Math.min(34, 300 / shown.length + 14) * shown.length),
        marginLeft: Math.min(160, 24 + 7 * Math.max(...shown.map((name) => name.length))),
        x: { label: 'time', domain: [0, interval] },
        y: { type: 'band', label: null, domain: shown, padding: 0.25 },
        marks: [
          Plot.rect(idle, {
            x1: 'from',
            x2: 'to',
            y: 'name',
            fill: ink.grey,
            fillOpacity: 0.18,
            inset: 1,
            className: 'idle',
          }),
          Plot.rect(drawn, {
            x1: (i: number) => time[i],
            x2: (i: number) => time[i] + width[crawler[i]],
            y: (i: number) => shown[crawler[i]],
            fill: (i: number) =>
              `color-mix(in oklab, ${ink.red} ${Math.round((100 * Math.abs(time[i] - ideal[i])) / worst)}%, ${ink.blue})`,
            inset: drawn.length > 600 ? 0 : 1,
            className: 'fetches',
            title: (i: number) =>
              `${nameOf(request.tasks, i)}\nat ${figure(time[i])} on ${shown[crawler[i]]}\nideal ${figure(ideal[i])}, off by ${figure(time[i] - ideal[i])}`,
            tip: drawn.length <= 600,
          }),
          ...(drawn.length <= 300
            ? ties(
                drawn,
                ideal,
                (i) => time[i] + width[crawler[i]] / 2,
                (i) => shown[crawler[i]],
                shown.length,
              )
            : []),
        ],
        color: { type: 'identity' },
      }),
  };
}

function deviations({ request, answer }: Answered): Picture {
  const time = column(answer.solution?.tasks, 'time');
  const ideal = column(request.tasks, 'idealTime');
  const off = Array.from(time, (at, i) => at - ideal[i]).filter((each) => Number.isFinite(each));
  return {
    id: 'deviations',
    title: 'How far from the ideal times',
    draw: (width) =>
      chart(width, {
        x: { label: 'time − ideal time', nice: true },
        y: { label: 'tasks', tickFormat: wholeTick },
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
}

/**
 * Demand for slots against the slots there are, counted back from the end of the interval: the clash is where it
 * crosses.
 */
function clash({ request, answer }: Answered): Picture {
  const interval = number(request, 'interval');
  const crawlers = list(request, 'crawlers');
  const tasks = list(answer.conflict, 'tasks').flatMap((task) => (typeof task === 'number' ? [task] : []));
  const ideal = column(request.tasks, 'idealTime');
  const kind = cells(request.tasks, 'kind');
  const after = number(answer.conflict, 'after');
  const inClash = new Set(tasks);
  const slots = crawlers.flatMap((each, c) => {
    const count = Math.min(number(each, 'slots'), 2000);
    return Array.from({ length: count }, (_, s) => ({
      time: (s * interval) / count,
      name: crawlerName(crawlers, c),
      inside: Number.isFinite(after) ? (s * interval) / count >= after : true,
    }));
  });
  const names = [...new Set(slots.map(({ name }) => name))].slice(0, mostCrawlers);
  const rows = Array.from(ideal, (at, i) => ({ at, clash: inClash.has(i), release: kind[i] === 'release', i })).slice(
    0,
    2000,
  );
  return {
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
}

export const slotAssignment: Illustrator = {
  pictures(answered) {
    if (answered.answer.status === 'infeasible') return [clash(answered)];
    return answered.answer.solution ? [timeline(answered), deviations(answered)] : [];
  },
  headline: ({ request, answer: { solution } }) => [
    ['tasks', figure(rowCount(request.tasks))],
    ['idle slots', figure(number(solution, 'idleSlots'))],
    ['dropped', figure(number(solution, 'dropped'))],
    ['mean deviation', figure(number(solution, 'deviation', 'mean'))],
    ['95% within', figure(number(solution, 'deviation', 'p95'))],
    ['largest', figure(number(at(solution, 'deviation'), 'max'))],
  ],
};
