/**
 * Entry of the service. What the engine compiles is kept for the next start, beside the packages: nobody else writes there,
 * as somebody might into a folder for temporary files. Where it cannot be written, nothing is kept.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Only what is imported from here on is kept; the workers find the folder in their environment.
await import('./start.ts');
