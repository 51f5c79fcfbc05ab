/** The cells of a list: what edits them, and what those with parts of their own hold. */
import { isJsonObject, type Json } from '../api/json.ts';
import { formsOf, type Property } from '../contract/schema.ts';
import { type FieldKind, fieldKind } from './field-kind.ts';

/** The kind of a cell: one form beside null is that form. */
export function cellKind({ schema }: Property): FieldKind {
  const forms = formsOf(schema).filter((form) => form.type !== 'null');
  return fieldKind(forms.length === 1 ? { ...forms[0], description: schema.description } : schema);
}

const shownParts = 3;

/** `poisson, rate 2`; `4 values`; what a cell with parts is, in a few words. */
export function cellSummary(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return 'none';
  if (Array.isArray(cell)) {
    if (cell.length <= shownParts && cell.every((item) => typeof item !== 'object')) return cell.join(', ') || 'empty';
    return `${cell.length} ${cell.length === 1 ? 'value' : 'values'}`;
  }
  if (!isJsonObject(cell)) return String(cell);
  // A word says what it is without the name of its property.
  const nameWithValue = (name: string, value: Json | undefined): string =>
    typeof value === 'object' ? `${name}: ${cellSummary(value)}` : `${name} ${String(value)}`;
  const parts = Object.entries(cell).map(([name, value]) =>
    typeof value === 'string' ? value : nameWithValue(name, value),
  );
  return parts.slice(0, shownParts).join(', ') + (parts.length > shownParts ? ', …' : '');
}
