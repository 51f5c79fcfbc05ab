/** The questions as the console reads them from the document that the service publishes. */
import { readFileSync } from 'node:fs';
import { catalogueOf, type Question } from '../../src/console/contract/catalogue.ts';

const document: unknown = JSON.parse(readFileSync('openapi/openapi.json', 'utf8'));

/** Every question of the contract. */
export const questions: readonly Question[] = catalogueOf(document).groups.flatMap((group) => group.questions);

export function questionOf(name: string): Question {
  const found = questions.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no question ${name}`);
  return found;
}
