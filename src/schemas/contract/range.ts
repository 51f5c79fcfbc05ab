/** Numbers between bounds: the properties of a request say them as the columns of its tables do. */
import * as z from 'zod';

export interface NumberRange {
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
  readonly integer?: boolean;
}

type Bounds = Omit<NumberRange, 'integer'>;

/** A finite number within bounds. */
export const real = (range: Bounds): z.ZodNumber => bounded(z.number(), range);

/** A safe integer within bounds. */
export const integer = (range: Bounds): z.ZodInt => bounded(z.int(), range);

/** Of an answer; the field says what null stands for. */
export const numberOrNull = z.number().nullable();

function bounded<Kind extends z.ZodNumber>(kind: Kind, { above, atLeast, below, atMost }: Bounds): Kind {
  let schema = kind;
  if (above !== undefined) schema = schema.gt(above);
  if (atLeast !== undefined) schema = schema.min(atLeast);
  if (below !== undefined) schema = schema.lt(below);
  if (atMost !== undefined) schema = schema.max(atMost);
  return schema;
}
