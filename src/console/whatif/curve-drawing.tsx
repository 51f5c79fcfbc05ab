/** The curve behind the slider, drawn so that a value stands above the slider's place for it. */
import { placeOf } from '../pictures/frame/along-curve.ts';
import { axisOf, type Point, ticksOf } from './curve-axis.ts';
import type { Curve } from './use-curve.ts';

const height = 128;
const top = 12;
const bottom = 10;
/** For the numbers of the vertical axis; the slider begins after them. */
export const axisWidth = 72;
/** Half the slider's thumb: its ends lie this far inside. */
const inset = 8;

interface CurveDrawingProps {
  readonly curve: Curve;
  readonly width: number;
  /** The pinned answer's place on the curve. */
  readonly pinned: Point | undefined;
}

export function CurveDrawing({ curve, width, pinned }: CurveDrawingProps) {
  const { lever, points } = curve;
  const known = points.filter(({ watched }) => Number.isFinite(watched));
  const unsolved = points.filter(({ watched }) => !Number.isFinite(watched));
  const values = [...known.map(({ watched }) => watched), ...(pinned ? [pinned.watched] : [])].filter(Number.isFinite);
  const axis = axisOf(values.length > 0 ? values : [0, 1]);
  const { fromZero, isLog } = axis;
  const scaled = (value: number): number => (isLog ? Math.log(value) : value);
  const [low, high] = [scaled(axis.low), scaled(axis.high)];
  const base = height - bottom;
  const x = (value: number): number =>
    axisWidth + inset + (placeOf(lever.stops, value) / (lever.stops.length - 1)) * (width - axisWidth - 2 * inset);
  const y = (watched: number): number => top + ((high - scaled(watched)) / (high - low || 1)) * (base - top);
  const line = known.map(({ value, watched }, i) => `${i === 0 ? 'M' : 'L'}${x(value)} ${y(watched)}`).join('');
  const here = known.find(({ value }) => value === lever.value);
  const { text } = curve.watched;
  const said = known.map(({ value, watched }) => `${lever.text(value)}: ${text(watched)}`).join('; ');
  return (
    <svg
      class="what-if-curve"
      width={width}
      height={height}
      role="img"
      aria-label={`${curve.watched.label} by ${lever.label}: ${said}`}
      data-points={known.length}
      data-complete={curve.complete}
    >
      {ticksOf(axis).map((tick) => (
        <g key={tick}>
          <line x1={axisWidth} x2={width} y1={y(tick)} y2={y(tick)} class="grid" />
          <text x={axisWidth - 6} y={y(tick) + 4} text-anchor="end">
            {tick < 1e6 ? curve.watched.tick(tick) : tick.toExponential().replace('e+', 'e')}
          </text>
        </g>
      ))}
      {fromZero ? (
        <line x1={axisWidth} x2={width} y1={y(0)} y2={y(0)} class="zero" />
      ) : isLog ? null : (
        // The mark of an axis that does not begin at zero.
        <path d={`M${axisWidth} ${top}V${base - 12}l4 -3l-8 -4l4 -3V${base}`} class="broken">
          <title>The axis does not begin at zero</title>
        </path>
      )}
      <path d={line} class="curve" />
      {known.map(({ value, watched }) => (
        <circle key={value} cx={x(value)} cy={y(watched)} r="2.4" class="point" />
      ))}
      {unsolved.map(({ value }) => (
        <text key={value} x={x(value)} y={base} class="unsolved" text-anchor="middle">
          ×<title>{`${lever.text(value)}: no solution`}</title>
        </text>
      ))}
      <line x1={x(lever.value)} x2={x(lever.value)} y1={top - 6} y2={height} class="here" />
      {here ? <circle cx={x(here.value)} cy={y(here.watched)} r="5.5" class="here" /> : null}
      {pinned && Number.isFinite(pinned.watched) ? (
        <circle cx={x(pinned.value)} cy={y(pinned.watched)} r="6" class="pin" />
      ) : null}
    </svg>
  );
}
