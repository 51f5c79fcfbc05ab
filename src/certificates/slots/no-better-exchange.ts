/**
 * Whether tasks that exchange their slots could cost less together: a proof of optimality that needs no prices.
 *
 * An assignment is optimal if and only if the graph of its exchanges has no cycle of negative cost (M. Klein,
 * Management Science 14, 1967). Its nodes are the slots and one for "dropped". The task in slot s may move to slot t at
 * the cost of t less that of s. An idle slot is left for nothing, and whoever is dropped may be taken up again. R.
 * Bellman's and L. R. Ford's labels find such a cycle in O(slots·pairs) at worst.
 */

/** Costs by task and slot; Infinity where the task may not use the slot. */
interface ExchangeGraph {
  readonly slots: number;
  readonly cost: (task: number, slot: number) => number;
  /** What dropping a task costs; Infinity where that is not allowed. */
  readonly dropCost: number;
  /** Slot of each task, −1 where dropped. */
  readonly slotOf: Int32Array;
}

/** The saving of some cycle of exchanges, more than `slack`; 0 where no cycle saves as much. */
export function savingByExchange({ slots, cost, dropCost, slotOf }: ExchangeGraph, slack: number): number {
  const idle = slots;
  const edges: [from: number, to: number, cost: number][] = [];
  const used = new Uint8Array(slots);
  for (const [task, slot] of slotOf.entries()) {
    const here = slot < 0 ? dropCost : cost(task, slot);
    const from = slot < 0 ? idle : slot;
    if (slot >= 0) used[slot] = 1;
    for (let to = 0; to < slots; to++) {
      const there = to === slot ? Number.POSITIVE_INFINITY : cost(task, to);
      if (there < Number.POSITIVE_INFINITY) edges.push([from, to, there - here]);
    }
    if (slot >= 0 && dropCost < Number.POSITIVE_INFINITY) edges.push([from, idle, dropCost - here]);
  }
  for (let s = 0; s < slots; s++) if (used[s] === 0) edges.push([s, idle, 0]);
  // nobody need follow into a slot that was left
  for (let s = 0; s < slots; s++) edges.push([idle, s, 0]);
  return cycleSaving(slots + 1, edges, slack);
}

function cycleSaving(nodes: number, edges: readonly [number, number, number][], slack: number): number {
  const label = new Float64Array(nodes);
  const before = new Int32Array(nodes).fill(-1);
  const step = slack / nodes;
  for (let round = 0; round <= nodes; round++) {
    let moved = -1;
    for (const [k, [from, to, cost]] of edges.entries()) {
      if (!(label[from] + cost < label[to] - step)) continue;
      label[to] = label[from] + cost;
      before[to] = k;
      moved = to;
    }
    if (moved < 0) return 0;
    const saving = cycleThrough(moved, edges, before);
    if (saving > slack) return saving;
  }
  return 0;
}

/** Follows the moves that set the labels back until a node comes again; what its cycle saves. */
function cycleThrough(start: number, edges: readonly [number, number, number][], before: Int32Array): number {
  const seen = new Set<number>();
  let at = start;
  while (before[at] >= 0 && !seen.has(at)) {
    seen.add(at);
    at = edges[before[at]][0];
  }
  if (before[at] < 0) return 0;
  let saving = 0;
  let node = at;
  do {
    const [from, , cost] = edges[before[node]];
    saving -= cost;
    node = from;
  } while (node !== at);
  return saving;
}
