/** Checks of objects inside table cells, of which there are too many for a zod schema. */
import { type Fault, quoted } from '../contract/problem.ts';
import { shortened, unknownProperty } from '../contract/unknown-property.ts';

/** The unchecked properties of an object. */
export type Properties = Readonly<Partial<Record<string, unknown>>>;

/** The fault of a value that must be an object with only these properties; null if there is none. */
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

/** The properties of a value that passed {@link objectFault}. */
export const propertiesOf = (value: unknown): Properties => (typeof value === 'object' ? { ...value } : {});
