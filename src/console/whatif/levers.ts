/** The number that the what-if slider varies, as the contract marks it (`x-lever`), and the measure it shows. */

import { figure } from '../../schemas/words/numbers.ts';
import type { Answer } from '../api/answer.ts';
import { isRecord, type Json, type JsonObject, propertyAt, type Schema } from '../api/json.ts';
import { numberAt, valueAt } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import { cellText, type LeverRange, type Meaning, meaningOf, unitInWords, valueText } from '../contract/meaning.ts';
import { flattenForms, type Property, propertiesOf } from '../contract/schema.ts';
import { variantAt, variantsOf } from '../request/field-kind.ts';
import type { Path } from '../request/pointer.ts';

/** The number of an answer that the curve shows. */
export interface Measure {
  readonly label: string;
  readonly of: (answer: Answer) => number;
  readonly text: (value: number) => string;
  /** Formats a tick of the axis, without the unit, which the label has. */
  readonly tick: (value: number) => string;
}

export interface Lever {
  readonly path: Path;
  readonly label: string;
  readonly value: number;
  /** The slider's positions, in ascending order. */
  readonly stops: readonly number[];
  readonly text: (value: number) => string;
  /** Formats a number below the slider, without the unit, which the heading has. */
  readonly tick: (value: number) => string;
}

interface LeverField {
  readonly path: Path;
  readonly value: number;
  readonly whole: boolean;
  readonly range: LeverRange;
  /** The contract's minimum. */
  readonly lowerBound: number;
  readonly meaning: Meaning;
}

/**
 * The numbers below a schema that have a lever, and a value in the request or by default. Of a list, they are those of
 * its first row.
 */
function leverFields(properties: readonly Property[], value: Json | undefined, path: Path): LeverField[] {
  return properties.flatMap(({ name, schema }): LeverField[] => {
    const meaning = meaningOf(name, schema);
    const inner = propertyAt(value, name);
    const innerPath = [...path, name];
    const current = inner === undefined ? schema.default : inner;
    if (meaning.lever !== undefined && typeof current === 'number') {
      const forms = flattenForms(schema);
      const whole = forms.some((form) => form.type === 'integer');
      const lowerBound = Math.max(...forms.map(({ minimum }) => (typeof minimum === 'number' ? minimum : -Infinity)));
      return [{ path: innerPath, value: current, whole, range: meaning.lever, lowerBound, meaning }];
    }
    if (inner === undefined || inner === null) return [];
    return Array.isArray(inner)
      ? leverFields(rowsOf(schema), inner[0], [...innerPath, 0])
      : leverFields(propertiesIn(schema, inner), inner, innerPath);
  });
}

/** Order of the levers: numbers of the whole request first, then counts of a row, then other numbers of a row. */
const rank = ({ path, meaning }: LeverField): number =>
  path.every((step) => typeof step === 'string') ? 0 : meaning.quantity === 'count' ? 1 : 2;

/** ` of front-page`: the row that a lever belongs to; empty for a lever of the whole request. */
function rowSuffix(path: Path, request: JsonObject): string {
  const row = path.findLastIndex((step) => typeof step === 'number');
  const id = row < 0 ? undefined : valueAt(request, ...path.slice(0, row + 1), 'id');
  return typeof id === 'string' ? ` of ${id}` : row < 0 ? '' : ` of row ${path[row]}`;
}

/** The properties of the variant that a value has. */
function propertiesIn(schema: Schema, value: Json): Property[] {
  const variants = variantsOf(schema);
  const variant = variants[variantAt(variants, value)] ?? variants[0];
  return variant === undefined ? [] : propertiesOf(variant.schema);
}

function rowsOf(schema: Schema): Property[] {
  const rows = flattenForms(schema).find((form) => form.type === 'array');
  return isRecord(rows?.items) ? propertiesOf(rows.items) : [];
}

/** The objective of an answer, else its first number to read; undefined where it has neither. */
export function measureOf(schema: Schema, answer: Answer): Measure | undefined {
  if (answer.objective !== undefined) {
    const { measure, unit } = answer.objective;
    return {
      label:
        measure === undefined || unit === undefined || unit === measure
          ? (measure ?? 'the objective')
          : `${measure} (${unit})`,
      of: (each) => each.objective?.value ?? Number.NaN,
      text: (value) => figure(value, 4),
      tick: (value) => figure(value, 4),
    };
  }
  const first = firstFields(schema, answer)[0];
  if (first === undefined) return undefined;
  const { path, meaning } = first;
  const unit = unitInWords(meaning);
  return {
    label: unit === '' ? meaning.label : `${meaning.label} (${unit})`,
    of: (each) => numberAt(each, ...path),
    text: (value) => valueText(value, meaning),
    tick: (value) => cellText(value, meaning),
  };
}

const stopCount = 60;

/** About sixty slider positions, `value` among them: in equal steps if bounds are given, else in equal ratios. */
export function leverStops(
  value: number,
  whole: boolean,
  { from, to, factor = 4 }: LeverRange,
  lowerBound = Number.NEGATIVE_INFINITY,
): number[] {
  const stops = new Set([value]);
  const bounds = from !== undefined && to !== undefined && value >= from && value <= to ? { from, to } : undefined;
  // A number at or below zero, such as the mean of a logarithm, is varied by differences, not by ratios.
  const steps = bounds ?? (value > 0 ? undefined : { from: Math.max(lowerBound, value - 2), to: value + 2 });
  const isSmallCount = whole && value > 0 && value <= 12;
  for (let i = 0; i <= stopCount; i++) {
    const share = i / stopCount;
    const at = steps
      ? steps.from + share * (steps.to - steps.from)
      : isSmallCount
        ? 1 + share * Math.max(11, 3 * value)
        : value * factor ** (2 * share - 1);
    stops.add(whole ? Math.max(steps ? steps.from : 1, Math.round(at)) : Number(at.toPrecision(3)));
  }
  return [...stops].sort((a, b) => a - b);
}

/** The lever of a request; undefined where it has none. */
export function leverOf(schema: Schema, request: JsonObject): Lever | undefined {
  const [field] = leverFields(propertiesOf(schema), request, []).sort((a, b) => rank(a) - rank(b));
  if (field === undefined) return undefined;
  const { path, value, whole, range, lowerBound, meaning } = field;
  return {
    path,
    label: meaning.label + rowSuffix(path, request),
    value,
    stops: leverStops(value, whole, range, lowerBound),
    text: (each) => valueText(each, meaning),
    tick: (each) => cellText(each, meaning),
  };
}
