/** Draws lanes as horizontal bands; a lane has at most as many marks as pixels, however many fetches it has. */

import { tickDate } from '../../words/dates.ts';
import { chart, type Drawing, Plot, palette, shortenText, tickText } from '../frame/chart.ts';
import type { Events } from './events.ts';
import { firstEventFrom, type Lanes } from './lanes.ts';

export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface LanesScene {
  readonly events: Events;
  readonly lanes: Lanes;
  /** Position of the first visible lane, and the number of visible lanes. */
  readonly first: number;
  readonly count: number;
  readonly window: Window;
  /** The selected row; −1 for none. */
  readonly selectedRow: number;
}

const laneHeight = 24;
const marginTop = 6;
const marginRight = 18;
/** Mean width of a letter in the names of the lanes, px. */
const characterWidth = 7.2;
/** Fetches further apart than this on average (pixels) are dots, nearer ones are lines, at least `lineApart` apart. */
const minDotSpacing = 14;
const lineSpacing = 2;

/** The time at a horizontal position of the drawing, in the unit of the events. */
export function timeAt(drawing: Drawing, x: number): number {
  const at: unknown = drawing.scale('x')?.invert?.(x);
  return at instanceof Date ? at.getTime() / 1000 : Number(at);
}

/** The lane at a vertical position of the drawing. */
export const laneAt = ({ first }: LanesScene, y: number): number => first + Math.floor((y - marginTop) / laneHeight);

interface Mark {
  readonly lane: number;
  readonly time: number;
  readonly ideal: number;
  readonly isMarked: boolean;
  readonly isDot: boolean;
}

/** The fetches of a lane in the window, thinned to those at least `lineApart` pixels apart. */
function marksOf({ lanes, events, window, selectedRow }: LanesScene, lane: number, pixels: number): Mark[] {
  const first = firstEventFrom(lanes, lane, events.time, window.from);
  const last = firstEventFrom(lanes, lane, events.time, window.to + Number.EPSILON * Math.abs(window.to));
  const isDot = (last - first) * minDotSpacing < pixels * (window.to - window.from);
  const marks: Mark[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (let at = first; at < last; at++) {
    const event = lanes.events[lane][at];
    const time = events.time[event];
    const isMarked = events.row[event] === selectedRow;
    if (!isMarked && !isDot && time < end) continue;
    end = time + lineSpacing / pixels;
    marks.push({ lane, time, ideal: events.ideal[event] ?? Number.NaN, isMarked, isDot });
  }
  return marks;
}

export function drawLanes(scene: LanesScene, width: number): Drawing {
  const { lanes, first, count, window, events } = scene;
  const positions = Array.from({ length: count }, (_, i) => first + i);
  const longest = Math.max(4, ...positions.map((lane) => lanes.names[lane].length));
  const marginLeft = Math.min(width * 0.36, 18 + characterWidth * longest);
  const pixels = (width - marginLeft - marginRight) / Math.max(1e-300, window.to - window.from);
  const marks = positions.flatMap((lane) => marksOf(scene, lane, pixels));
  const isEpoch = events.clock === 'epoch';
  const moment = (time: number): number | Date => (isEpoch ? new Date(1000 * time) : time);
  const place = { x: ({ time }: Mark) => moment(time), y: 'lane' };
  const color = ({ isMarked }: Mark): string => (isMarked ? palette.orange : palette.blue);
  return chart(width, {
    height: marginTop + laneHeight * count + 30,
    marginLeft: marginLeft,
    marginRight: marginRight,
    marginTop: marginTop,
    marginBottom: 30,
    grid: false,
    x: {
      // Epoch seconds have a scale in the reader's time zone.
      type: isEpoch ? 'time' : 'linear',
      domain: [moment(window.from), moment(window.to)],
      label: null,
      grid: true,
      ticks: Math.max(2, Math.floor((width - marginLeft) / 80)),
      tickFormat: isEpoch ? tickDate : (at: number) => tickText(Number(at.toPrecision(6))),
    },
    y: {
      type: 'band',
      padding: 0,
      label: null,
      domain: positions,
      tickSize: 0,
      tickFormat: (lane: number) => shortenText(lanes.names[lane], Math.floor((marginLeft - 16) / characterWidth)),
    },
    marks: [
      Plot.ruleY(
        marks.filter(({ ideal, isDot }) => isDot && Number.isFinite(ideal)),
        {
          x1: ({ time }: Mark) => moment(time),
          x2: ({ ideal }: Mark) => moment(ideal),
          y: 'lane',
          stroke: palette.muted,
        },
      ),
      Plot.tickX(
        marks.filter(({ isDot }) => !isDot),
        { ...place, stroke: color, inset: 4 },
      ),
      Plot.dot(
        marks.filter(({ isDot }) => isDot),
        { ...place, fill: color, r: 4.5 },
      ),
    ],
    color: { type: 'identity' },
  });
}
