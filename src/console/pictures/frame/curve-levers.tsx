/** A lever on either axis of a curve: turn one, read the other. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { placeOf, valueAt } from './along-curve.ts';
import { ink } from './chart.ts';

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
  const own = useRef<HTMLDivElement>(null);
  // the curve is drawn anew when its frame's width changes
  useEffect(() => {
    const svg = own.current?.closest('figure')?.querySelector('.frame svg');
    const dots = [...(svg?.querySelectorAll('[aria-label="dot"] circle') ?? [])];
    if (dots.length !== x.values.length) return;
    const at = (name: string): string =>
      `${valueAt(
        dots.map((dot) => Number(dot.getAttribute(name))),
        place,
      )}`;
    const mark = svg?.querySelector('.lever') ?? svg?.appendChild(dots[0].cloneNode());
    if (!(mark instanceof Element)) return;
    const look = { class: 'lever', r: '6', fill: ink.surface, stroke: ink.blue, 'stroke-width': '2' };
    for (const [name, value] of Object.entries({ ...look, cx: at('cx'), cy: at('cy') })) mark.setAttribute(name, value);
  });
  const told = ({ text, values }: LeverAxis): string => text(valueAt(values, place));
  return (
    <div class="curve-levers" ref={own}>
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
