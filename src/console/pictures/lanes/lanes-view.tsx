/** The schedule in lanes: dragging or the buttons zoom, a click selects a fetch. */
import type { TargetedPointerEvent } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { figure } from '../../../schemas/words/numbers.ts';
import { Choice, Pager } from '../../words/choice.tsx';
import { localTimeZone } from '../../words/dates.ts';
import type { Drawing } from '../frame/chart.ts';
import { Frame } from '../frame/figure.tsx';
import type { ResultTable } from '../table/result-table.ts';
import type { Events } from './events.ts';
import { availableGroupings, findNearestEvent, type Grouping, lanesOf } from './lanes.ts';
import { drawLanes, type LanesScene, laneAt, timeAt, type Window } from './lanes-drawing.ts';

const maxLanes = 12;
/** A drag shorter than this counts as a click, px. */
const clickPixels = 5;

interface LanesViewProps {
  readonly table: ResultTable;
  readonly events: Events;
  readonly rows: Int32Array;
  readonly selectedRow: number;
  readonly onSelect: (row: number, event: number) => void;
}

function zoomWindow({ from, to }: Window, factor: number, whole: Window, middle = (from + to) / 2): Window {
  const half = ((to - from) / 2) * factor;
  const length = Math.min(2 * half, whole.to - whole.from);
  const start = Math.max(whole.from, Math.min(middle - length / 2, whole.to - length));
  return { from: start, to: start + length };
}

const axisLabel = {
  epoch: `local time, ${localTimeZone()}`,
  plain: 'time',
  position: 'position in the cycle',
} as const;

export function LanesView({ table, events, rows, selectedRow, onSelect }: LanesViewProps) {
  const groupings = useMemo(() => availableGroupings(table, events), [table, events]);
  const [choice, setChoice] = useState<Grouping>();
  const activeGrouping = choice && groupings.includes(choice) ? choice : groupings[0];
  const lanes = useMemo(() => lanesOf(table, events, rows, activeGrouping), [table, events, rows, activeGrouping]);
  const whole: Window = { from: events.from, to: events.to };
  const [window, setWindow] = useState<Window>(whole);
  const [page, setPage] = useState(0);
  const drawing = useRef<Drawing>(undefined);
  const pressX = useRef<number>(undefined);
  useLayoutEffect(() => setWindow({ from: events.from, to: events.to }), [events]);
  useLayoutEffect(() => setPage(0), [lanes]);
  const first = Math.min(page * maxLanes, Math.max(0, lanes.names.length - 1));
  const count = Math.min(maxLanes, lanes.names.length - first);
  const scene: LanesScene = { events, lanes, first, count, window, selectedRow };
  const draw = useCallback(
    (width: number) => {
      drawing.current = drawLanes(scene, width);
      return drawing.current;
    },
    [lanes, first, count, window, selectedRow],
  );
  const release = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const startX = pressX.current;
    pressX.current = undefined;
    const { current: currentDrawing } = drawing;
    if (startX === undefined || currentDrawing === undefined) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const start = startX - box.left;
    if (Math.abs(x - start) > clickPixels) {
      const [low, high] = [Math.min(x, start), Math.max(x, start)].map((each) =>
        Math.min(events.to, Math.max(events.from, timeAt(currentDrawing, each))),
      );
      if (high > low) setWindow({ from: low, to: high });
      return;
    }
    const lane = laneAt(scene, y);
    if (lane < first || lane >= first + count) return;
    const nearestEvent = findNearestEvent(lanes, lane, events.time, timeAt(currentDrawing, x));
    if (nearestEvent >= 0) onSelect(events.row[nearestEvent], nearestEvent);
  };
  const moves = [
    { sign: '+', name: 'zoom in', to: zoomWindow(window, 0.5, whole) },
    { sign: '−', name: 'zoom out', to: zoomWindow(window, 2, whole) },
    { sign: '‹', name: 'earlier', to: zoomWindow(window, 1, whole, window.from) },
    { sign: '›', name: 'later', to: zoomWindow(window, 1, whole, window.to) },
  ];
  // The rows of slot-assignment are tasks, not pages.
  const word = (grouping: Grouping): string => (grouping === 'page' ? table.subject.slice(0, -1) : grouping);
  const isWhole = window.from <= whole.from && window.to >= whole.to;
  return (
    <figure class="wide lanes" data-plan="lanes" aria-label="The schedule in lanes">
      <figcaption>
        <h3>The schedule, a {word(activeGrouping)} a lane</h3>
        <div class="tools">
          {groupings.length > 1 ? (
            <Choice
              label="lanes by"
              options={groupings.map((each) => [each, word(each)])}
              value={activeGrouping}
              onChoose={(each) => setChoice(groupings.find((grouping) => grouping === each))}
            />
          ) : null}
          {moves.map(({ sign, name, to }) => (
            <button
              key={name}
              type="button"
              class="quiet"
              aria-label={name}
              disabled={isWhole && name !== 'zoom in'}
              onClick={() => setWindow(to)}
            >
              {sign}
            </button>
          ))}
          <button type="button" class="quiet" disabled={isWhole} onClick={() => setWindow(whole)}>
            whole interval
          </button>
        </div>
      </figcaption>
      <Frame
        class="frame"
        aria-label={`${figure(events.time.length)} fetches of ${figure(rows.length)} ${table.subject}; the table below has them as text`}
        onPointerDown={(event) => {
          pressX.current = event.clientX;
        }}
        onPointerUp={release}
        draw={draw}
      />
      <p class="about lanes-foot">
        <span>
          {axisLabel[events.clock]}
          {events.ideal.length > 0 ? ' · a line leads to the time wanted' : ''} · drag to zoom, click a fetch for its
          details
        </span>
        <Pager page={page} length={lanes.names.length} pageSize={maxLanes} onPage={setPage} />
      </p>
    </figure>
  );
}
