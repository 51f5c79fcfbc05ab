/** Seconds in words, for warnings: `45 s`, `6 h`, `2.5 d`. */
export function duration(seconds: number): string {
  const [unit, size] =
    seconds >= 86_400 ? ['d', 86_400] : seconds >= 3600 ? ['h', 3600] : seconds >= 60 ? ['min', 60] : ['s', 1];
  return `${Number((seconds / Number(size)).toPrecision(3))} ${unit}`;
}
