/**
 * The recurrent classes of a chain: its strongly connected components without a way out (Tarjan 1972, without
 * recursion). O(states + transitions).
 */

/**
 * The transitions of a chain: those from state x are targets[begins[x]…begins[x + 1] − 1]; a state without any does not
 * exist.
 */
interface Transitions {
  readonly begins: Int32Array;
  readonly targets: Int32Array;
}

/** Answers, per state, the number of its recurrent class from 0 up, or −1 when it is transient. */
export function recurrentClasses({ begins, targets }: Transitions): { count: number; classOf: Int32Array } {
  const states = begins.length - 1;
  const order = new Int32Array(states).fill(-1);
  const low = new Int32Array(states);
  const component = new Int32Array(states).fill(-1);
  const nextEdge = begins.slice();
  const path = new Int32Array(states);
  const open = new Int32Array(states);
  let visited = 0;
  let components = 0;
  let opened = 0;
  for (let start = 0; start < states; start++) {
    if (order[start] >= 0 || begins[start] === begins[start + 1]) continue;
    let depth = 0;
    path[0] = start;
    order[start] = low[start] = visited++;
    open[opened++] = start;
    while (depth >= 0) {
      const x = path[depth];
      if (nextEdge[x] < begins[x + 1]) {
        const y = targets[nextEdge[x]++];
        if (order[y] < 0) {
          order[y] = low[y] = visited++;
          open[opened++] = y;
          path[++depth] = y;
        } else if (component[y] < 0) low[x] = Math.min(low[x], order[y]);
        continue;
      }
      if (low[x] === order[x]) {
        let y: number;
        do {
          y = open[--opened];
          component[y] = components;
        } while (y !== x);
        components++;
      }
      depth--;
      if (depth >= 0) low[path[depth]] = Math.min(low[path[depth]], low[x]);
    }
  }
  return closedComponents({ begins, targets }, component, components);
}

function closedComponents({ begins, targets }: Transitions, component: Int32Array, components: number) {
  const leaves = new Uint8Array(components);
  for (let x = 0; x < component.length; x++) {
    if (component[x] < 0) continue;
    for (let at = begins[x]; at < begins[x + 1]; at++) {
      if (component[targets[at]] !== component[x]) leaves[component[x]] = 1;
    }
  }
  const number = new Int32Array(components).fill(-1);
  let count = 0;
  for (let c = 0; c < components; c++) if (leaves[c] === 0) number[c] = count++;
  return { count, classOf: component.map((c) => (c < 0 ? -1 : number[c])) };
}
