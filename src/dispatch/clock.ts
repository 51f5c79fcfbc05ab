const origin = performance.timeOrigin;

/** Milliseconds since the epoch, monotonic within a thread and comparable across threads. */
export const now = (): number => origin + performance.now();

/**
 * A solve past its deadline may take this long, and a tenth of its limit, to return its incumbent. Answers are promised
 * within a second and the tenth: what is left is for ending the worker and for the way back.
 */
const graceMs = 750;

/** When a request that arrived then is given up for good, milliseconds since the epoch. */
export const givenUpAt = (arrivedAt: number, timeLimitMs: number): number => arrivedAt + 1.1 * timeLimitMs + graceMs;
