/** What is installed of the engines that the project itself does without. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of a package below test/engines, as an address to import; null where the package is not installed. */
export function findPackage(name: string, entry: string): string | null {
  const file = new URL(`node_modules/${name}/${entry}`, import.meta.url);
  return existsSync(fileURLToPath(file)) ? file.href : null;
}
