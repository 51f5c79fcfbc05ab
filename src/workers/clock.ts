const origin = performance.timeOrigin;

/** Milliseconds since the epoch, monotonic within a process. */
export const now = (): number => origin + performance.now();
