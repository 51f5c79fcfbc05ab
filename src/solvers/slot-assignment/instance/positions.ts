/** 0, 1, …, count − 1. O(count); a loop: ten million positions take seconds by Int32Array.from. */
export function positions(count: number): Int32Array {
  const result = new Int32Array(count);
  for (let i = 0; i < count; i++) result[i] = i;
  return result;
}
