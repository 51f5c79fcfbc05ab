/** A lever on either axis of a curve: turn one, read the other. */
import { useState } from 'preact/hooks';
import { placeOf, valueAt } from './along-curve.ts';

/** An axis by the values of the curve's points, which rise or fall from one to the next. */
interface LeverAxis {
  readonly label: string;
  readonly values: readonly number[];
  readonly text: (value: number) => string;
}

export interface Levers {
  readonly x: LeverAxis;
  readonly y: LeverAxis;
  /** Where on the x axis they begin. */
  readonly begin: number;
  /** The request has the number of the x axis: it is turned there, and the other axis says what it comes to. */
  readonly xIsAsked?: boolean;
}

export function CurveLevers({ levers }: { readonly levers: Levers }) {
  const { x, y, begin, xIsAsked } = levers;
  const [place, setPlace] = useState(() => placeOf(x.values, begin));
  const told = ({ text, values }: LeverAxis): string => text(valueAt(values, place));
  return (
    <div class="curve-levers">
      {(xIsAsked ? [y] : [x, y]).map((axis) => {
        const [low, high] = [Math.min(...axis.values), Math.max(...axis.values)];
        return (
          <label key={axis.label}>
            {axis.label} <output>{told(axis)}</output>
            {xIsAsked ? (
              <>
                {' '}
                at {told(x)} {x.label}
              </>
            ) : null}
            <input
              type="range"
              min={low}
              max={high}
              step={(high - low) / 1000}
              value={valueAt(axis.values, place)}
              data-axis={axis === x ? 'x' : 'y'}
              aria-valuetext={`${told(axis)}: ${axis === x ? `${y.label} ${told(y)}` : `${x.label} ${told(x)}`}`}
              onInput={({ currentTarget }) => setPlace(placeOf(axis.values, Number(currentTarget.value)))}
            />
          </label>
        );
      })}
    </div>
  );
}
