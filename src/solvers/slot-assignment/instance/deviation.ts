/** How far tasks run from their ideal times, and how busy the crawlers are. */
import { dropped, type Placement, type SlotGrid } from './instance.ts';

/** Of |time − idealTime| over the tasks that run; null when none does. */
interface Deviation {
  readonly mean: number;
  /** Nearest rank: the least deviation that at least 95% of the tasks do not exceed. */
  readonly p95: number;
  readonly max: number;
}

/** O(n): selection, no sorting. */
export function deviationOf(idealTime: Float64Array, { time }: Placement): Deviation | null {
  const deviations = new Float64Array(time.length);
  let count = 0;
  let max = 0;
  let total = 0;
  for (let from = 0; from < time.length; from += 4096) {
    let block = 0;
    for (let j = from, to = Math.min(from + 4096, time.length); j < to; j++) {
      const deviation = Math.abs(time[j] - idealTime[j]);
      if (Number.isNaN(deviation)) continue;
      deviations[count++] = deviation;
      block += deviation;
      if (deviation > max) max = deviation;
    }
    total += block;
  }
  if (count === 0) return null;
  const rank = Math.max(0, Math.ceil(0.95 * count) - 1);
  return { mean: total / count, p95: select(deviations.subarray(0, count), rank), max };
}

/** The value of the given rank (from 0); reorders the values. Expected O(n). */
function select(values: Float64Array, rank: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const a = values[from];
    const b = values[(from + to) >> 1];
    const c = values[to];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = from;
    let k = to;
    while (i <= k) {
      while (values[i] < pivot) i++;
      while (values[k] > pivot) k--;
      if (i <= k) {
        const v = values[i];
        values[i++] = values[k];
        values[k--] = v;
      }
    }
    if (rank <= k) to = k;
    else if (rank >= i) from = i;
    else break;
  }
  return values[rank];
}

/** How many tasks each crawler runs. O(n). */
export function tasksPerCrawler(grid: SlotGrid, { crawler }: Placement): Int32Array {
  const counts = new Int32Array(grid.slotCounts.length);
  for (let j = 0; j < crawler.length; j++) if (crawler[j] !== dropped) counts[crawler[j]]++;
  return counts;
}
