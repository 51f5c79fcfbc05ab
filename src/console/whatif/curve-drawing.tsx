/** The curve behind the slider, drawn so that a value stands above the slider's place for it. */
import { placeOf } from './place.ts';
import type { Curve, Point } from './use-curve.ts';

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

/** The ends of the vertical axis: from zero, unless that would leave the curve no height to be seen in. */
function axisOf(values: readonly number[]): { low: number; high: number; fromZero: boolean } {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const fromZero = low >= 0 && low <= 0.6 * high;
  if (fromZero) return { low: 0, high, fromZero };
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  return { low: low - room, high: high + room, fromZero };
}

/** Three round numbers along an axis. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step)
    ticks.push(Number(at.toPrecision(9)));
  return ticks;
}

export function CurveDrawing({ curve, width, pinned }: CurveDrawingProps) {
  const { lever, points } = curve;
  const known = points.filter(({ watched }) => Number.isFinite(watched));
  const unsolved = points.filter(({ watched }) => !Number.isFinite(watched));
  const values = [...known.map(({ watched }) => watched), ...(pinned ? [pinned.watched] : [])].filter(Number.isFinite);
  const { low, high, fromZero } = axisOf(values.length > 0 ? values : [0, 1]);
  const base = height - bottom;
  const x = (value: number): number =>
    axisWidth + inset + placeOf(lever.stops, value) * (width - axisWidth - 2 * inset);
  const y = (watched: number): number => top + ((high - watched) / (high - low || 1)) * (base - top);
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
      {ticksOf(low, high).map((tick) => (
        <g key={tick}>
          <line x1={axisWidth} x2={width} y1={y(tick)} y2={y(tick)} class="grid" />
          <text x={axisWidth - 6} y={y(tick) + 4} text-anchor="end">
            {curve.watched.tick(tick)}
          </text>
        </g>
      ))}
      {fromZero ? (
        <line x1={axisWidth} x2={width} y1={y(0)} y2={y(0)} class="zero" />
      ) : (
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

/** What should be known when reading the curve. */
export function curveNotes({ points }: Curve): string {
  const values = points.map(({ watched }) => watched).filter(Number.isFinite);
  return [
    ...(points.length > values.length ? ['×: no solution'] : []),
    ...(values.length > 1 && !axisOf(values).fromZero ? ['the axis does not begin at zero'] : []),
  ].join('; ');
}
