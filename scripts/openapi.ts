/** Writes openapi/openapi.json. With --check, it fails when what is committed differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { jsonText } from './json-text.ts';

const documentFile = fileURLToPath(new URL('../openapi/openapi.json', import.meta.url));

async function generateDocument(): Promise<string> {
  const { server } = await buildApp(readConfig({ LOG_LEVEL: 'silent', WORKERS: '1' }));
  await server.ready();
  const document = jsonText(server.swagger());
  await server.close();
  return `${document}\n`;
}

const check = process.argv.includes('--check');
const documentText = await generateDocument();
if (check) {
  if (readFileSync(documentFile, 'utf8') !== documentText) {
    process.stderr.write(
      'openapi/openapi.json differs from the schemas: run `npm run openapi` and commit the result\n',
    );
    process.exit(1);
  }
  process.stdout.write('openapi/openapi.json is up to date\n');
} else {
  writeFileSync(documentFile, documentText);
}
