/**
 * Which slots stay idle and which tasks are dropped when unit-weight tasks of one kind meet a choice of slots.
 *
 * Model: tasks at times t (sorted), slots at times τ (sorted, those of one time in a group). A task costs |τ − t|
 * (flexible) or τ − t with τ ≥ t (release). A dropped task costs p (∞: none may be dropped), an idle slot nothing. Go
 * through all events in time order; D = tasks passed and not yet served, less slots passed and kept for tasks to come.
 * Between two events Δ apart the cost is |D|·Δ (release: D ≥ 0). F(D) = least cost so far is convex.
 *
 * Method: slope trick. Two lists hold the slopes of F in order: A those left of D = 0, its end nearest to 0; B those
 * right of it, its front nearest to 0. |A| and |B| are their lengths.
 *   Forward:  a slot adds a slope 0 (take it or leave it), a task a slope −p (drop it or serve it). While time passes, the
 *             slopes of A fall and those of B rise; A keeps slope + time and B slope − time, so no entry is touched.
 *   Cut off:  slopes > 0 in B and < −p in A can never be crossed again. Without them 0 is the greatest and −p the least
 *             slope, so new ones go to an end, no heap is needed and every event costs O(1) amortised.
 *   Way back: from D = 0 at the end through the events in reverse. A slot is used iff |B| before it exceeds D after it, a
 *             task is served iff −|A| before it is below D after it.
 *
 * Complexity: O(n + M) time and memory; without dropping the way back is O(groups). Exact. At equal times the task
 * comes first; where serving and dropping cost the same, it is served.
 * Source: models of Wolf et al. (2002), section 3; the linear form of the slope trick is ours.
 */
/** Which slots and which tasks the programme has chosen. */
export interface SlotChoice {
  /** By group: how many of its slots are used, and how many of these come before the idle ones. */
  readonly usedCount: Int32Array;
  readonly usedBeforeIdle: Int32Array;
  /** 1 for each task that is served; null: every task is served. */
  readonly isServed: Uint8Array | null;
}

/** Slots in groups of one time. */
interface SlotSupply {
  /** Time of each group, ascending. */
  readonly time: Float64Array;
  /** Number of slots, by group. */
  readonly count: Int32Array;
}

/**
 * @param task times of the tasks, sorted
 * @param dropPenalty p ≥ 0; +∞ requires that all tasks can be served
 * @param forwardOnly true for release tasks (D ≥ 0)
 */
export function chooseSlots(
  task: Float64Array,
  slots: SlotSupply,
  dropPenalty: number,
  forwardOnly: boolean,
): SlotChoice {
  const slopes = new Slopes(task, slots, dropPenalty, forwardOnly);
  const { time, count } = slots;
  let i = 0;
  for (let g = 0; g < time.length; g++) {
    i = slopes.passTasks(i, time[g]);
    slopes.passSlots(g, i, count[g]);
  }
  slopes.passTasks(i, Number.POSITIVE_INFINITY);
  return slopes.backtrack();
}

/** The slopes of F while events pass, and the records from which the backward pass recovers the decisions. */
class Slopes {
  private readonly task: Float64Array;
  private readonly slots: SlotSupply;
  private readonly dropPenalty: number;
  private readonly forwardOnly: boolean;
  /**
   * The stacks A (below) and B (above). A grows at its end by slots and at its start by tasks; B at its front by tasks.
   */
  private readonly slopesBelow: Float64Array;
  private belowStart: number;
  private belowEnd: number;
  private readonly slopesAbove: Float64Array;
  private aboveFront: number;
  private aboveEnd: number;
  /** By group: |B| before its first slot, and how many tasks come before it. By task, with dropping: |A| before it. */
  private readonly slotRoom: Int32Array;
  private readonly tasksBefore: Int32Array;
  private readonly taskRoom: Int32Array;

  constructor(task: Float64Array, slots: SlotSupply, dropPenalty: number, forwardOnly: boolean) {
    const n = task.length;
    const mayDrop = dropPenalty < Number.POSITIVE_INFINITY;
    this.task = task;
    this.slots = slots;
    this.dropPenalty = dropPenalty;
    this.forwardOnly = forwardOnly;
    let m = 0;
    for (let g = 0; g < slots.count.length; g++) m += slots.count[g];
    this.slopesBelow = new Float64Array(forwardOnly ? 0 : mayDrop ? n + m : m);
    this.belowStart = mayDrop && !forwardOnly ? n : 0;
    this.belowEnd = this.belowStart;
    this.slopesAbove = new Float64Array(n);
    this.aboveFront = n;
    this.aboveEnd = n;
    this.slotRoom = new Int32Array(slots.time.length);
    this.tasksBefore = new Int32Array(slots.time.length);
    this.taskRoom = new Int32Array(mayDrop ? n : 0);
  }

