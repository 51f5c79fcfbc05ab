/**
 * The vertices of the lower convex hull of a set of points that is known by its minimisers alone. They are what is best
 * for some weights of two or three criteria.
 *
 * Method: the hull of the points found so far (and of everything above them) is taken apart into facets. The set is
 * minimised in the direction of a facet's normal. A point below the facet is a new vertex, and a facet with none below
 * it is a facet of the whole hull. Ends when every facet with positive weights is confirmed: the vertices are then
 * exact up to the accuracy of the minimiser. Facets by trying every pair, or triple, of points: O(v^(m+1)) for v
 * vertices, m criteria. Source: Aneja, Nair (1979), bicriteria transportation problem; Przybylski, Gandibleux, Ehrgott
 * (2010) for three.
 */

/** A point that was found, with what the minimiser says of it. */
export interface FrontPoint<T> {
  readonly criteria: readonly number[];
  readonly what: T;
}

interface SupportedFront<T> {
  /** Vertices, the first criterion ascending. */
  readonly points: readonly FrontPoint<T>[];
  /** Every facet is confirmed. */
  readonly complete: boolean;
}

/** Improvements below this share of the range of the criteria are rounding. */
const negligible = 1e-9;
/** Weight of the other criteria where one is minimised alone: ties are decided by them. */
const tieWeight = 1e-8;

/**
 * @param minimise a point of the set with the least Σ weights·criteria; null when there is no time left for it
 * @param criteria two or three
 */
export function supportedFront<T>(
  minimise: (weights: readonly number[]) => FrontPoint<T> | null,
  criteria: number,
  maxPoints: number,
): SupportedFront<T> {
  const points: FrontPoint<T>[] = [];
  const take = (point: FrontPoint<T>): boolean => {
    if (points.some((other) => sameAs(other.criteria, point.criteria))) return false;
    points.push(point);
    return true;
  };
  // The ends, once more when their distance says what the criteria are to be measured by.
  let scale = new Array<number>(criteria).fill(1);
  for (let round = 0; round < 3; round++) {
    for (let c = 0; c < criteria; c++) {
      const end = minimise(scale.map((size, k) => (k === c ? 1 : tieWeight) / size));
      if (end === null) return { points: sorted(points), complete: false };
      take(end);
    }
    scale = rangesOf(points.map((point) => point.criteria));
  }
  const confirmed = new Set<string>();
  for (;;) {
    scale = rangesOf(points.map((point) => point.criteria));
    const scaled = points.map(({ criteria: at }) => at.map((value, c) => value / scale[c]));
    // The widest first, so that where there are too many vertices those that are found lie all along the front.
    const facet = facetsOf(scaled)
      .filter(({ name }) => !confirmed.has(name))
      .reduce<Facet | undefined>(
        (widest, other) => (widest === undefined || widthOf(other, scaled) > widthOf(widest, scaled) ? other : widest),
        undefined,
      );
    if (facet === undefined) return { points: vertices(points), complete: true };
    if (points.length >= maxPoints) return { points: vertices(points), complete: false };
    const weights = facet.normal.map((weight, c) => weight / scale[c]);
    const found = minimise(weights);
    if (found === null) return { points: vertices(points), complete: false };
    const value = (at: readonly number[]): number => at.reduce((sum, x, c) => sum + weights[c] * x, 0);
    const below = value(points[facet.members[0]].criteria) - value(found.criteria);
    const size = Math.max(1, Math.abs(value(found.criteria)));
    if (!(below > negligible * size && take(found))) confirmed.add(facet.name);
  }
}

function sameAs(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, c) => Math.abs(value - b[c]) <= negligible * Math.max(Math.abs(value), Math.abs(b[c])));
}

function rangesOf(points: readonly (readonly number[])[]): number[] {
  return points[0].map((_, c) => {
    const values = points.map((point) => point[c]);
    const range = Math.max(...values) - Math.min(...values);
    return range > 0 ? range : Math.max(Math.abs(values[0]), 1e-300);
  });
}

interface Facet {
  readonly name: string;
  /** Positions of its points, ascending. */
  readonly members: readonly number[];
  /** Positive, of sum 1. */
  readonly normal: readonly number[];
}

/** The longest side of a facet, in the scale of its points. */
function widthOf({ members }: Facet, points: readonly (readonly number[])[]): number {
  return Math.max(
    ...points[members[0]].map((_, c) => {
      const values = members.map((member) => points[member][c]);
      return Math.max(...values) - Math.min(...values);
    }),
  );
}

/**
 * Facets with positive weights in every criterion, found by trying every set of as many points as there are criteria.
 */
function facetsOf(points: readonly (readonly number[])[]): Facet[] {
  const criteria = points[0].length;
  const facets: Facet[] = [];
  const offer = (members: readonly number[], normal: readonly number[] | null, free: string): void => {
    if (normal === null) return;
    const value = (at: readonly number[]): number => at.reduce((sum, x, c) => sum + normal[c] * x, 0);
    const level = value(points[members[0]]);
    if (points.every((at) => value(at) >= level - negligible)) {
      facets.push({ name: members + free, members, normal: normal.map((part) => Math.max(part, tieWeight)) });
    }
  };
  for (const members of choices(points.length, criteria)) {
    const normal = normalOf(members.map((member) => points[member]));
    offer(members, normal, '');
  }
  if (criteria < 3) return facets;
  // Facets that go on for ever in the direction of one criterion, which then weighs next to nothing.
  for (const members of choices(points.length, 2)) {
    for (let free = 0; free < criteria; free++) {
      const flat = normalOf(members.map((member) => points[member].filter((_, c) => c !== free)));
      offer(members, flat?.toSpliced(free, 0, 0) ?? null, `/${free}`);
    }
  }
  return facets;
}

function* choices(count: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let first = from; first < count; first++) {
    for (const rest of choices(count, size - 1, first + 1)) yield [first, ...rest];
  }
}

/** The direction in which two points, or three, are equally far; null unless all its parts have one sign. */
function normalOf(points: readonly (readonly number[])[]): number[] | null {
  const [a, b, c] = points;
  const ab = a.map((value, k) => b[k] - value);
  const raw =
    c === undefined
      ? [ab[1], -ab[0]]
      : cross(
          ab,
          a.map((value, k) => c[k] - value),
        );
  const total = raw.reduce((sum, part) => sum + part, 0);
  const normal = raw.map((part) => part / total);
  return normal.every((part) => part > 1e-12 && part < Number.POSITIVE_INFINITY) ? normal : null;
}

function cross([a, b, c]: readonly number[], [d, e, f]: readonly number[]): number[] {
  return [b * f - c * e, c * d - a * f, a * e - b * d];
}

/** The points that no mixture of others is at least as good as. */
function vertices<T>(points: readonly FrontPoint<T>[]): FrontPoint<T>[] {
  const kept = points.filter(
    (point) =>
      !points.some((other) => other !== point && other.criteria.every((value, c) => value <= point.criteria[c])),
  );
  return sorted(kept);
}

function sorted<T>(points: readonly FrontPoint<T>[]): FrontPoint<T>[] {
  return [...points].sort((a, b) => {
    const c = a.criteria.findIndex((value, k) => value !== b.criteria[k]);
    return c < 0 ? 0 : a.criteria[c] - b.criteria[c];
  });
}
