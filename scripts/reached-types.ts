/**
 * Deletes the declarations that no entry of the package leads to: a user's compiler never opens them, and they are
 * more than half of all.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ending = '.d.ts';
const reference = /["'](\.\.?\/[^"']+)\.[jt]s["']/g;

/** The declarations that those of the entries refer to, themselves and through others. */
export function reachedTypes(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(reference)) {
      open.push(join(dirname(file), `${target}${ending}`));
    }
  }
  return reached;
}

/** Deletes all other declarations below the folder; those kept lose their indentation. */
export function keepReachedTypes(folder: string): void {
  const solvers = readdirSync(join(folder, 'solvers')).map((name) => join(folder, 'solvers', name, `index${ending}`));
  const reached = reachedTypes([join(folder, `index${ending}`), join(folder, 'crawlee', `index${ending}`), ...solvers]);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!name.endsWith(ending)) continue;
    if (reached.has(file)) writeFileSync(file, readFileSync(file, 'utf8').replace(/^ +/gm, ''));
    else rmSync(file);
  }
}
