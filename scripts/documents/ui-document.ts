/**
 * The document as Swagger UI shows it. What is said a dozen times in every operation, the errors, is said once; each
 * operation leads to the console; and it is called 3.0, because Swagger UI reads a document of 3.1 from end to end each
 * time an operation unfolds (1.4 s of processor time in place of 0.35 s). /openapi.json stays as it is.
 */

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The refusals and faults of an operation in one response, a line each. */
function folded(responses: Json): Json {
  const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
  if (errors.length === 0) return responses;
  const others = Object.entries(responses).filter(([status]) => !/^[45]/.test(status));
  const lines = errors.map(
    ([status, response]) => `- **${status}** ${text(isJson(response) ? response.description : '')}`,
  );
  const [, first] = errors[0];
  const content = isJson(first) ? first.content : undefined;
  const description = `Refused or failed, as problem details (RFC 9457):\n\n${lines.join('\n')}`;
  return { ...Object.fromEntries(others), default: { description, content } };
}

function shown(path: string, operation: unknown): unknown {
  if (!isJson(operation) || !isJson(operation.responses)) return operation;
  const name = /^\/v1\/(.*)$/.exec(path)?.[1];
  const link = name === undefined ? '' : `[Ask this in the console](console/#/${name})\n\n`;
  return { ...operation, description: link + text(operation.description), responses: folded(operation.responses) };
}

/** A copy of the document for the eyes. */
export function uiDocument(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const info = isJson(document.info) ? document.info : {};
  const paths = Object.entries(isJson(document.paths) ? document.paths : {}).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(isJson(methods) ? methods : {}).map(([method, operation]) => [method, shown(path, operation)]),
    ),
  ]);
  const description = `[Open the console](console/), where every question has a form and its answers pictures.\n\n${text(info.description)}`;
  return { ...document, openapi: '3.0.3', info: { ...info, description }, paths: Object.fromEntries(paths) };
}
