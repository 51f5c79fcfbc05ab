/**
 * Which slots stay idle and which tasks are dropped when unit-weight tasks of one kind meet a choice of slots.
 *
 * Model: tasks at times t (sorted), slots at times τ (sorted), cost |τ − t| a task (flexible) or τ − t with τ ≥ t
 * (release), a dropped task costs p (∞: none may be dropped), an idle slot nothing. Go through all events in time
 * order; D = tasks passed and not yet served, less slots passed and kept for tasks to come; between two events Δ apart
 * the cost is |D|·Δ (release: D ≥ 0). F(D) = least cost so far is convex.
 *
 * Method: slope trick. The slopes of F are kept in order, split at D = 0: A left of 0, its end nearest to 0, kept as
 * slope + time; B right of 0, its front nearest to 0, kept as slope − time; so that time passes without touching them. A
 * slot adds a slope 0 (take it or leave it), a task a slope −p (drop it or serve it). Slopes > 0 in B and < −p in A can
 * never be crossed again, so they are cut off; then 0 is the greatest and −p the least of all slopes, no heap is
 * needed and every event costs O(1) amortised. A slot is used iff |B| before it exceeds D after it; a task is served iff
 * −|A| before it is below D after it: the way back from D = 0 reads that off.
 *
 * Complexity: O(n + M) time and memory. Exact. At equal times the task comes first; where serving and dropping cost the same, it is served.
 * Source: models of Wolf et al. (2002), section 3; the linear form of the slope trick is ours.
 */

/** What the programme decided: 1 for each slot that is used and each task that is served; equally many of both. */
export interface Chosen {
  readonly used: Uint8Array;
  readonly served: Uint8Array;
  readonly servedCount: number;
}

/**
 * @param task times of the tasks, sorted
 * @param slot times of the slots, sorted
 * @param dropPenalty p ≥ 0; +∞ requires that all tasks can be served
 * @param forwardOnly true for release tasks (D ≥ 0)
 */
export function chooseSlots(task: Float64Array, slot: Float64Array, dropPenalty: number, forwardOnly: boolean): Chosen {
  const n = task.length;
  const m = slot.length;
  const mayDrop = dropPenalty < Number.POSITIVE_INFINITY;
  // A grows at its end by slots and at its start by tasks; B at its front by tasks.
  const below = new Float64Array(forwardOnly ? 0 : mayDrop ? n + m : m);
  let belowStart = mayDrop && !forwardOnly ? n : 0;
  let belowEnd = belowStart;
  const above = new Float64Array(n);
  let aboveFront = n;
  let aboveEnd = n;
  const slotRoom = new Int32Array(m);
  const taskRoom = mayDrop ? new Int32Array(n) : new Int32Array(0);

  let i = 0;
  let k = 0;
  while (i < n || k < m) {
    const isTask = i < n && (k >= m || task[i] <= slot[k]);
    const now = isTask ? task[i] : slot[k];
    while (aboveEnd > aboveFront && above[aboveEnd - 1] + now > 0) aboveEnd--;
    if (mayDrop) while (belowEnd > belowStart && below[belowStart] - now < -dropPenalty) belowStart++;
    if (isTask) {
      let slope = mayDrop ? -dropPenalty : Number.NEGATIVE_INFINITY;
      if (!forwardOnly) {
        if (mayDrop) {
          taskRoom[i] = belowEnd - belowStart;
          if (belowEnd > belowStart) {
            below[--belowStart] = now - dropPenalty;
            slope = below[--belowEnd] - now;
          }
        } else if (belowEnd > belowStart) slope = below[--belowEnd] - now;
      }
      above[--aboveFront] = slope - now;
      i++;
    } else {
      slotRoom[k] = aboveEnd - aboveFront;
      if (aboveEnd > aboveFront) {
        const slope = above[aboveFront++] + now;
        if (!forwardOnly) below[belowEnd++] = slope + now;
      } else if (!forwardOnly) below[belowEnd++] = now;
      k++;
    }
  }

  const used = new Uint8Array(m);
  const served = new Uint8Array(n);
  let difference = 0;
  let servedCount = 0;
  while (i > 0 || k > 0) {
    const isTask = k === 0 || (i > 0 && task[i - 1] > slot[k - 1]);
    if (isTask) {
      i--;
      if (!mayDrop || difference > -taskRoom[i]) {
        served[i] = 1;
        servedCount++;
        difference--;
      }
    } else {
      k--;
      if (slotRoom[k] > difference) {
        used[k] = 1;
        difference++;
      }
    }
  }
  return { used, served, servedCount };
}
