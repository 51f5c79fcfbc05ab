/**
 * The recurrent classes of a chain: its strongly connected components without a way out (Tarjan 1972, without
 * recursion). O(states + moves).
 */

/** Moves of a chain: those from state x lead to targets[begins[x]…begins[x + 1] − 1]. */
export interface Moves {
  readonly begins: Int32Array;
  readonly targets: Int32Array;
}

/** The states of each recurrent class, ascending. */
export function recurrentClasses({ begins, targets }: Moves): number[][] {
  const { component, components } = componentsOf({ begins, targets });
  const hasExit = new Uint8Array(components);
  for (let x = 0; x < component.length; x++) {
    for (let at = begins[x]; at < begins[x + 1]; at++) {
      if (component[targets[at]] !== component[x]) hasExit[component[x]] = 1;
    }
  }
  const classes = new Map<number, number[]>();
  for (const [x, c] of component.entries()) {
    if (hasExit[c] === 1) continue;
    const members = classes.get(c);
    if (members === undefined) classes.set(c, [x]);
    else members.push(x);
  }
  return [...classes.values()];
}

function componentsOf({ begins, targets }: Moves): { readonly component: Int32Array; readonly components: number } {
  const states = begins.length - 1;
  const order = new Int32Array(states).fill(-1);
  const low = new Int32Array(states);
  const component = new Int32Array(states).fill(-1);
  const nextMove = begins.slice();
  const path = new Int32Array(states);
  const openStates = new Int32Array(states);
  let [visitCount, components, openCount] = [0, 0, 0];
  for (let start = 0; start < states; start++) {
    if (order[start] >= 0) continue;
    let depth = 0;
    path[0] = start;
    order[start] = low[start] = visitCount++;
    openStates[openCount++] = start;
    while (depth >= 0) {
      const x = path[depth];
      if (nextMove[x] < begins[x + 1]) {
        const y = targets[nextMove[x]++];
        if (order[y] < 0) {
          order[y] = low[y] = visitCount++;
          openStates[openCount++] = y;
          path[++depth] = y;
        } else if (component[y] < 0) low[x] = Math.min(low[x], order[y]);
        continue;
      }
      if (low[x] === order[x]) {
        let y: number;
        do {
          y = openStates[--openCount];
          component[y] = components;
        } while (y !== x);
        components++;
      }
      depth--;
      if (depth >= 0) low[path[depth]] = Math.min(low[path[depth]], low[x]);
    }
  }
  return { component, components };
}
