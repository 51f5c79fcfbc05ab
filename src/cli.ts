#!/usr/bin/env node
/** Entry of the command line. */
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
// The reader of the pipe (`| head`) has closed it, which is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`crawl-optimizer: the answer cannot be written: ${error.message}\n`);
  process.exit(4);
});
const { runCommandLine } = await import('./cli/index.ts');
process.exitCode = await runCommandLine(process.argv.slice(2), {
  runTables: async (words) => (await import('./tables/index.ts')).runTables(words, process.stdout, process.stderr),
  serve: () => import('./server.ts'),
});
