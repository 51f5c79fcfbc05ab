import { sortByTime } from './time-sort.ts';

const blockOfTasksBits = 12;

/**
 * The order in which the tasks are inserted. It is by decreasing weight, so that later searches displace only light
 * tasks and stay short. Within blocks of 4096 it is by time, so that neighbouring searches share the cache. O(n) for
 * spread keys.
 */
export function insertionOrder(weight: Float64Array, ideal: Float64Array, interval: number): Int32Array {
  const n = weight.length;
  const byWeight = heaviestFirst(weight);
  const block = new Int32Array(n);
  for (let i = 0; i < n; i++) block[byWeight[i]] = i >> blockOfTasksBits;
  const next = Int32Array.from({ length: (n >> blockOfTasksBits) + 1 }, (_, b) => b << blockOfTasksBits);
  const order = new Int32Array(n);
  const byTime = sortByTime(ideal, null, interval).order.id;
  for (let i = 0; i < n; i++) order[next[block[byTime[i]]]++] = byTime[i];
  return order;
}

/** The tasks by decreasing weight. O(n) for spread weights. */
export function heaviestFirst(weight: Float64Array): Int32Array {
  let heaviest = 0;
  for (let j = 0; j < weight.length; j++) if (weight[j] > heaviest) heaviest = weight[j];
  const lightness = weight.map((w) => heaviest - w);
  return sortByTime(lightness, null, heaviest).order.id;
}
