/** `--help` of an operation, from its schemas: one line a field, the documents say the rest. */
import type { Operation } from '../../operations/operation.ts';
import { alternatives, listNamed, partOf, rowsOf, tagOf, text, typeInWords, unitInWords } from '../field-words.ts';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from '../json-schema.ts';
import { optionRows, twoColumns, wrapped } from '../options.ts';
import { solveOptions } from './solve-options.ts';

/** What every answer has around its own fields. */
const common = ['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict', 'sweep'];

/** The objects that may stand in a field: its own form, its rows, its variants; shared parts are left to the documents. */
function objectsIn(schema: JsonSchema): JsonSchema[] {
  return alternatives(schema)
    .filter((form) => form.title !== 'Columns' && partOf(form) === '')
    .flatMap((form) => {
      if (isSchema(form.properties)) return [form];
      const inner = rowsOf(form) ?? (alternatives(form)[0] === form ? undefined : form);
      return inner === undefined ? [] : objectsIn(inner);
    });
}

interface Style {
  readonly timeUnit: string | undefined;
  readonly width: number;
  /** Of a request: which fields cannot be left out. */
  readonly marksRequired: boolean;
}

/** A line a field, and below it a line for each of its own, `levels` deep. */
function fieldLines({ properties, required }: JsonSchema, style: Style, levels: number, indent = 2): string[] {
  const { timeUnit, width, marksRequired } = style;
  const needed = marksRequired && Array.isArray(required) ? required : [];
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isSchema(property) || 'const' in property) return [];
    const below = levels === 0 || partOf(property) !== '' ? [] : objectsIn(property);
    const type = listNamed(name, property) ?? typeInWords(property);
    const kind = [
      below.length > 0 ? type.replace(/^\{.*\}/, 'object') : type,
      unitInWords(property, timeUnit),
      property.default === undefined ? '' : `default ${JSON.stringify(property.default)}`,
    ].filter((part) => part !== '');
    const mark = needed.includes(name) && property.default === undefined ? ' (required)' : '';
    const meaning = text(property.description).replaceAll(/\s+/g, ' ');
    const line = `${' '.repeat(indent)}${name}${mark}: ${[kind.join('; '), meaning].filter((part) => part !== '').join(' · ')}`;
    const inner = below.flatMap((form) => {
      const tag = below.length > 1 ? tagOf(form) : undefined;
      const lines = fieldLines(form, style, levels - 1, indent + 2);
      return tag === undefined ? lines : [`${' '.repeat(indent + 2)}${tag}`, ...lines.map((each) => `  ${each}`)];
    });
    return [line.length <= width ? line : `${line.slice(0, width - 1)}…`, ...inner];
  });
}

export function operationHelp(operation: Operation, width: number): string {
  const { name, summary, description, timeUnit, examples } = operation;
  const { properties } = answerJsonSchema(operation.answerSchema);
  const { solution, ...others } = isSchema(properties) ? properties : {};
  const extra = Object.fromEntries(Object.entries(others).filter(([field]) => !common.includes(field)));
  const style = { timeUnit, width, marksRequired: false };
  const answer = solution === undefined ? [] : fieldLines({ properties: { solution } }, style, 1);
  return `${wrapped(`${name}: ${summary}`, width, 0)}

Usage
  crawl-optimizer ${name} [file ...]
  crawl-optimizer ${name} --example | crawl-optimizer ${name}

${wrapped(description.split('\n\n')[0], width, 0)}

Request
${fieldLines(requestJsonSchema(operation.requestSchema), { ...style, marksRequired: true }, 1).join('\n')}

Answer (beside status, summary, objective, warnings and statistics; when infeasible: conflict)
${[...answer, ...fieldLines({ properties: extra }, style, 0)].join('\n')}

Laws and other parts, and what lies deeper: docs/${name}.md and openapi/openapi.json

Options
${twoColumns(optionRows(solveOptions), width)}

Examples (--example <name>)
${twoColumns(
  examples.map((example) => [example.name, example.summary]),
  width,
)}
`;
}
