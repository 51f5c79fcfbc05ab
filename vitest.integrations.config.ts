/**
 * `npm run test:integrations`: integrations, clients and incumbents that need more than Node: Maven, Go, Python
 * packages, PostgreSQL. What is not installed here is skipped by name.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/integrations/*.integration.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One after the other: each starts servers or a JVM of its own.
    fileParallelism: false,
  },
});
