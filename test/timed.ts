/**
 * For tests that measure time. A busy machine, or one whose host takes its processors away, holds up one try or
 * another. What is too slow by itself is too slow every time.
 */
export const timed = { retry: 5 } as const;
