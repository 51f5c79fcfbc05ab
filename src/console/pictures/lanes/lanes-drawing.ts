/** Lanes as SVG: one path a lane, so that a lane of a hundred thousand fetches costs what one of ten costs. */

import { dateTicks, tickDate } from '../../words/dates.ts';
import { ink, roundTicks, shortened, tick } from '../frame/chart.ts';
import type { Events } from './events.ts';
import { firstAt, type Lanes } from './lanes.ts';

export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface LanesScene {
  readonly events: Events;
  readonly lanes: Lanes;
  /** The lanes in sight. */
  readonly first: number;
  readonly count: number;
  readonly window: Window;
  /** The row that is marked; −1 for none. */
  readonly selected: number;
}

const laneHeight = 24;
const top = 6;
const bottom = 34;
/** Of the lanes' names, as wide as the widest letters are on average. */
const characterWidth = 7.2;

const svgNamespace = 'http://www.w3.org/2000/svg';
function element(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Where things are, for drawing and for finding what was pointed at. */
export function layout(scene: LanesScene, width: number) {
  const { lanes, first, count, window } = scene;
  let longest = 4;
  for (let lane = first; lane < first + count; lane++) longest = Math.max(longest, lanes.names[lane].length);
  const left = Math.min(width * 0.36, 18 + characterWidth * longest);
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

/** Fetches further apart than this on average are dots, nearer ones are lines. */
const leastApart = 14;
const dotRadius = 4.5;

interface Marks {
  readonly path: string;
  /** Those of the marked row. */
  readonly marked: string;
  /** Lines to the times at which they were wanted. */
  readonly ties: string;
}

const dot = (x: number, y: number): string =>
  `M${(x - dotRadius).toFixed(1)} ${y}a${dotRadius} ${dotRadius} 0 1 0 ${2 * dotRadius} 0a${dotRadius} ${dotRadius} 0 1 0 -${2 * dotRadius} 0z`;

/** The fetches of a lane in the window, at most one a pixel: each is a moment, not a stretch of time. */
function marksOf(scene: LanesScene, place: Layout, lane: number): Marks {
  const { lanes, events, window, selected } = scene;
  const y = top + laneHeight * (lane - scene.first);
  const middle = y + laneHeight / 2;
  const first = firstAt(lanes, lane, events.time, window.from);
  const last = firstAt(lanes, lane, events.time, window.to + Number.EPSILON * Math.abs(window.to));
  const asDots = (last - first) * leastApart < place.right - place.left;
  const mark = (x: number): string =>
    asDots ? dot(x, middle) : `M${(x - 0.75).toFixed(1)} ${y + 4}h1.5v${laneHeight - 8}h-1.5z`;
  let [path, marked, ties, end] = ['', '', '', Number.NEGATIVE_INFINITY];
  for (let at = first; at < last; at++) {
    const event = lanes.events[at];
    const x = place.x(events.time[event]);
    const isMarked = events.row[event] === selected;
    if (!isMarked && x < end) continue;
    if (isMarked) marked += mark(x);
    else path += mark(x);
    end = x + 1;
    const ideal = events.ideal[event];
    if (asDots && Number.isFinite(ideal)) {
      const wanted = Math.min(place.right, Math.max(place.left, place.x(ideal)));
      ties += `M${x.toFixed(1)} ${y + laneHeight - 4}H${wanted.toFixed(1)}v-8`;
    }
  }
  return { path, marked, ties };
}

function axis(scene: LanesScene, place: Layout): SVGElement {
  const group = element('g', { 'aria-hidden': 'true', 'font-size': 11, fill: ink.muted });
  const { from, to } = scene.window;
  const most = Math.max(2, Math.floor((place.right - place.left) / 80));
  const epoch = scene.events.clock === 'epoch';
  const ticks = epoch ? dateTicks(from, to, most) : roundTicks(from, to, (to - from) / most);
  const base = place.height - bottom;
  for (const at of ticks) {
    const x = place.x(at);
    group.append(element('line', { x1: x, x2: x, y1: top, y2: base, stroke: ink.faint }));
    const text = epoch ? tickDate(at) : tick(Number(at.toPrecision(6)));
    group.append(element('text', { x, y: base + 15, 'text-anchor': 'middle' }, text));
  }
  return group;
}

export function drawLanes(scene: LanesScene, width: number): SVGElement {
  const place = layout(scene, width);
  const svg = element('svg', { width, height: place.height, viewBox: `0 0 ${width} ${place.height}`, class: 'plot' });
  svg.setAttribute('font-family', 'inherit');
  svg.append(axis(scene, place));
  for (let lane = scene.first; lane < scene.first + scene.count; lane++) {
    const y = top + laneHeight * (lane - scene.first);
    const { path, marked, ties } = marksOf(scene, place, lane);
    const group = element('g', { class: 'lane', 'data-lane': scene.lanes.names[lane] });
    group.append(
      element('line', { x1: 0, x2: place.right, y1: y + laneHeight, y2: y + laneHeight, stroke: ink.faint }),
      element(
        'text',
        { x: place.left - 12, y: y + 16, 'text-anchor': 'end', 'font-size': 12, fill: ink.text },
        shortened(scene.lanes.names[lane], Math.floor((place.left - 16) / characterWidth)),
      ),
      element('path', { d: ties || 'M0 0', fill: 'none', stroke: ink.muted, class: 'ties' }),
      element('path', { d: path || 'M0 0', fill: ink.blue, 'fill-opacity': 0.85, class: 'fetches' }),
      element('path', { d: marked || 'M0 0', fill: ink.orange }),
    );
    svg.append(group);
  }
  return svg;
}
