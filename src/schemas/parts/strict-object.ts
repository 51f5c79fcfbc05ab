import * as z from 'zod';

/**
 * `z.strictObject` whose "unrecognized keys" issue names the keys that are allowed, so that a typing mistake is
 * answered with the word the caller was looking for.
 */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const allowed = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `allowed here: ${allowed}` : undefined),
  });
}
