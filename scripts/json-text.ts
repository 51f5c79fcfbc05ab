/**
 * JSON as a page of text: what fits on a line stands on one, so that a change shows as a line or two. Examples, which are
 * files of their own, take a line each.
 */

const lineLength = 200;

/** The value as JSON text, a line for each member that does not fit on one with the others. */
export function jsonText(value: unknown, indent = ''): string {
  const inline = JSON.stringify(value);
  if (inline === undefined || typeof value !== 'object' || value === null) return inline ?? 'null';
  if (indent.length + inline.length <= lineLength) return inline;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + jsonText(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(
      ([name, member]) =>
        `${inner}${JSON.stringify(name)}: ${name === 'value' ? JSON.stringify(member) : jsonText(member, inner)}`,
    );
  return `{\n${members.join(',\n')}\n${indent}}`;
}
