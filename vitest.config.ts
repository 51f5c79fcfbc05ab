import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts'],
    // By default one core of two stands idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is polled for is a state: a busy machine comes to it late.
    expect: { poll: { timeout: 60_000 } },
  },
});
