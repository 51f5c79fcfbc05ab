/** Compiles src to dist and builds the console into dist/console, for the container and for users of the library. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
// Only the declarations keep their comments: editors show them from there.
for (const part of [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']]) {
  execFileSync('tsc', ['-p', 'tsconfig.build.json', ...part], { cwd: root, stdio: 'inherit' });
}
execFileSync(process.execPath, ['scripts/build-console.ts', 'dist/console'], { cwd: root, stdio: 'inherit' });
chmodSync(new URL('../dist/cli.js', import.meta.url), 0o755);
