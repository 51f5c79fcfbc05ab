/**
 * Keeps compiled code for the next start, in node_modules. A shared folder for temporary files would let others write
 * code there. Where the folder is read-only nothing is kept; Node 20 has no such cache.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Keeps the compiled code of everything imported after this call, in this process and in those it starts. */
export function keepCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}
