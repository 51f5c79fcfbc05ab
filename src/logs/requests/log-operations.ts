/** Operations that take a crawl log as it is. */
export const logOperations: readonly string[] = ['crawl-plan', 'estimates/change-rates'];
