/** Writes openapi/openapi.json. With --check, it fails when what is committed differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const documentFile = fileURLToPath(new URL('../openapi/openapi.json', import.meta.url));

/** Maximum line length of the document, characters. */
const lineLength = 200;

/**
 * JSON text with short objects and lists on one line, and one line for each member of longer ones, so that diffs are
 * small. An example takes one line, because examples/ has it as a file.
 */
function jsonText(value: unknown, indent = ''): string {
  const inline = JSON.stringify(value);
  if (inline === undefined || typeof value !== 'object' || value === null) return inline ?? 'null';
  if (indent.length + inline.length <= lineLength) return inline;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + jsonText(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(
      ([name, member]) =>
        `${inner}${JSON.stringify(name)}: ${name === 'value' ? JSON.stringify(member) : jsonText(member, inner)}`,
    );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

async function generateDocument(): Promise<string> {
  const { server } = await buildApp(readConfig({ LOG_LEVEL: 'silent', WORKERS: '1' }));
  await server.ready();
  const document = jsonText(server.swagger());
  await server.close();
  return `${document}\n`;
}

const documentText = await generateDocument();
if (!process.argv.includes('--check')) writeFileSync(documentFile, documentText);
else if (readFileSync(documentFile, 'utf8') !== documentText) {
  process.stderr.write('openapi/openapi.json differs from the schemas: npm run openapi\n');
  process.exitCode = 1;
}
