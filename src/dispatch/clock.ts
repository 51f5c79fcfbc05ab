/** Milliseconds since the epoch, monotonic within a thread and comparable across threads. */
export const now = (): number => performance.timeOrigin + performance.now();
