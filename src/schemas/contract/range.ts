/** The simple values of requests: numbers between bounds, names, flags. */
import * as z from 'zod';
import { share } from './field.ts';

interface Bounds {
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
}

/** A finite number within bounds. */
export const real = (range: Bounds): z.ZodNumber => withBounds(z.number(), range);

/** A safe integer within bounds. */
export const integer = (range: Bounds): z.ZodInt => withBounds(z.int(), range);

/** A probability, or a share of a whole. */
export const chance = real({ atLeast: 0, atMost: 1 });

/** The name of a page, a host, a crawler. */
export const nameText = z.string().max(2048);

/** True and false, or 1 and 0. */
const flagForms = [{ type: 'boolean' }, { const: 0 }, { const: 1 }];
export const flag = z.literal([true, false, 0, 1]).meta({ enum: undefined, anyOf: flagForms });
export const flagOrNull = z
  .literal([true, false, 0, 1, null])
  .meta({ enum: undefined, anyOf: [...flagForms, { type: 'null' }] });

/** A field of an answer: the share of `unit` in which a page's copy is stale. */
export const staleShare = (unit: string) =>
  z.number().meta(share('Expected share with a stale copy', { unit, role: 'first' }));

/** A field of an answer: its description says what null stands for. */
export const numberOrNull = z.number().nullable();

/** A field of an answer: an interval [low, high], and one whose high end may be null. */
export const interval = z.tuple([z.number(), z.number()]).meta({ id: 'Interval' });
export const openInterval = z.tuple([z.number(), numberOrNull]).meta({ id: 'OpenInterval' });

function withBounds<Kind extends z.ZodNumber>(kind: Kind, { above, atLeast, below, atMost }: Bounds): Kind {
  let schema = kind;
  if (above !== undefined) schema = schema.gt(above);
  if (atLeast !== undefined) schema = schema.min(atLeast);
  if (below !== undefined) schema = schema.lt(below);
  if (atMost !== undefined) schema = schema.max(atMost);
  return schema;
}
