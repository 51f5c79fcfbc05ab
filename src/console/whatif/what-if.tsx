/**
 * What if: the main parameter as a slider, with what it does as a curve behind it; an answer can be pinned beside it.
 */
import { useRef } from 'preact/hooks';
import type { Answered } from '../api/answered.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { Shown } from '../api/shown.ts';
import type { Question } from '../contract/catalogue.ts';
import { useFrameWidth } from '../pictures/frame/frame-width.ts';
import { withValue } from '../request/pointer.ts';
import { elapsed } from '../words/format.ts';
import { curveNotes } from './curve-axis.ts';
import { axisWidth, CurveDrawing } from './curve-drawing.tsx';
import { sameBut } from './differences.ts';
import { leverOf } from './levers.ts';
import { quickMs, useCurve } from './use-curve.ts';

interface WhatIfProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly shown: Shown;
  readonly pinned: Answered | undefined;
  /** The number of the request along which a picture above has its curve. */
  readonly drawnAlong: string | undefined;
  readonly onRequest: (request: JsonObject) => void;
  readonly onPin: (answered: Answered | undefined) => void;
}

export function WhatIf({ question, request, shown, pinned, drawnAlong, onRequest, onPin }: WhatIfProps) {
  const { schema } = question;
  const lever = leverOf(schema, request);
  const drawnAbove = lever !== undefined && lever.path.length === 1 && lever.path[0] === drawnAlong;
  const curve = useCurve(question, request, lever, shown, drawnAbove);
  const frame = useRef<HTMLDivElement>(null);
  const width = useFrameWidth(frame, curve !== null);
  const { answered, solving } = shown;
  const pin = (
    <button
      type="button"
      class="quiet"
      data-pin
      aria-pressed={pinned !== undefined}
      disabled={answered?.answer.solution === undefined}
      onClick={() => onPin(pinned === undefined ? answered : undefined)}
    >
      {pinned === undefined ? 'pin this answer' : 'unpin'}
    </button>
  );
  if (curve === null) return <div class="what-if bare">{pin}</div>;
  const turned = curve.lever;
  const { watched } = curve;
  const { stops } = turned;
  const at = stops.reduce(
    (best, stop, i) => (Math.abs(stop - turned.value) < Math.abs(stops[best] - turned.value) ? i : best),
    0,
  );
  const set = (value: number): void => {
    const next = withValue(request, turned.path, value);
    if (value !== turned.value && isJsonObject(next)) onRequest(next);
  };
  const pinnedLever = pinned && leverOf(schema, pinned.request);
  const onCurve =
    pinned && pinnedLever && sameBut(pinned.request, request, turned.path)
      ? { value: pinnedLever.value, watched: watched.of(pinned.answer) }
      : undefined;
  const slow = shown.elapsedMs > quickMs;
  return (
    <section class="what-if" aria-label="What if">
      <div class="head">
        <h3>
          What if: {turned.label} <output>{turned.text(turned.value)}</output>
        </h3>
        {pin}
      </div>
      <p class="about">
        {drawnAbove ? 'asks again, at another point of the curve above' : watched.label}
        {drawnAbove || curveNotes(curve) === '' ? '' : ` · ${curveNotes(curve)}`}
        {slow && !curve.complete && !solving ? (
          <button type="button" class="quiet" onClick={curve.draw}>
            draw the curve, about {elapsed(9 * shown.elapsedMs)}
          </button>
        ) : null}
      </p>
      <div ref={frame}>
        {!drawnAbove && width > 0 && curve.points.length > 1 ? (
          <CurveDrawing curve={curve} width={width} pinned={onCurve} />
        ) : null}
      </div>
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
