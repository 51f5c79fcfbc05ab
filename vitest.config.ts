import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Folders of which no test changes what another could see: they share their processes, and load what they test once.
 */
const pure = [
  'contract',
  'dispatch',
  'http',
  'logs',
  'papers',
  'properties',
  'replay',
  'schemas',
  'solvers',
  'statements',
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    setupFiles: ['test/property-seed.ts'],
    // By default one core of two stands idle. Half as many processes again as cores were no faster.
    maxWorkers: '100%',
    // Modules as Node loads them: as Vite rewrites them, every call of an imported function is a look-up. No test mocks
    // one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What is waited for is a state: a busy machine comes to it late.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Workers, servers and command lines that tests start find there what those before them compiled: as
    // src/compile-cache.ts.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'], exclude: pure } },
    ],
  },
});
