/** The questions as the console reads them from the document that the service publishes, and their examples, answered. */
import { readFileSync } from 'node:fs';
import type { Answer, Exchange } from '../../src/console/api/answer.ts';
import { isJsonObject } from '../../src/console/api/json.ts';
import { catalogueFromOpenApi, type Question } from '../../src/console/contract/catalogue.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleAnswer, exampleRequest } from '../../src/package.ts';

const document: unknown = JSON.parse(readFileSync('openapi/openapi.json', 'utf8'));

/** Every question of the contract. */
export const questions: readonly Question[] = catalogueFromOpenApi(document).groups.flatMap((group) => group.questions);

export function questionOf(name: string): Question {
  const match = questions.find((each) => each.name === name);
  if (match === undefined) throw new Error(`no question ${name}`);
  return match;
}

/** Every example with its recorded answer. */
export const examples = operations.flatMap(({ name: operation, examples: own }) =>
  own.map((example) => {
    const request: unknown = exampleRequest(example);
    if (!isJsonObject(request)) throw new Error(`${example.name} is no object`);
    const answer: Answer = Object(exampleAnswer(example));
    return { operation, name: example.name, exchange: { request, answer, extras: new Map() } satisfies Exchange };
  }),
);

export function exampleNamed(name: string): (typeof examples)[number] {
  const match = examples.find((each) => each.name === name);
  if (match === undefined) throw new Error(`no example ${name}`);
  return match;
}
