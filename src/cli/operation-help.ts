/** `--help` of an operation, from its schemas. */
import type { Operation } from '../operations/operation.ts';
import { solveOptions, twoColumns, wrapped } from './help.ts';
import { answerJsonSchema, isSchema, requestJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf } from './schema-fields.ts';

function fieldLines(fields: readonly Field[], width: number, sayRequired: boolean): string {
  return fields
    .map(({ depth, name, required, type, description }) => {
      const indent = 2 + 2 * depth;
      const head = wrapped(`${name}${required && sayRequired ? ' (required)' : ''}: ${type}`, width, indent);
      return description === '' ? head : `${head}\n${wrapped(description, width, indent + 4)}`;
    })
    .join('\n');
}

/** Help on an operation. */
export function operationHelp(operation: Operation, width: number): string {
  const answer = answerJsonSchema(operation.answerSchema);
  const properties = isSchema(answer.properties) ? answer.properties : {};
  const own = Object.keys(properties).filter(
    (name) => !['status', 'objective', 'warnings', 'statistics', 'conflict'].includes(name),
  );
  const answerFields = fieldsOf({ properties: Object.fromEntries(own.map((name) => [name, properties[name]])) });
  const examples = operation.examples.map(({ name, summary }): [string, string] => [name, summary]);
  return `${wrapped(`${operation.name}: ${operation.summary}`, width, 0)}

Usage
  crawl-optimizer ${operation.name} [file ...]
  crawl-optimizer ${operation.name} --example | crawl-optimizer ${operation.name}

${wrapped(operation.description, width, 0)}

Options
${twoColumns(solveOptions, width)}

Request
${fieldLines(fieldsOf(requestJsonSchema(operation.requestSchema)), width, true)}

Answer (beside status, objective, warnings and statistics; when infeasible: conflict)
${fieldLines(answerFields, width, false)}

Examples (--example <name>)
${twoColumns(examples, width)}
`;
}
