/** Spans and moments in words, for warnings and conflicts: `45 s`, `6 h`, `2.5 d`. */
export function duration(seconds: number): string {
  const [unit, size] =
    seconds >= 86_400 ? ['d', 86_400] : seconds >= 3600 ? ['h', 3600] : seconds >= 60 ? ['min', 60] : ['s', 1];
  return `${Number((seconds / Number(size)).toPrecision(3))} ${unit}`;
}

/** `in the next 6 h`, `in the next day`. */
export const inTheNext = (seconds: number): string => `in the next ${duration(seconds).replace(/^1 d$/, 'day')}`;

/** Epoch seconds → `2026-06-11 14:05:09 UTC`. */
export const utc = (epochSeconds: number): string =>
  `${new Date(1000 * epochSeconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
