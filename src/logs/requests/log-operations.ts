/** Operations that accept a crawl log as the request body. */
export const logOperations: readonly string[] = ['crawl-plan', 'estimates/change-rates'];
