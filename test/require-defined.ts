/** The value, where a test needs one: a missing value fails the test instead of passing as 0. */
export function requireDefined<T>(value: T | null | undefined, what = 'value'): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
