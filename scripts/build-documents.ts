/**
 * Writes what the service sends at /openapi.json and /docs into the given folder: openapi/openapi.json without its
 * blanks, and Swagger UI with the document as it shows it. `npm run build` and the development server call it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCompressedForms } from './compressed-forms.ts';
import { writeSwaggerUi } from './documents/swagger-ui.ts';
import { uiDocument } from './documents/ui-document.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/build-documents.ts <folder>');

const source = new URL('../openapi/openapi.json', import.meta.url);
const document: Record<string, unknown> = JSON.parse(await readFile(source, 'utf8'));
await writeSwaggerUi(join(folder, 'docs'));
await writeFile(join(folder, 'docs/openapi.json'), JSON.stringify(uiDocument(document)));
await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
await writeCompressedForms(folder);
