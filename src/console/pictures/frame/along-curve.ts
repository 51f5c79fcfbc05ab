/** Places along a curve of points, from one axis to the other. */

/** The value at a place along the points, where 1.5 is half way between the second and the third. */
export function valueAt(values: readonly number[], place: number): number {
  const k = Math.min(values.length - 2, Math.floor(place));
  return values[k] + (place - k) * (values[k + 1] - values[k]);
}

/** The place along the points at which a value is reached. */
export function placeOf(values: readonly number[], value: number): number {
  const last = values.length - 1;
  const rises = values[last] > values[0];
  const before = (k: number): boolean => (rises ? values[k] <= value : values[k] >= value);
  let k = 0;
  while (k < last - 1 && before(k + 1)) k++;
  const step = values[k + 1] - values[k];
  return k + (step === 0 ? 0 : Math.max(0, Math.min(1, (value - values[k]) / step)));
}
