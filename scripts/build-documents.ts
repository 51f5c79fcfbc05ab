/**
 * Writes what the service sends at /openapi.json and /docs into the given folder: openapi/openapi.json without its
 * blanks, and Swagger UI, which shows that same document. `npm run build` and the development server call it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCompressedForms } from './compressed-forms.ts';
import { writeSwaggerUi } from './swagger-ui.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/build-documents.ts <folder>');

const source = new URL('../openapi/openapi.json', import.meta.url);
const document: Record<string, unknown> = JSON.parse(await readFile(source, 'utf8'));
await writeSwaggerUi(join(folder, 'docs'));
await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
await writeCompressedForms(folder);
