/** The numbers of an answer that the contract says to read first, and the columns of its lists. */
import type { Answer } from '../api/answer.ts';
import { isRecord, type Schema } from '../api/json.ts';
import { valueAt } from '../api/read.ts';
import { type Meaning, meaningOf, spellName } from './meaning.ts';
import { flattenForms, isNumeric, propertiesOf } from './schema.ts';

interface AnswerField {
  readonly path: readonly string[];
  readonly meaning: Meaning;
}

const isScalar = (schema: Schema): boolean => {
  const forms = flattenForms(schema).filter((form) => form.type !== 'null');
  return forms.length > 0 && forms.every(isNumeric);
};

/** The property of an object schema, in whichever of its forms has it. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  for (const form of flattenForms(schema)) {
    const property = isRecord(form.properties) ? form.properties[name] : undefined;
    if (isRecord(property)) return property;
  }
  return undefined;
}

/** A number inside a part of the answer is called after the part and itself: `deviation, mean`. */
const labelByPart = (path: readonly string[], meaning: Meaning): Meaning => {
  const part = path.slice(1).map(spellName).join(', ');
  return part === '' ? meaning : { ...meaning, label: `${part}, ${meaning.label}` };
};

/** The numbers below a schema of an answer that are read first, in its order; those of rows are not among them. */
function firstBelow(schema: Schema, path: readonly string[], isFirst = false): AnswerField[] {
  return flattenForms(schema).flatMap((form) =>
    propertiesOf(form).flatMap(({ name, schema: inner }): AnswerField[] => {
      const meaning = meaningOf(name, inner);
      const innerPath = [...path, name];
      const isRead = isFirst || meaning.role === 'first';
      if (!isScalar(inner)) return firstBelow(inner, innerPath, isRead);
      return isRead ? [{ path: innerPath, meaning: labelByPart(path, meaning) }] : [];
    }),
  );
}

/** Fields at the top of every answer, which other views show. */
const envelope = ['status', 'summary', 'objective', 'conflict', 'warnings', 'statistics'];

/** The numbers to read first that an answer has, in the order of its schema. */
export function firstFields(schema: Schema, answer: Answer): AnswerField[] {
  const fields = propertiesOf(schema)
    .filter(({ name }) => !envelope.includes(name))
    .flatMap(({ name, schema: inner }) => firstBelow(inner, [name]));
  const isNew = ({ path }: AnswerField, i: number): boolean =>
    fields.findIndex((each) => each.path.join('/') === path.join('/')) === i;
  return dropSharedParts(
    fields.filter((field, i) => isNew(field, i) && Number.isFinite(valueAt(answer, ...field.path))),
  );
}

/**
 * Drops a first or last part that all labels share, if there are three labels or all have three parts:
 * `measures, delay, mean` and `measures, loss, mean` become `delay` and `loss`.
 */
function dropSharedParts(fields: readonly AnswerField[]): AnswerField[] {
  const parts = fields.map(({ meaning }) => meaning.label.split(', '));
  const minDepth = Math.min(...parts.map(({ length }) => length)) - 1;
  const alike = (k: number): boolean =>
    (fields.length > 2 || minDepth > 1) && parts.every((each) => each.at(k) === parts[0].at(k));
  const first = minDepth > 0 && alike(0) ? 1 : 0;
  const last = minDepth > first && alike(-1) ? 1 : 0;
  return fields.map(({ path, meaning }, i) => {
    const label = parts[i].slice(first, parts[i].length - last).join(', ');
    return { path, meaning: { ...meaning, label } };
  });
}

/** The columns of a list of an answer, by the schema of its rows; empty where the schema is no list. */
export function columnsOf(schema: Schema): readonly { readonly name: string; readonly meaning: Meaning }[] {
  const rows = flattenForms(schema).find((form) => form.type === 'array' && isRecord(form.items));
  const items = isRecord(rows?.items) ? rows.items : {};
  return flattenForms(items).flatMap((form) =>
    propertiesOf(form).map(({ name, schema: inner }) => ({ name, meaning: meaningOf(name, inner) })),
  );
}
