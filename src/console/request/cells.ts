/** The cells of a list: the kind of their control, and a summary of objects and lists in them. */
import { isJsonObject, type Json } from '../api/json.ts';
import { formsOf, type Property } from '../contract/schema.ts';
import { type FieldKind, fieldKind } from './field-kind.ts';

/** The kind of a cell; a union of one form and null counts as that form. */
export function cellKind({ schema }: Property): FieldKind {
  const forms = formsOf(schema).filter((form) => form.type !== 'null');
  return fieldKind(forms.length === 1 ? { ...forms[0], description: schema.description } : schema);
}

const shownParts = 3;

/** Summary of an object or a list in a cell: `poisson, rate 2`, `4 values`. */
export function cellSummary(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return 'none';
  if (Array.isArray(cell)) {
    if (cell.length <= shownParts && cell.every((item) => typeof item !== 'object')) return cell.join(', ') || 'empty';
    return `${cell.length} ${cell.length === 1 ? 'value' : 'values'}`;
  }
  if (!isJsonObject(cell)) return String(cell);
  // A word needs no property name in front of it.
  const nameWithValue = (name: string, value: Json | undefined): string =>
    typeof value === 'object' ? `${name}: ${cellSummary(value)}` : `${name} ${String(value)}`;
  const parts = Object.entries(cell).map(([name, value]) =>
    typeof value === 'string' ? value : nameWithValue(name, value),
  );
  return parts.slice(0, shownParts).join(', ') + (parts.length > shownParts ? ', …' : '');
}
