/**
 * Runs the reference programs and compares their output with the fixtures of the tests:
 * `node scripts/reference/compare.ts [name …]`. It is run by hand, since some programs take minutes and need Python 3 with
 * mpmath 1.3. A program has the name of its fixture, with `_` for `-`. Values printed in papers are typed in by hand and
 * not compared. Numbers must agree to 1e−14 relative, about the last of fifteen digits. Exits with 1 if a program
 * disagrees; lists fixtures without a program.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const fixtures = new URL('../../test/fixtures/', import.meta.url);
const defaultTolerance = 1e-14;
/** Relative tolerances of fixtures from elimination with pivoting, which keeps twelve digits of small probabilities. */
const tolerances: Readonly<Record<string, number>> = { 'activation-policy': 1e-12, 'threshold-policy': 1e-12 };

/** Differences between a stored and a printed value: lines with the path and both numbers. */
function differences(stored: unknown, printed: unknown, path: string, tolerance: number): string[] {
  if (typeof stored === 'number' && typeof printed === 'number') {
    const close = Math.abs(stored - printed) <= tolerance * Math.max(Math.abs(stored), Math.abs(printed));
    return close ? [] : [`${path}: stored ${stored}, printed ${printed}`];
  }
  if (typeof stored === 'object' && stored !== null && typeof printed === 'object' && printed !== null) {
    const a = new Map(Object.entries(stored));
    const b = new Map(Object.entries(printed));
    return [...b].flatMap(([name, value]) => differences(a.get(name), value, `${path}/${name}`, tolerance));
  }
  return stored === printed ? [] : [`${path}: stored ${JSON.stringify(stored)}, printed ${JSON.stringify(printed)}`];
}

const names = readdirSync(fixtures)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));
const requestedNames = process.argv.slice(2);
const namesWithoutProgram: string[] = [];
let mismatchCount = 0;
for (const name of requestedNames.length > 0 ? requestedNames : names) {
  const program = new URL(`${name.replaceAll('-', '_')}.py`, folder);
  if (!existsSync(program)) {
    namesWithoutProgram.push(name);
    continue;
  }
  const output: unknown = JSON.parse(
    execFileSync('python3', [program.pathname], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e9,
    }),
  );
  const fixture: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), 'utf8'));
  const mismatches = differences(fixture, output, '', tolerances[name] ?? defaultTolerance);
  console.log(`${name}: ${mismatches.length === 0 ? 'agrees' : `${mismatches.length} differences`}`);
  for (const line of mismatches.slice(0, 10)) console.log(`  ${line}`);
  if (mismatches.length > 0) mismatchCount++;
}
if (namesWithoutProgram.length > 0) console.log(`no program: ${namesWithoutProgram.join(', ')}`);
process.exitCode = mismatchCount > 0 ? 1 : 0;
