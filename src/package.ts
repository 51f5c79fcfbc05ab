/** What comes with the package: its version, and the runnable requests of examples/ with their answers. */
import { readFileSync } from 'node:fs';
import type { Example } from './operations/operation.ts';

/** The folder of the package, which holds src, dist and examples: the parent of this file's, compiled or not. */
export const packageFolder = new URL('..', import.meta.url);

const readText = (path: string): string => readFileSync(new URL(path, packageFolder), 'utf8');

export const { version }: { readonly version: string } = JSON.parse(readText('package.json'));

export const exampleRequest = ({ name }: Example): unknown => JSON.parse(readText(`examples/${name}.json`));

export const exampleAnswer = ({ name }: Example): unknown => JSON.parse(readText(`examples/${name}.answer.json`));
