/** The pictures of the documents show the answers that the examples have now. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';

const sentences: Readonly<Record<string, string>> = JSON.parse(readFileSync('docs/pictures/sentences.json', 'utf8'));

it.each(Object.entries(sentences))(
  '%s: `npm run pictures` takes it anew where its answer has changed',
  (file, sentence) => {
    const operation = operations.find(({ name }) => name.replace('/', '-') === file);
    const answer: { readonly summary: string } = JSON.parse(
      readFileSync(`examples/${operation?.examples[0].name}.answer.json`, 'utf8'),
    );
    expect(answer.summary).toBe(sentence);
  },
);

it('every picture is one of these, or the console as a whole', () => {
  const pictures = readdirSync('docs/pictures').filter((file) => file.endsWith('.png'));
  expect(pictures.toSorted()).toEqual(['console', ...Object.keys(sentences)].map((name) => `${name}.png`).toSorted());
});
