/**
 * A field of the form: label, the control that fits its schema, its description, and the errors of its value.
 */
import { useState } from 'preact/hooks';
import type { Json, Schema } from '../api/json.ts';
import { isRecord, propertyAt } from '../api/json.ts';
import { textAt } from '../api/read.ts';
import { kindOf, meaningOf, unitInWords } from '../contract/meaning.ts';
import { constantOf, type Property } from '../contract/schema.ts';
import { Choice } from '../words/choice.tsx';
import { fieldKind, sampleOf, sampleVariant, type Variant, variantAt } from './field-kind.ts';
import { type ControlIds, RemarkList, Row } from './field-row.tsx';
import { JsonInput, NumberInput, NumbersInput, WordsInput } from './number-input.tsx';
import { defaultInWords } from './number-text.ts';
import { type Path, pointerOf, type Remarks, remarksAt, remarksBelow, withValue } from './pointer.ts';
import { TableInput } from './table-input.tsx';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly path: Path;
  readonly value: Json | undefined;
  readonly remarks: Remarks;
  readonly onChange: (path: Path, value: Json | undefined) => void;
}

/** Hint with the accepted spellings of a time, shown with the refusal of any other text. */
const timeHint: Remarks = [{ pointer: '', detail: 'It may be written as 90m, 6h, 2d.', level: 'warning' }];

