/**
 * Runs the reference programs and compares what they print with the fixtures of the tests:
 * `node scripts/reference/compare.ts [name …]`. It is run by hand, since some take minutes and need Python 3 with mpmath 1.3. A program
 * in this folder is named after its fixture, `-` as `_`. It compares what a program
 * prints; what a paper prints is typed in by hand. Numbers agree to 1e−14 of their size, about the last digit of those
 * stored with fifteen. Exits with 1 where a program disagrees; fixtures without a program are named.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const fixtures = new URL('../../test/fixtures/', import.meta.url);
const defaultTolerance = 1e-14;
/** Stored from an elimination with pivoting, which leaves twelve digits of small probabilities. */
const tolerances: Readonly<Record<string, number>> = { 'activation-policy': 1e-12, 'threshold-policy': 1e-12 };

/** Where the stored value differs from what is printed, as paths with both. */
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
