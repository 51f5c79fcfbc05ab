import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const files = (folders: readonly string[]): string[] => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** No test of these folders changes what another could see: they share processes, and load each module once. */
const unit = files([
  'contract',
  'crawlee',
  'logs',
  'papers',
  'properties',
  'replay',
  'schemas',
  'solvers',
  'statements',
]);

/** Engines, crawlers and languages beside Node. What is not installed is skipped by name. */
const long = files(['engines', 'integrations']);

export default defineConfig({
  test: {
    setupFiles: ['test/property-seed.ts'],
    maxWorkers: '100%',
    // Node loads the modules: rewritten by Vite, every call of an imported function would be a look-up.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Processes that tests start share what was compiled before (src/compile-cache.ts).
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    projects: [
      { extends: true, test: { name: 'unit', include: unit, isolate: false } },
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'], exclude: [...unit, ...long] } },
      // One file after the other: each starts servers or a JVM of its own.
      { extends: true, test: { name: 'long', include: long, fileParallelism: false } },
    ],
  },
});