export function Field(props: FieldProps) {
  const { name, schema, required, path, value, remarks, onChange } = props;
  const kind = fieldKind(schema);
  if (kind.kind === 'variants') return <Variants {...props} variants={kind.variants} />;
  if (kind.kind === 'object') return <Group {...props} properties={kind.properties} />;
  const pointer = pointerOf(path);
  const own = remarksBelow(remarks, pointer);
  const meaning = meaningOf(name, schema);
  const set = (next: Json | undefined) => onChange(path, next);
  const isTextOfSpan = kind.kind === 'number' && typeof value === 'string' && kindOf(meaning) === 'span';
  const control = (ids: ControlIds) => {
    const { input, descriptionId, invalid } = ids;
    const attributes = { id: input, 'aria-describedby': descriptionId, 'aria-invalid': invalid || undefined };
    switch (kind.kind) {
      case 'number': {
        const { integer } = kind;
        const hint = schema.default === undefined ? kind.hint : defaultInWords(schema.default, meaning);
        return (
          <NumberInput {...ids} value={value} integer={integer} meaning={meaning} placeholder={hint} onChange={set} />
        );
      }
      case 'text':
        return (
          <input
            {...attributes}
            value={textAt(value)}
            onInput={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
          />
        );
      case 'flag':
      case 'choice': {
        const words = kind.kind === 'flag' ? ['true', 'false'] : kind.words;
        const fallback = schema.default === undefined ? 'not given' : `default: ${String(schema.default)}`;
        const parse = (word: string): Json => (kind.kind === 'flag' ? word === 'true' : word);
        return (
          <Choice
            {...attributes}
            options={[...(required && value !== undefined ? [] : [['', fallback] as const]), ...words]}
            value={value === undefined ? '' : String(value)}
            onChoose={(word) => set(word === '' ? undefined : parse(word))}
          />
        );
      }
      case 'words':
        return <WordsInput {...ids} words={kind.words} value={value} onChange={set} />;
      case 'numbers':
      case 'matrix':
        return <NumbersInput {...ids} value={value} rows={kind.kind === 'matrix'} onChange={set} />;
      case 'table':
        return (
          <TableInput
            {...ids}
            columns={isRecord(value) ? kind.formColumns : kind.columns}
            value={value}
            remarks={remarks}
            path={path}
            onChange={onChange}
            editor={({ column, path: at, value: cell, onChange: setCell }) => (
              <Field
                name={column.name}
                schema={column.schema}
                required
                path={at}
                value={cell ?? undefined}
                remarks={remarks}
                onChange={(inner, next) => setCell(withValue(cell ?? undefined, inner.slice(at.length), next))}
              />
            )}
          />
        );
      case 'json':
        return <JsonInput {...ids} value={value} onChange={set} />;
    }
  };
  return (
    <Row
      label={meaning.label}
      unit={unitInWords(meaning)}
      name={pointer}
      required={required}
      description={textAt(schema.description)}
      remarks={own.length > 0 && isTextOfSpan ? [...own, ...timeHint] : kind.kind === 'table' ? own.slice(0, 5) : own}
      wide={['numbers', 'matrix', 'table', 'json'].includes(kind.kind)}
    >
      {control}
    </Row>
  );
}

/** A value with several forms: the choice of a form, and the fields of that form. */
function Variants(props: FieldProps & { readonly variants: readonly Variant[] }) {
  const { name, schema, required, path, value, remarks, onChange, variants } = props;
  const current = variantAt(variants, value);
  const variant = variants[current];
  const pointer = pointerOf(path);
  const own = remarksAt(remarks, pointer).concat(
    variant?.tag ? remarksAt(remarks, `${pointer}/${variant.tag.property}`) : [],
  );
  const inner = variant && fieldKind(variant.schema);
  return (
    <div class="group">
      <Row
        label={meaningOf(name, schema).label}
        name={pointer}
        required={required}
        description={textAt(schema.description)}
        remarks={own}
      >
        {({ input, descriptionId, invalid }) => (
          <Choice
            id={input}
            aria-describedby={descriptionId}
            aria-invalid={invalid || undefined}
            options={[
              ...(required && current >= 0 ? [] : [['-1', value === undefined ? 'not given' : 'other'] as const]),
              ...variants.map(({ label }, position) => [String(position), label] as const),
            ]}
            value={String(current)}
            onChoose={(position) => {
              const next = variants[Number(position)];
              onChange(path, next === undefined ? undefined : sampleVariant(next, value));
            }}
          />
        )}
      </Row>
      {inner?.kind === 'object' ? (
        <Fields {...props} properties={inner.properties} />
      ) : variant &&
        inner &&
        inner.kind !== 'json' &&
        variant.schema.type !== 'null' &&
        constantOf(variant.schema) === undefined ? (
        <Field {...props} name={variant.label} schema={variant.schema} />
      ) : value !== undefined && value !== null && (variant === undefined || inner?.kind === 'json') ? (
        <JsonInput
          input={`${pointer}-json`}
          descriptionId=""
          invalid={false}
          value={value}
          onChange={(next) => onChange(path, next)}
        />
      ) : null}
    </div>
  );
}

/** An object with fields of its own; an optional one can be switched off. */
function Group(props: FieldProps & { properties: readonly Property[] }) {
  const { name, schema, required, path, value, remarks, onChange, properties } = props;
  const own = remarksAt(remarks, pointerOf(path));
  const hasValue = value !== undefined;
  return (
    <fieldset class="group">
      <legend title={name}>
        {required ? (
          meaningOf(name, schema).label
        ) : (
          <label class="switch">
            <input
              type="checkbox"
              checked={hasValue}
              onChange={({ currentTarget }) => onChange(path, currentTarget.checked ? sampleOf(schema) : undefined)}
            />
            {meaningOf(name, schema).label}
          </label>
        )}
      </legend>
      <p class="about">{textAt(schema.description)}</p>
      <RemarkList remarks={own} />
      {hasValue || required ? <Fields {...props} properties={properties} /> : null}
    </fieldset>
  );
}

/** The fields of an object: required ones and those with a value first, the other fields folded away. */
export function Fields({
  properties,
  path,
  value,
  remarks,
  onChange,
}: Pick<FieldProps, 'path' | 'value' | 'remarks' | 'onChange'> & { properties: readonly Property[] }) {
  // A visible field stays visible while its value is deleted.
  const [openNames, setOpenNames] = useState<ReadonlySet<string>>(new Set());
  const record = isRecord(value) ? value : {};
  const names = Object.keys(record).filter((name) => !openNames.has(name));
  if (names.length > 0) setOpenNames(new Set([...openNames, ...names]));
  const isOpen = ({ name, required }: Property): boolean => required || openNames.has(name);
  const field = ({ name, schema, required }: Property) => (
    <Field
      key={name}
      name={name}
      schema={schema}
      required={required}
      path={[...path, name]}
      value={propertyAt(value, name)}
      remarks={remarks}
      onChange={onChange}
    />
  );
  const isAdvanced = ({ name, schema }: Property): boolean => meaningOf(name, schema).role === 'advanced';
  const rest = properties.filter((property) => !isOpen(property));
  // Fields that few requests set come last.
  const foldedProperties = [...rest.filter((each) => !isAdvanced(each)), ...rest.filter(isAdvanced)];
  return (
    <>
      {properties.filter(isOpen).map(field)}
      {foldedProperties.length > 0 ? (
        <details class="more">
          <summary>
            {foldedProperties.length} more {foldedProperties.length === 1 ? 'option' : 'options'}
          </summary>
          {foldedProperties.map(field)}
        </details>
      ) : null}
    </>
  );
}
