/** `--help` of an operation, from its schemas. */
import type { Operation } from '../operations/operation.ts';
import { twoColumns, wrapped } from './help.ts';
import { answerJsonSchema, isSchema, requestJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf } from './schema-fields.ts';

function fieldLines(fields: readonly Field[], width: number, sayRequired: boolean): string {
  return fields
    .map(({ depth, name, required, type, unit, fallback, description }) => {
      const indent = 2 + 2 * depth;
      const kind = [type, unit, fallback === '' ? '' : `default ${fallback}`].filter((part) => part !== '').join('; ');
      const title = `${name}${required && sayRequired ? ' (required)' : ''}${kind === '' ? '' : `: ${kind}`}`;
      // One line a field: a screen has to hold them, and the documents say the rest.
      const line = `${' '.repeat(indent)}${title}${description === '' ? '' : ` · ${description.replaceAll(/\s+/g, ' ')}`}`;
      return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
    })
    .join('\n');
}

export function operationHelp(operation: Operation, width: number): string {
  const { timeUnit } = operation;
  const answer = answerJsonSchema(operation.answerSchema);
  const properties = isSchema(answer.properties) ? answer.properties : {};
  const own = Object.keys(properties).filter(
    (name) => !['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict', 'sweep'].includes(name),
  );
  const request = fieldsOf(requestJsonSchema(operation.requestSchema), timeUnit, 1);
  const answered = fieldsOf(
    { properties: Object.fromEntries(own.map((name) => [name, properties[name]])) },
    timeUnit,
    1,
  );
  const examples = operation.examples.map(({ name, summary }): [string, string] => [name, summary]);
  return `${wrapped(`${operation.name}: ${operation.summary}`, width, 0)}

Usage
  crawl-optimizer ${operation.name} [file ...]
  crawl-optimizer ${operation.name} --example | crawl-optimizer ${operation.name}

${wrapped(operation.description.split('\n\n')[0], width, 0)}

Options: crawl-optimizer --help

Request
${fieldLines(request.fields, width, true)}

Answer (beside status, summary, objective, warnings and statistics; when infeasible: conflict)
${fieldLines(answered.fields, width, false)}

Laws and other parts, and what lies deeper: docs/${operation.name}.md and openapi/openapi.json

Examples (--example <name>)
${twoColumns(examples, width)}
`;
}
