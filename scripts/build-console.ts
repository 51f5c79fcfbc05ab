/**
 * Builds the console (src/console) with Vite into the given folder; `npm run build` and the development server call it.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { writeCompressedForms } from './compressed-forms.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/build-console.ts <folder>');

// whoever builds it, a test too: views are compiled without their places in the source
process.env.NODE_ENV = 'production';
await build({
  configFile: false,
  root: fileURLToPath(new URL('../src/console', import.meta.url)),
  // Relative addresses: the console also works behind a proxy that serves the service under a path of its own.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: resolve(folder),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1000,
    // Scripts and styles as files of their own, never inline: the content security policy knows no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

await writeCompressedForms(folder);
