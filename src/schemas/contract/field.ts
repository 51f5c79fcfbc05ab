/**
 * What the contract knows of a field beside its type: its kind of quantity and its unit. It also knows whether readers
 * look at the field first, and the range in which people vary it. It stands beside the description, in the schema
 * itself. From there it reaches the OpenAPI document (as `x-` keywords), the tables of the documentation, the help of
 * the command line and the console. Nothing reads a unit out of a sentence.
 *
 * @example
 * interval: real({ above: 0 }).meta(time({ lever: { factor: 4 } })),
 * staleness: z.number().meta(share('Share of the time for which the copy is stale', { role: 'first' })),
 * weight: real({ atLeast: 0 }).default(1).meta(weight('What a stale page costs beside the others')),
 */

import type * as z from 'zod';
import { namedPart } from './strict-object.ts';

/**
 * `time` is the unit of the caller, which an operation may fix (its `timeUnit`); a count's unit is what is counted, in
 * the plural.
 */
type Unit = string;

/** `first`: what a reader looks for first; `advanced`: what few requests set, or few readers need. */
type Role = 'first' | 'advanced';

/** The values between which people vary a number: two ends, or a factor to either side of the value. */
export type Lever = { readonly from: number; readonly to: number } | { readonly factor: number };

/** A field, as `.meta(…)` and the columns of tables take it. */
export type Field = {
  readonly description?: string;
  /** `time`, `moment`, `rate`, `count`, `position`, `share`, `probability`, `cost`, `weight`, `number` or `id`. */
  readonly 'x-quantity'?: string;
  readonly 'x-unit'?: Unit;
  readonly 'x-role'?: Role;
  readonly 'x-lever'?: Lever;
  readonly 'x-label'?: string;
};

/** Optional annotations of a field. */
interface FieldOptions {
  /** The unit; if left out, the usual one of the quantity. */
  readonly unit?: Unit;
  readonly role?: Role;
  readonly lever?: Lever;
  /** The field's name for people, if the spelled-out name of the property does not serve. */
  readonly label?: string;
}

/** A field of a quantity; its description is left out where the name and the unit say it all. */
const quantity =
  (kind: string, usual: Unit | undefined) =>
  (said: string | FieldOptions = {}, options: FieldOptions = typeof said === 'string' ? {} : said): Field => {
    const { unit = usual, role, lever, label } = options;
    return {
      ...(typeof said === 'string' && { description: said }),
      'x-quantity': kind,
      ...(unit !== undefined && { 'x-unit': unit }),
      ...(role !== undefined && { 'x-role': role }),
      ...(lever !== undefined && { 'x-lever': lever }),
      ...(label !== undefined && { 'x-label': label }),
    };
  };

/** A length of time, in the caller's unit unless told otherwise (`seconds`, `milliseconds`). */
export const time = quantity('time', 'time');
/** A point in time: `time` counts from the start of the interval, `epoch seconds` from 1970. */
export const moment = quantity('moment', 'time');
export const epochMoment = quantity('moment', 'epoch seconds');
/** Events per unit of time: `1/time`, `1/second`. */
export const rate = quantity('rate', '1/time');
/** How many; the unit says of what: `pages`, `crawlers`, `fetches`. */
export const count = quantity('count', undefined);
export const crawlerCount = quantity('count', 'crawlers');
export const crawlCount = quantity('count', 'crawls');
export const pageCount = quantity('count', 'pages');
/** A position in a list, from 0. */
export const position = quantity('position', undefined);
/** A part of a whole, 0 to 1: `of the time`, `of the pages`. */
export const share = quantity('share', undefined);
export const probability = quantity('probability', undefined);
/** A cost; the unit says per what: `cost/time`, `cost`. */
export const cost = quantity('cost', 'cost');
export const costRate = quantity('cost', 'cost/time');
/** A relative importance, such as that of a page among all pages. */
export const weight = quantity('weight', undefined);
/** A number without a unit. */
export const number = quantity('number', undefined);
export const id = quantity('id', undefined);

/** A field that is no quantity: a word, a switch, an object or a list. */
export function plain(description: string, { role, label }: Pick<FieldOptions, 'role' | 'label'> = {}): Field {
  return {
    description,
    ...(role !== undefined && { 'x-role': role }),
    ...(label !== undefined && { 'x-label': label }),
  };
}

/** Annotations of a field for human readers; left out of generated classes. */
const annotations = ['description', 'x-quantity', 'x-unit', 'x-role', 'x-lever', 'x-label'];

/** The schema without its annotations, for the cells of a column: the rows' schema has described them already. */
export function withoutAnnotations(schema: z.ZodType): z.ZodType {
  const otherMeta = Object.entries(schema.meta() ?? {}).filter(([key]) => !annotations.includes(key));
  return namedPart(schema) ?? schema.clone(schema.def).meta(Object.fromEntries(otherMeta));
}

/** The field itself, or the field that a description alone stands for. */
export const fieldOf = (field: string | Field): Field => (typeof field === 'string' ? { description: field } : field);
