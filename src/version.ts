import { readFileSync } from 'node:fs';

/**
 * The folder of the package, which holds src, dist and examples: the parent of this file's folder, compiled or not.
 */
export const packageFolder = new URL('..', import.meta.url);

const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'));

/** The version in package.json. */
export const version: string =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
