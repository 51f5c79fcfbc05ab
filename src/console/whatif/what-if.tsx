/** What if: the main parameter as a slider, with what it does as a curve behind it. */
import { useEffect, useRef } from 'preact/hooks';
import type { Shown } from '../api/answer.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { Question } from '../contract/catalogue.ts';
import { chart, ink, logAxis, Plot, widened } from '../pictures/frame/chart.ts';
import { useFrameWidth } from '../pictures/frame/figure.tsx';
import { withValue } from '../request/pointer.ts';
import { elapsed } from '../words/dates.ts';
import { leverOf } from './levers.ts';
import { type Curve, quickMs, useCurve } from './use-curve.ts';

interface WhatIfProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly shown: Shown;
  /** The number of the request along which a picture above has its curve. */
  readonly drawnAlong: string | undefined;
  readonly onRequest: (request: JsonObject) => void;
}

/** For the numbers of the vertical axis; the slider begins after them. */
const axisWidth = 72;
/** Half the slider's thumb: its ends lie this far inside. */
const inset = 8;
/** Values whose middle one is below this share of the largest are drawn on a logarithmic axis. */
const flatShare = 0.04;

/** The curve, drawn so that a value stands above the slider's place for it. */
function drawn({ lever, points, watched }: Curve, width: number): Element {
  const known = points.filter((point) => Number.isFinite(point.watched));
  const values = known.map((point) => point.watched).sort((a, b) => a - b);
  const [low, high, middle] = [values[0] ?? 0, values.at(-1) ?? 1, values[values.length >> 1] ?? 0];
  const isLog = low > 0 && middle < flatShare * high;
  const place = (value: number): number => placeOf(lever.stops, value);
  const here = known.filter(({ value }) => value === lever.value);
  return chart(width, {
    height: 140,
    marginLeft: axisWidth + inset,
    marginRight: inset,
    marginTop: 8,
    marginBottom: 6,
    x: { axis: null, domain: [0, lever.stops.length - 1] },
    y: isLog
      ? logAxis(widened([low, high]), '')
      : { label: null, nice: true, zero: low >= 0 && low <= 0.6 * high, ticks: 3, tickFormat: watched.tick },
    marks: [
      Plot.ruleX([place(lever.value)], { stroke: ink.blue, strokeDasharray: '4 3' }),
      Plot.line(known, { x: ({ value }) => place(value), y: 'watched', stroke: ink.blue, strokeWidth: 1.75 }),
      Plot.dot(known, { x: ({ value }) => place(value), y: 'watched', fill: ink.blue, r: 2.4 }),
      Plot.dot(here, { x: ({ value }) => place(value), y: 'watched', fill: ink.blue, r: 5.5 }),
    ],
  });
}

function CurveDrawing({ curve }: { curve: Curve }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useFrameWidth(frame, true);
  const { lever, points, watched } = curve;
  useEffect(() => {
    if (width === 0) return;
    frame.current?.replaceChildren(drawn(curve, width));
  });
  const said = points.map((point) => `${lever.text(point.value)}: ${watched.text(point.watched)}`).join('; ');
  return (
    <div
      ref={frame}
      class="what-if-curve"
      role="img"
      aria-label={`${watched.label} by ${lever.label}: ${said}`}
      data-points={points.length}
      data-complete={curve.complete}
    />
  );
}

export function WhatIf({ question, request, shown, drawnAlong, onRequest }: WhatIfProps) {
  const lever = leverOf(question.schema, request);
  const drawnAbove = lever !== undefined && lever.path.length === 1 && lever.path[0] === drawnAlong;
  const curve = useCurve(question, request, lever, shown, drawnAbove);
  if (curve === null) return null;
  const { lever: turned, watched } = curve;
  const { stops } = turned;
  const at = stops.reduce(
    (best, stop, i) => (Math.abs(stop - turned.value) < Math.abs(stops[best] - turned.value) ? i : best),
    0,
  );
  const set = (value: number): void => {
    const next = withValue(request, turned.path, value);
    if (value !== turned.value && isJsonObject(next)) onRequest(next);
  };
  const slow = shown.elapsedMs > quickMs;
  return (
    <section class="what-if" aria-label="What if">
      <h3>
        What if: {turned.label} <output>{turned.text(turned.value)}</output>
      </h3>
      <p class="about">
        {drawnAbove ? 'asks again, at another point of the curve above' : watched.label}
        {slow && !curve.complete && !shown.solving ? (
          <button type="button" class="quiet" onClick={curve.draw}>
            draw the curve, about {elapsed(9 * shown.elapsedMs)}
          </button>
        ) : null}
      </p>
      {!drawnAbove && curve.points.length > 1 ? <CurveDrawing curve={curve} /> : null}
      <div class="slider" style={{ paddingLeft: `${axisWidth}px` }}>
        <input
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={at}
          data-lever={turned.label}
          aria-label={turned.label}
          aria-valuetext={turned.text(turned.value)}
          onInput={({ currentTarget }) => set(stops[Number(currentTarget.value)])}
        />
        <div class="ends" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span key={share}>{turned.tick(stops[Math.round(share * (stops.length - 1))])}</span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The place along the points at which a value is reached. */
export function placeOf(values: readonly number[], value: number): number {
  const last = values.length - 1;
  const rises = values[last] > values[0];
  const before = (k: number): boolean => (rises ? values[k] <= value : values[k] >= value);
  let k = 0;
  while (k < last - 1 && before(k + 1)) k++;
  const step = values[k + 1] - values[k];
  return k + (step === 0 ? 0 : Math.max(0, Math.min(1, (value - values[k]) / step)));
}
