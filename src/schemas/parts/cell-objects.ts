/** Objects inside the cells of a table: a row has too many of them for a schema of their own. */
import { type Fault, quoted } from '../contract/problem.ts';
import { shortened, unknownProperty } from '../contract/unknown-property.ts';

/** The properties of an object, before anything is known of their values. */
export type Properties = Readonly<Partial<Record<string, unknown>>>;

/** What is wrong with a value that must be an object with no properties but these; null where nothing is. */
export function objectFault(value: unknown, names: readonly string[]): Fault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: 'invalid_type', message: `must be an object; got ${quoted(value)}` };
  }
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    return { path: [shortened(name)], code: 'unrecognized_key', message: unknownProperty(name, names) };
  }
  return null;
}

/** The properties of a value in which {@link objectFault} found nothing wrong. */
export const propertiesOf = (value: unknown): Properties => (typeof value === 'object' ? { ...value } : {});
