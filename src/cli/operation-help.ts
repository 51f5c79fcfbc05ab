/** `--help` of an operation, from its schemas. */
import type { Operation } from '../operations/operation.ts';
import { solveOptions, twoColumns, wrapped } from './help.ts';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf, fieldsOfPart } from './schema-fields.ts';

function fieldLines(fields: readonly Field[], width: number, sayRequired: boolean): string {
  return fields
    .map(({ depth, name, required, type, unit, fallback, description }) => {
      const indent = 2 + 2 * depth;
      const kind = [type, unit, fallback === '' ? '' : `default ${fallback}`].filter((part) => part !== '').join('; ');
      const title = `${name}${required && sayRequired ? ' (required)' : ''}${kind === '' ? '' : `: ${kind}`}`;
      const head = wrapped(title, width, indent);
      return description === '' ? head : `${head}\n${wrapped(description, width, indent + 4)}`;
    })
    .join('\n');
}

/** The shared parts, each once, in the order in which they are met. */
function partLines(parts: ReadonlyMap<string, JsonSchema>, width: number, timeUnit: string | undefined): string {
  const known = new Map(parts);
  const lines: string[] = [];
  for (const [name, schema] of known) {
    const { fields, parts: further } = fieldsOfPart(schema, timeUnit);
    for (const [other, inner] of further) if (!known.has(other)) known.set(other, inner);
    const { description } = schema;
    const head = typeof description === 'string' ? `${name}: ${description}` : name;
    lines.push(`\n${wrapped(head, width, 0)}\n${fieldLines(fields, width, true)}\n`);
  }
  return lines.join('');
}

export function operationHelp(operation: Operation, width: number): string {
  const { timeUnit } = operation;
  const answer = answerJsonSchema(operation.answerSchema);
  const properties = isSchema(answer.properties) ? answer.properties : {};
  const own = Object.keys(properties).filter(
    (name) => !['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict'].includes(name),
  );
  const request = fieldsOf(requestJsonSchema(operation.requestSchema), timeUnit);
  const answered = fieldsOf({ properties: Object.fromEntries(own.map((name) => [name, properties[name]])) }, timeUnit);
  const examples = operation.examples.map(({ name, summary }): [string, string] => [name, summary]);
  return `${wrapped(`${operation.name}: ${operation.summary}`, width, 0)}

Usage
  crawl-optimizer ${operation.name} [file ...]
  crawl-optimizer ${operation.name} --example | crawl-optimizer ${operation.name}

${wrapped(operation.description, width, 0)}

Options
${twoColumns(solveOptions, width)}

Request
${fieldLines(request.fields, width, true)}

Answer (beside status, summary, objective, warnings and statistics; when infeasible: conflict)
${fieldLines(answered.fields, width, false)}
${partLines(new Map([...request.parts, ...answered.parts]), width, timeUnit)}
Examples (--example <name>)
${twoColumns(examples, width)}
`;
}
