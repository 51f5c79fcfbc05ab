/** Seeded draws for the families: numbers, and one value of every axis of a grid. */

/** Uniform in [0, 1): mulberry32 (T. Ettinger 2017), a counter scrambled three times. */
export type Draw = () => number;

export function seededDraw(seed: number): Draw {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function drawNormal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

/** The values of each axis, by the name of the axis. */
type Axes = Readonly<Record<string, readonly (string | number)[]>>;
export type Point<A extends Axes> = { readonly [Name in keyof A]: A[Name][number] };

/**
 * `count` points of a grid in which every value of an axis occurs about equally often, in a random order for each axis
 * (a Latin hypercube sample; M. D. McKay, R. J. Beckman and W. J. Conover, Technometrics 21, 1979).
 */
export function drawPoints<A extends Axes>(axes: A, count: number, seed: number): Point<A>[] {
  const draw = seededDraw(seed);
  const orders = Object.entries(axes).map(([name, values]) => {
    const order = Array.from({ length: count }, (_, k) => values[k % values.length]);
    for (let k = count - 1; k > 0; k--) {
      const swap = Math.floor(draw() * (k + 1));
      [order[k], order[swap]] = [order[swap], order[k]];
    }
    return [name, order] as const;
  });
  const pointAt = (k: number): Record<string, string | number> =>
    Object.fromEntries(orders.map(([name, order]) => [name, order[k]]));
  const isPoint = (point: Record<string, string | number>): point is Record<string, string | number> & Point<A> =>
    Object.keys(axes).every((name) => name in point);
  return Array.from({ length: count }, (_, k) => pointAt(k)).filter(isPoint);
}

/** A point's values as texts, for tables. */
export function axisTexts(point: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(point).map(([name, value]) => [name, String(value)]));
}
