/** What if: a slider for the main parameter, and the curve of the measure along it. */
import type { AnswerView } from '../api/answer.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { Question } from '../contract/catalogue.ts';
import { chart, logAxis, Plot, palette, widenDomain } from '../pictures/frame/chart.ts';
import { Frame } from '../pictures/frame/figure.tsx';
import { withValue } from '../request/pointer.ts';
import { durationText } from '../words/dates.ts';
import { leverOf } from './levers.ts';
import { type Curve, maxAutomaticSolveMs, useCurve } from './use-curve.ts';

interface WhatIfProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly view: AnswerView;
  /** The number of the request that is the x axis of a curve above. */
  readonly curveAlong: string | undefined;
  readonly onRequest: (request: JsonObject) => void;
}

/** Width of the vertical axis' numbers (px); the slider begins to the right of them. */
const axisWidth = 72;
/** Half the width of the slider's thumb, px: the distance of the first and last stop from the ends of the slider. */
const inset = 8;
/** The axis is logarithmic if the median is below this share of the maximum. */
const flatShare = 0.04;

/** Draws the curve; each point is above its stop on the slider. */
function drawCurve({ lever, points, measure }: Curve, width: number): Element {
  const finitePoints = points.filter((point) => Number.isFinite(point.amount));
  const values = finitePoints.map((point) => point.amount).sort((a, b) => a - b);
  const [low, high, middle] = [values[0] ?? 0, values.at(-1) ?? 1, values[values.length >> 1] ?? 0];
  const isLog = low > 0 && middle < flatShare * high;
  const place = (value: number): number => placeOf(lever.stops, value);
  const currentPoints = finitePoints.filter(({ value }) => value === lever.value);
  return chart(width, {
    height: 140,
    marginLeft: axisWidth + inset,
    marginRight: inset,
    marginTop: 8,
    marginBottom: 6,
    x: { axis: null, domain: [0, lever.stops.length - 1] },
    y: isLog
      ? logAxis(widenDomain([low, high]), '')
      : { label: null, nice: true, zero: low >= 0 && low <= 0.6 * high, ticks: 3, tickFormat: measure.tick },
    marks: [
      Plot.ruleX([place(lever.value)], { stroke: palette.blue, strokeDasharray: '4 3' }),
      Plot.line(finitePoints, { x: ({ value }) => place(value), y: 'amount', stroke: palette.blue, strokeWidth: 1.75 }),
      Plot.dot(finitePoints, { x: ({ value }) => place(value), y: 'amount', fill: palette.blue, r: 2.4 }),
      Plot.dot(currentPoints, { x: ({ value }) => place(value), y: 'amount', fill: palette.blue, r: 5.5 }),
    ],
  });
}

function CurveDrawing({ curve }: { curve: Curve }) {
  const { lever, points, measure } = curve;
  const pointTexts = points.map((point) => `${lever.text(point.value)}: ${measure.text(point.amount)}`).join('; ');
  return (
    <Frame
      class="what-if-curve"
      aria-label={`${measure.label} by ${lever.label}: ${pointTexts}`}
      data-points={points.length}
      data-complete={curve.complete}
      draw={(width) => drawCurve(curve, width)}
    />
  );
}

export function WhatIf({ question, request, view, curveAlong, onRequest }: WhatIfProps) {
  const lever = leverOf(question.schema, request);
  const hasCurveAbove = lever !== undefined && lever.path.length === 1 && lever.path[0] === curveAlong;
  const curve = useCurve(question, request, lever, view, hasCurveAbove);
  if (curve === null) return null;
  const { lever: curveLever, measure } = curve;
  const { stops } = curveLever;
  const set = (value: number): void => {
    const next = withValue(request, curveLever.path, value);
    if (value !== curveLever.value && isJsonObject(next)) onRequest(next);
  };
  const slow = view.elapsedMs > maxAutomaticSolveMs;
  return (
    <section class="what-if" aria-label="What if">
      <h3>
        What if: {curveLever.label} <output>{curveLever.text(curveLever.value)}</output>
      </h3>
      <p class="about">
        {hasCurveAbove ? 'asks again, at another point of the curve above' : measure.label}
        {slow && !curve.complete && !view.isSolving ? (
          <button type="button" class="quiet" onClick={curve.draw}>
            draw the curve, about {durationText(9 * view.elapsedMs)}
          </button>
        ) : null}
      </p>
      {!hasCurveAbove && curve.points.length > 1 ? <CurveDrawing curve={curve} /> : null}
      <div class="slider" style={{ paddingLeft: `${axisWidth}px` }}>
        <input
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={Math.round(placeOf(stops, curveLever.value))}
          data-lever={curveLever.label}
          aria-label={curveLever.label}
          aria-valuetext={curveLever.text(curveLever.value)}
          onInput={({ currentTarget }) => set(stops[Number(currentTarget.value)])}
        />
        <div class="ends" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => {
            const stop = Math.round(share * (stops.length - 1));
            return (
              <span key={share} style={{ left: `${(100 * stop) / (stops.length - 1)}%` }}>
                {curveLever.tick(stops[stop])}
              </span>
            );
          })}
        </div>
      </div>
    </section>
  );
}

/** Position of a value in an ascending list, interpolated linearly between two entries. */
function placeOf(values: readonly number[], value: number): number {
  const next = values.findIndex((each) => each >= value);
  if (next <= 0) return next === 0 ? 0 : values.length - 1;
  return next - (values[next] - value) / (values[next] - values[next - 1]);
}
