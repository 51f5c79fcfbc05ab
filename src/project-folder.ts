/** The folder that holds src, dist, examples and package.json: found from beside this file, compiled, bundled or not. */
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
