/**
 * For tests that measure time: that a limit is kept at all, never how fast something is (bench/ says that). What their
 * host takes away holds up one try or another; what is too slow by itself is too slow every time.
 */
export const retries = { retry: 5 } as const;
