/**
 * A front between criteria as it is answered. Between two criteria each vertex has the prices at which it gives way to
 * its neighbours; the first criterion costs 1.
 */

interface Vertex<What> {
  readonly criteria: readonly number[];
  readonly what: What;
}

export interface ListedVertex<Name extends string, Policy> {
  /** The value of each criterion, by name. */
  readonly criteria: Readonly<Partial<Record<Name, number>>>;
  readonly policy: Policy;
  /** Two criteria: the prices of the second from and up to which this policy is best; null: no end. */
  readonly weightOfSecond?: readonly [number, number | null];
}

/** The price of the second criterion at which a vertex and the next cost the same. */
function weightBetween<What>({ criteria: [x, y] }: Vertex<What>, { criteria: [u, v] }: Vertex<What>): number {
  return (u - x) / (y - v);
}

/**
 * The vertices as they are listed. Of two criteria the list ends where no price is enough for the next vertex: rounding
 * leaves no difference there.
 */
export function listedFront<Name extends string, What, Policy>(
  names: readonly Name[],
  vertices: readonly Vertex<What>[],
  policyOf: (what: What) => Policy,
): ListedVertex<Name, Policy>[] {
  const prices = vertices.slice(1).map((vertex, i) => weightBetween(vertices[i], vertex));
  const end = names.length === 2 ? prices.findIndex((price) => !Number.isFinite(price)) : -1;
  const listed = end < 0 ? vertices : vertices.slice(0, end + 1);
  return listed.map(({ criteria, what }, i): ListedVertex<Name, Policy> => {
    const values: Partial<Record<Name, number>> = {};
    for (const [c, name] of names.entries()) values[name] = criteria[c];
    const point = { criteria: values, policy: policyOf(what) };
    if (names.length > 2) return point;
    return { ...point, weightOfSecond: [i === 0 ? 0 : prices[i - 1], i === listed.length - 1 ? null : prices[i]] };
  });
}
