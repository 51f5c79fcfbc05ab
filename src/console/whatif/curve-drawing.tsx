/** The curve behind the slider, drawn so that a value stands above the slider's place for it. */
import { placeOf } from './place.ts';
import type { Curve, Point } from './use-curve.ts';

const height = 96;
const top = 14;
const bottom = 6;
/** Half the slider's thumb: its ends lie this far inside. */
export const inset = 8;

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
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (value: number): number => inset + placeOf(lever.stops, value) * (width - 2 * inset);
  const y = (watched: number): number =>
    high > low ? top + ((high - watched) / (high - low)) * (height - top - bottom) : height / 2;
  const line = known.map(({ value, watched }, i) => `${i === 0 ? 'M' : 'L'}${x(value)} ${y(watched)}`).join('');
  const here = known.find(({ value }) => value === lever.value);
  const { text } = lever.watched;
  const said = known.map(({ value, watched }) => `${lever.text(value)}: ${text(watched)}`).join('; ');
  return (
    <svg
      class="what-if-curve"
      width={width}
      height={height}
      role="img"
      aria-label={`${lever.watched.label} by ${lever.label}: ${said}`}
      data-points={known.length}
      data-complete={curve.complete}
    >
      <path d={line} class="curve" />
      {known.map(({ value, watched }) => (
        <circle key={value} cx={x(value)} cy={y(watched)} r="2.4" class="point" />
      ))}
      {unsolved.map(({ value }) => (
        <text key={value} x={x(value)} y={height - bottom} class="unsolved" text-anchor="middle">
          ×<title>{`${lever.text(value)}: no solution`}</title>
        </text>
      ))}
      <line x1={x(lever.value)} x2={x(lever.value)} y1={top - 6} y2={height} class="here" />
      {here ? <circle cx={x(here.value)} cy={y(here.watched)} r="5.5" class="here" /> : null}
      {pinned && Number.isFinite(pinned.watched) ? (
        <circle cx={x(pinned.value)} cy={y(pinned.watched)} r="6" class="pin" />
      ) : null}
      {known.length > 1 ? (
        <>
          <text x={x(known[0].value)} y={10}>
            {text(known[0].watched)}
          </text>
          <text x={x(known[known.length - 1].value)} y={10} text-anchor="end">
            {text(known[known.length - 1].watched)}
          </text>
        </>
      ) : null}
    </svg>
  );
}
