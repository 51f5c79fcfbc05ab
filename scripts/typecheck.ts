/**
 * `npm run typecheck`: checks the types of every project here. Build information is cached in
 * node_modules/.cache, so that a second run checks only what has changed. Ends with 1 where a project does not
 * compile.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const projects = {
  all: 'tsconfig.json',
  solvers: 'tsconfig.solvers.json',
  console: 'src/console/tsconfig.json',
};
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

for (const [name, project] of Object.entries(projects)) {
  const buildInfo = `node_modules/.cache/typecheck/${name}.tsbuildinfo`;
  try {
    execFileSync(process.execPath, [compiler, '-p', project, '--incremental', '--tsBuildInfoFile', buildInfo], {
      stdio: 'inherit',
    });
  } catch {
    process.exitCode = 1;
  }
}
