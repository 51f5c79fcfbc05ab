/** A request as a command or a program to copy. */
import type { JsonObject } from '../api/json.ts';
import { storedKey } from '../api/key.ts';
import { serviceUrl } from '../api/service-url.ts';

export const languages = ['curl', 'command line', 'Python', 'TypeScript'] as const;
export type Language = (typeof languages)[number];

/** Longer requests go through a file. */
const mostInline = 20_000;

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** JSON as a literal of Python: its three words are capitalised. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item, inner)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`;
}

/** For a POSIX shell. */
function curl(operation: string, body: string): string {
  const key = storedKey() ? " \\\n  -H 'X-API-Key: …'" : '';
  const head = `curl -s '${serviceUrl(`v1/${operation}`)}' \\\n  -H 'Content-Type: application/json'${key} \\\n`;
  if (body.length > mostInline) return `${head}  --data-binary @request.json`;
  return `${head}  -d '${body.replaceAll("'", "'\\''")}'`;
}

function commandLine(operation: string, body: string): string {
  if (body.length > mostInline) return `crawl-optimizer ${operation} request.json`;
  return `crawl-optimizer ${operation} <<'JSON'\n${body}\nJSON`;
}

function python(operation: string, request: JsonObject, inline: boolean): string {
  const body = inline ? pythonLiteral(request) : 'json.load(open("request.json"))';
  return [
    'import json',
    'import urllib.request',
    '',
    `body = ${body}`,
    'request = urllib.request.Request(',
    `    ${JSON.stringify(serviceUrl(`v1/${operation}`))},`,
    '    data=json.dumps(body).encode(),',
    '    headers={"Content-Type": "application/json"},',
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    answer = json.load(response)',
    'print(answer["status"], answer.get("objective"))',
    '',
  ].join('\n');
}

function typescript(operation: string, body: string, inline: boolean): string {
  const value = inline ? indented(body, '  ') : "JSON.parse(await readFile('request.json', 'utf8'))";
  return [
    ...(inline ? [] : ["import { readFile } from 'node:fs/promises';", '']),
    `const response = await fetch(${JSON.stringify(serviceUrl(`v1/${operation}`))}, {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: JSON.stringify(${value}),`,
    '});',
    'const answer = await response.json();',
    'console.log(answer.status, answer.objective);',
    '',
  ].join('\n');
}

/** The request in a language, ready to run. */
export function requestAs(language: Language, operation: string, request: JsonObject): string {
  const body = JSON.stringify(request, null, 2);
  const inline = body.length <= mostInline;
  switch (language) {
    case 'curl':
      return curl(operation, body);
    case 'command line':
      return commandLine(operation, body);
    case 'Python':
      return python(operation, request, inline);
    case 'TypeScript':
      return typescript(operation, body, inline);
  }
}
