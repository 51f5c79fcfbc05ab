/**
 * `npm run typecheck`: checks the types of every project here. What each found the last time is kept beside the
 * installed packages, so that a second run looks at what has changed alone. Ends with 1 where a project does not
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
