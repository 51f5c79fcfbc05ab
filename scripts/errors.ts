/** docs/errors.md, from the catalogues of problems and codes. */
import { conditionCodes, schemaCodes } from '../src/schemas/contract/codes.ts';
import { maxShownErrors, problemKinds } from '../src/schemas/contract/problem.ts';

/** Groups the names that have the same text, in the order of the texts. */
function namesByText(pairs: readonly (readonly [name: string, text: string])[]): [text: string, names: string][] {
  const namesOf = new Map<string, string[]>();
  for (const [name, text] of pairs) namesOf.set(text, [...(namesOf.get(text) ?? []), `\`${name}\``]);
  return [...namesOf].map(([text, names]) => [text, names.join(', ')]);
}

export function errorsPage(): string {
  const problems = namesByText(Object.entries(problemKinds).map(([kind, { status }]) => [kind, String(status)]));
  const meanings = (codes: Readonly<Record<string, string>>): string[] =>
    namesByText(Object.entries(codes)).map(([meaning, names]) => `- ${names}: ${meaning}`);
  return [
    '# Errors',
    '',
    'Every refusal is `application/problem+json` ([the contract](contract.md#refusals)). `errors` describes at most',
    `${maxShownErrors} refused values. (Generated from \`src/schemas/contract\` by \`npm run contract-docs\`.)`,
    '',
    '## Problems',
    '',
    'By HTTP status; a `type` is `urn:crawl-optimizer:problem:` and the word. `title` says it in a sentence.',
    '',
    ...problems.map(([status, kinds]) => `- ${status}: ${kinds}`),
    '',
    '## Codes of the schema',
    '',
    'A request that is valid against its JSON Schema never meets them.',
    '',
    ...meanings(schemaCodes),
    '',
    '## Codes of conditions',
    '',
    'Conditions that a JSON Schema cannot express. `detail` has the values.',
    '',
    ...meanings(conditionCodes),
    '',
  ].join('\n');
}
