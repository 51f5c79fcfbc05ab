/**
 * Of a front between two criteria, the prices at which one vertex gives way to the next; the first criterion costs 1.
 */

interface Vertex {
  readonly criteria: readonly number[];
}

/** The price of the second criterion at which a vertex and the next cost the same. */
function weightBetween({ criteria: [x, y] }: Vertex, { criteria: [u, v] }: Vertex): number {
  return (u - x) / (y - v);
}

/** The vertices up to the first from which no price is enough for the next: rounding leaves no difference. */
export function upToNoGain<Point extends Vertex>(points: readonly Point[]): readonly Point[] {
  const end = points.findIndex(
    (point, i) => i + 1 < points.length && !Number.isFinite(weightBetween(point, points[i + 1])),
  );
  return end < 0 ? points : points.slice(0, end + 1);
}

/**
 * Between which prices of the second criterion vertex i is best, from the slopes to its neighbours; null: without end.
 */
export function weightsOfSecond(points: readonly Vertex[], i: number): [number, number | null] {
  const between = (a: number): number => weightBetween(points[a], points[a + 1]);
  return [i === 0 ? 0 : between(i - 1), i === points.length - 1 ? null : between(i)];
}
