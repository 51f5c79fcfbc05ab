/**
 * `npm run test:engines`: the statements on database servers that are installed here; those that are not are skipped by
 * name.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/engines/*.engine.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
