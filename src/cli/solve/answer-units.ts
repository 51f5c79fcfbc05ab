/** The units of an answer's numbers, by the schema of its operation. */
import { operationNamed } from '../find-operation.ts';
import { answerJsonSchema, isSchema, type JsonSchema } from '../json-schema.ts';

/** The unit of a column of a list, or, with the list '', of a figure; empty where it has none. */
export type UnitOf = (list: string, name: string) => string;

const formsOf = (schema: JsonSchema): JsonSchema[] =>
  [schema.anyOf, schema.oneOf, schema.allOf].flatMap((forms) => (Array.isArray(forms) ? forms.filter(isSchema) : []));

/** Whether a list of rows is among the forms. */
const isList = (schema: JsonSchema): boolean =>
  (schema.type === 'array' && isSchema(schema.items) && isSchema(schema.items.properties)) ||
  formsOf(schema).some(isList);

function collect(schema: JsonSchema, list: string, units: Map<string, string>): void {
  for (const form of formsOf(schema)) collect(form, list, units);
  if (isSchema(schema.items)) collect(schema.items, list, units);
  if (!isSchema(schema.properties)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isSchema(property)) continue;
    const unit = property['x-unit'];
    if (typeof unit === 'string') units.set(`${list}.${name}`, unit);
    collect(property, isList(property) ? name : list, units);
  }
}

/** @throws UsageError where there is no such operation */
export async function answerUnits(operation: string): Promise<UnitOf> {
  const { answerSchema, timeUnit } = await operationNamed(operation);
  const units = new Map<string, string>();
  collect(answerJsonSchema(answerSchema), '', units);
  const inSeconds = (unit: string): string =>
    timeUnit === undefined ? unit : unit.replace(/^time$/, timeUnit).replace(/^1\/time$/, '1/second');
  return (list, name) => inSeconds(units.get(`${list}.${name}`) ?? '');
}