  /** Passes the tasks from the i-th on whose time is at most `until`. Returns the first task that is later. */
  passTasks(i: number, until: number): number {
    if (this.dropPenalty < Number.POSITIVE_INFINITY) return this.passDroppable(i, until);
    const { task, slopesBelow, slopesAbove, forwardOnly } = this;
    const n = task.length;
    let end = this.belowEnd;
    let front = this.aboveFront;
    let next = i;
    for (; next < n; next++) {
      const now = task[next];
      if (now > until) break;
      // Nothing may be dropped: the task takes the cheapest earlier slot, which a later slot may replace at this slope.
      // Without an earlier slot it must take a later one (−∞).
      slopesAbove[--front] = !forwardOnly && end > 0 ? slopesBelow[--end] - now - now : Number.NEGATIVE_INFINITY;
    }
    this.belowEnd = end;
    this.aboveFront = front;
    return next;
  }

  /** Passes tasks as `passTasks` does, where tasks may be dropped. */
  private passDroppable(i: number, until: number): number {
    const { task, slopesBelow, slopesAbove, taskRoom, dropPenalty, forwardOnly } = this;
    let next = i;
    for (; next < task.length; next++) {
      const now = task[next];
      if (now > until) break;
      while (this.belowEnd > this.belowStart && slopesBelow[this.belowStart] - now < -dropPenalty) this.belowStart++;
      let slope = -dropPenalty;
      taskRoom[next] = this.belowEnd - this.belowStart;
      if (!forwardOnly && this.belowEnd > this.belowStart) {
        slopesBelow[--this.belowStart] = now - dropPenalty;
        slope = slopesBelow[--this.belowEnd] - now;
      }
      slopesAbove[--this.aboveFront] = slope - now;
    }
    return next;
  }

  /** Passes the slots of group g, before which i tasks come. */
  passSlots(g: number, i: number, count: number): void {
    const { slopesBelow, slopesAbove, forwardOnly } = this;
    const now = this.slots.time[g];
    let end = this.aboveEnd;
    let front = this.aboveFront;
    while (end > front && slopesAbove[end - 1] + now > 0) end--;
    const room = end - front;
    this.slotRoom[g] = room;
    this.tasksBefore[g] = i;
    const crossing = Math.min(room, count);
    if (!forwardOnly) {
      let at = this.belowEnd;
      for (let c = 0; c < crossing; c++) slopesBelow[at++] = slopesAbove[front + c] + now + now;
      for (let c = crossing; c < count; c++) slopesBelow[at++] = now;
      this.belowEnd = at;
    }
    front += crossing;
    this.aboveEnd = end;
    this.aboveFront = front;
  }

  /** Recovers which slots are used and which tasks are served, from D = 0 at the end backwards. */
  backtrack(): SlotChoice {
    const { slotRoom, tasksBefore, taskRoom, slots, task } = this;
    const isServed = this.dropPenalty < Number.POSITIVE_INFINITY ? new Uint8Array(task.length) : null;
    const usedCount = new Int32Array(slots.time.length);
    const usedBeforeIdle = new Int32Array(slots.time.length);
    let difference = 0;
    let i = task.length;
    for (let g = slots.time.length; ; g--) {
      const tasksBeforeGroup = g > 0 ? tasksBefore[g - 1] : 0;
      if (isServed === null) difference -= i - tasksBeforeGroup;
      else {
        for (let j = i - 1; j >= tasksBeforeGroup; j--) {
          if (difference <= -taskRoom[j]) continue;
          isServed[j] = 1;
          difference--;
        }
      }
      i = tasksBeforeGroup;
      if (g === 0) return { usedCount, usedBeforeIdle, isServed };
      // Slot c of a group (from 0) meets max(|B| − c, 0) slopes, and D rises with each used one. So of the slots at
      // c ≥ |B| the last ones are used while D < 0, of those before the first |B| − D. The idle ones are neighbours.
      const crossing = Math.min(slotRoom[g - 1], slots.count[g - 1]);
      const usedLast = Math.min(Math.max(-difference, 0), slots.count[g - 1] - crossing);
      difference += usedLast;
      usedBeforeIdle[g - 1] = Math.min(Math.max(slotRoom[g - 1] - difference, 0), crossing);
      difference += usedBeforeIdle[g - 1];
      usedCount[g - 1] = usedBeforeIdle[g - 1] + usedLast;
    }
  }
}
