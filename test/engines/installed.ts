/** What is installed of the engines that the project itself does without. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The entry of a package below test/engines, as an address to import; null where it is not installed. */
export function installed(name: string): string | null {
  const folder = new URL(`node_modules/${name}/`, import.meta.url);
  return existsSync(fileURLToPath(folder)) ? new URL('index.mjs', folder).href : null;
}
