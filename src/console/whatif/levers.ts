/** The number that what-if turns: the first of the request that the contract says people vary, and what is watched. */

import { figure } from '../../words/numbers.ts';
import type { Answer } from '../api/answer.ts';
import { isRecord, type Json, type JsonObject, member, type Schema } from '../api/json.ts';
import { number } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import { type LeverRange, type Meaning, meaningOf, valueText } from '../contract/meaning.ts';
import { flattened, type Property, propertiesOf } from '../contract/schema.ts';
import { variantAt, variantsOf } from '../request/field-kind.ts';
import type { Path } from '../request/pointer.ts';

/** What is watched while the lever is turned. */
export interface Watched {
  readonly label: string;
  readonly of: (answer: Answer) => number;
  readonly text: (value: number) => string;
}

export interface Lever {
  readonly path: Path;
  readonly label: string;
  readonly value: number;
  /** The values it stops at, rising. */
  readonly stops: readonly number[];
  readonly text: (value: number) => string;
}

interface Found {
  readonly path: Path;
  readonly value: number;
  readonly whole: boolean;
  readonly range: LeverRange;
  readonly meaning: Meaning;
}

/** The first number below a schema that has a lever, and a value in the request or by default. */
function foundBelow(properties: readonly Property[], value: Json | undefined, path: Path): Found | undefined {
  for (const { name, schema } of properties) {
    const meaning = meaningOf(name, schema);
    const inner = member(value, name);
    const here = [...path, name];
    const given = inner === undefined ? schema.default : inner;
    if (meaning.lever !== undefined && typeof given === 'number') {
      const whole = flattened(schema).some((form) => form.type === 'integer');
      return { path: here, value: given, whole, range: meaning.lever, meaning };
    }
    if (inner === undefined || inner === null) continue;
    const found = Array.isArray(inner)
      ? foundBelow(rowsOf(schema), inner[0], [...here, 0])
      : foundBelow(propertiesIn(schema, inner), inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The properties of the form that a value is written in. */
function propertiesIn(schema: Schema, value: Json): Property[] {
  const variants = variantsOf(schema);
  const chosen = variants[variantAt(variants, value)] ?? variants[0];
  return chosen === undefined ? [] : propertiesOf(chosen.schema);
}

function rowsOf(schema: Schema): Property[] {
  const rows = flattened(schema).find((form) => form.type === 'array');
  return isRecord(rows?.items) ? propertiesOf(rows.items) : [];
}

/** The first number to read of an answer, else its objective; undefined where it has neither. */
export function watchedOf(schema: Schema, answer: Answer): Watched | undefined {
  const first = firstFields(schema, answer)[0];
  if (first === undefined) {
    if (answer.objective === undefined) return undefined;
    const { measure, unit } = answer.objective;
    return {
      label: measure === undefined ? 'the objective' : unit === undefined ? measure : `${measure} (${unit})`,
      of: (each) => each.objective?.value ?? Number.NaN,
      text: (value) => figure(value, 4),
    };
  }
  const { path, meaning } = first;
  return { label: meaning.label, of: (each) => number(each, ...path), text: (value) => valueText(value, meaning) };
}

const stopsBelow = 60;

/** Values around one: equal steps within bounds, equal ratios without; about sixty, the value itself among them. */
export function stopsAround(value: number, whole: boolean, { from, to, factor = 4 }: LeverRange): number[] {
  const stops = new Set([value]);
  const within = from !== undefined && to !== undefined && value >= from && value <= to ? { from, to } : undefined;
  // A number below zero, such as the mean of a logarithm, has no ratio to be turned by.
  const steps = within ?? (value > 0 ? undefined : { from: value - 2, to: value + 2 });
  const few = whole && value > 0 && value <= 12;
  for (let i = 0; i <= stopsBelow; i++) {
    const share = i / stopsBelow;
    const at = steps
      ? steps.from + share * (steps.to - steps.from)
      : few
        ? 1 + share * Math.max(11, 3 * value)
        : value * factor ** (2 * share - 1);
    stops.add(whole ? Math.max(steps ? steps.from : 1, Math.round(at)) : Number(at.toPrecision(3)));
  }
  return [...stops].sort((a, b) => a - b);
}

/** The lever of a request; undefined where it has none. */
export function leverOf(schema: Schema, request: JsonObject): Lever | undefined {
  const found = foundBelow(propertiesOf(schema), request, []);
  if (found === undefined) return undefined;
  const { path, value, whole, range, meaning } = found;
  return {
    path,
    label: meaning.label,
    value,
    stops: stopsAround(value, whole, range),
    text: (each) => valueText(each, meaning),
  };
}
