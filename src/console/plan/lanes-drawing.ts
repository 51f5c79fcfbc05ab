/** Lanes as SVG: one path a lane, so that a lane of a hundred thousand fetches costs what one of ten costs. */
import { ink, tick } from '../pictures/chart.ts';
import { dateTicks, tickDate } from './dates.ts';
import type { Events } from './events.ts';
import { firstAt, type Lanes } from './lanes.ts';
import type { ResultTable } from './result-table.ts';

export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface LanesScene {
  readonly table: ResultTable;
  readonly events: Events;
  readonly lanes: Lanes;
  /** The lanes in sight. */
  readonly first: number;
  readonly count: number;
  readonly window: Window;
  /** The row that is marked; −1 for none. */
  readonly selected: number;
  /** Blocks carry the page's name, where there is room. */
  readonly named: boolean;
}

const laneHeight = 24;
const top = 6;
const bottom = 34;
const characterWidth = 6.6;
const leastNamed = 34;

const svgNamespace = 'http://www.w3.org/2000/svg';
function element(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The end of a long name says more than its beginning. */
export const shortened = (name: string, most: number): string =>
  name.length <= most ? name : `…${name.slice(-Math.max(1, most - 1))}`;

/** Where things are, for drawing and for finding what was pointed at. */
export function layout(scene: LanesScene, width: number) {
  const { lanes, first, count, window } = scene;
  let longest = 4;
  for (let lane = first; lane < first + count; lane++) longest = Math.max(longest, lanes.names[lane].length);
  const left = Math.min(width * 0.36, 14 + characterWidth * longest);
  const right = width - 12;
  const scale = (right - left) / Math.max(1e-300, window.to - window.from);
  return {
    left,
    right,
    height: top + laneHeight * count + bottom,
    x: (time: number) => left + (time - window.from) * scale,
    time: (x: number) => window.from + (x - left) / scale,
    lane: (y: number) => first + Math.floor((y - top) / laneHeight),
    scale,
  };
}

type Layout = ReturnType<typeof layout>;

/** The blocks of a lane in the window, at most one a pixel. */
function blocks(scene: LanesScene, place: Layout, lane: number): { path: string; marked: string; names: Named[] } {
  const { lanes, events, window, selected, named, table } = scene;
  const y = top + laneHeight * (lane - scene.first) + 3;
  const height = laneHeight - 6;
  const width = Math.max(2, events.length * place.scale - 1);
  let path = '';
  let marked = '';
  let end = Number.NEGATIVE_INFINITY;
  const names: Named[] = [];
  const last = lanes.start[lane + 1];
  for (let at = firstAt(lanes, lane, events.time, window.from - events.length); at < last; at++) {
    const event = lanes.events[at];
    const time = events.time[event];
    if (time > window.to) break;
    const x = place.x(time);
    const isMarked = events.row[event] === selected;
    if (!isMarked && x < end) continue;
    const from = Math.max(place.left, x);
    const box = `M${from.toFixed(1)} ${y}h${Math.max(1, x + width - from).toFixed(1)}v${height}h-${Math.max(1, x + width - from).toFixed(1)}z`;
    if (isMarked) marked += box;
    else path += box;
    end = x + 1;
    names.push({ x: from, event, y: y + height / 2 });
  }
  return { path, marked, names: named ? withRoom(names, place, table, events) : [] };
}

interface Named {
  readonly x: number;
  readonly y: number;
  readonly event: number;
  readonly inside?: boolean;
  readonly text?: string;
}

/** Names that end before the next block begins. */
function withRoom(names: readonly Named[], place: Layout, table: ResultTable, events: Events): Named[] {
  return names.flatMap((each, i): Named[] => {
    const name = table.names(events.row[each.event]).replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
    const block = Math.max(2, events.length * place.scale - 1);
    if (name.length * characterWidth + 8 < block) return [{ ...each, x: each.x + 4, inside: true, text: name }];
    const room = (names[i + 1]?.x ?? place.right) - each.x - block - 8;
    if (room < leastNamed) return [];
    return [
      { ...each, x: each.x + block + 4, inside: false, text: shortened(name, Math.floor(room / characterWidth)) },
    ];
  });
}

function axis(scene: LanesScene, place: Layout): SVGElement {
  const group = element('g', { 'aria-hidden': 'true', 'font-size': 11, fill: ink.muted });
  const { from, to } = scene.window;
  const most = Math.max(2, Math.floor((place.right - place.left) / 80));
  const epoch = scene.events.clock === 'epoch';
  const ticks = epoch ? dateTicks(from, to, most) : plainTicks(from, to, most);
  const base = place.height - bottom;
  for (const at of ticks) {
    const x = place.x(at);
    group.append(element('line', { x1: x, x2: x, y1: top, y2: base, stroke: ink.faint }));
    const text = epoch ? tickDate(at) : tick(Number(at.toPrecision(6)));
    group.append(element('text', { x, y: base + 15, 'text-anchor': 'middle' }, text));
  }
  return group;
}

function plainTicks(from: number, to: number, most: number): number[] {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}

/** Draws the lanes in sight. */
export function drawLanes(scene: LanesScene, width: number): SVGElement {
  const place = layout(scene, width);
  const svg = element('svg', { width, height: place.height, viewBox: `0 0 ${width} ${place.height}`, class: 'plot' });
  svg.setAttribute('font-family', 'inherit');
  svg.append(axis(scene, place));
  for (let lane = scene.first; lane < scene.first + scene.count; lane++) {
    const y = top + laneHeight * (lane - scene.first);
    const { path, marked, names } = blocks(scene, place, lane);
    const group = element('g', { class: 'lane', 'data-lane': scene.lanes.names[lane] });
    group.append(
      element('line', { x1: 0, x2: place.right, y1: y + laneHeight, y2: y + laneHeight, stroke: ink.faint }),
      element(
        'text',
        { x: place.left - 8, y: y + 16, 'text-anchor': 'end', 'font-size': 12, fill: ink.text },
        shortened(scene.lanes.names[lane], Math.floor((place.left - 12) / characterWidth)),
      ),
      element('path', { d: path || 'M0 0', fill: ink.blue, 'fill-opacity': 0.85 }),
      element('path', { d: marked || 'M0 0', fill: ink.orange }),
    );
    for (const { x, y: middle, text, inside } of names) {
      group.append(
        element(
          'text',
          {
            x,
            y: middle + 4,
            'font-size': 11,
            fill: inside ? ink.surface : ink.muted,
            class: 'block-name',
          },
          text,
        ),
      );
    }
    svg.append(group);
  }
  return svg;
}
