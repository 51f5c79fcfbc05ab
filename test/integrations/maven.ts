/**
 * Maven on the Java parts of the project. What it would have to fetch and cannot is no failure: such a run is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type MavenRun =
  | { readonly kind: 'ran'; readonly passed: boolean; readonly output: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** What Maven says when an artifact is neither here nor to be had. */
const notThere = /Could not (resolve|transfer|find artifact)|Cannot access .* in offline mode|was not found in/;

/**
 * Runs Maven without the network; where an artifact is missing and FETCH_MAVEN is set, once more with it.
 *
 * @param seconds largest time of a run
 */
export function maven(words: readonly string[], seconds = 240): MavenRun {
  const run = (offline: boolean) =>
    spawnSync('mvn', [...(offline ? ['-o'] : []), '-q', '-B', ...words], {
      encoding: 'utf8',
      timeout: seconds * 1000,
      maxBuffer: 1 << 26,
    });
  let result = run(true);
  if (result.error !== undefined && 'code' in result.error && result.error.code === 'ENOENT') {
    return { kind: 'unavailable', why: 'Maven is not installed' };
  }
  let output = `${result.stdout}${result.stderr}`;
  if (result.status !== 0 && notThere.test(output) && process.env.FETCH_MAVEN !== undefined) {
    result = run(false);
    output = `${result.stdout}${result.stderr}`;
  }
  if (result.error !== undefined) return { kind: 'unavailable', why: `Maven did not end within ${seconds} s` };
  if (result.status !== 0 && notThere.test(output)) {
    return { kind: 'unavailable', why: 'Maven has not all artifacts; FETCH_MAVEN=1 lets it fetch them' };
  }
  return { kind: 'ran', passed: result.status === 0, output };
}

export interface JavaTest {
  readonly name: string;
  readonly passed: boolean;
}

/** The tests of a module, as Maven's surefire reports them. */
export function javaTests(module: string): readonly JavaTest[] {
  const folder = resolve(module, 'target/surefire-reports');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.startsWith('TEST-'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const cases = text.matchAll(/<testcase name="(\w+)"[^>]*?(\/>|>([\s\S]*?)<\/testcase>)/g);
      return Array.from(cases, ([, name, , body = '']) => ({ name, passed: !/<(failure|error|skipped)\b/.test(body) }));
    });
}
