/** Writes openapi/openapi.json. With --check, it fails when what is committed differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const documentFile = fileURLToPath(new URL('../openapi/openapi.json', import.meta.url));

/** Longest line of the page, in characters. */
const lineLength = 200;

/**
 * The value as JSON text, a line for each member that does not fit on one with the others, so that a change shows as a
 * line or two. Examples, which are files of their own, take a line each.
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
