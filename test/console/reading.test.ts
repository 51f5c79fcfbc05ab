/** The sentence an answer begins with, for every example of every operation. */
import { expect, it } from 'vitest';
import type { Answer } from '../../src/console/api/answer.ts';
import { isJsonObject } from '../../src/console/api/json.ts';
import { readings } from '../../src/console/reading/index.ts';
import { compared, counted, share } from '../../src/console/reading/words.ts';
import { exampleAnswer, exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';

const examples = operations.flatMap(({ name, examples: own }) => own.map((example) => ({ operation: name, example })));

function sentenceOf(operation: string, example: (typeof examples)[number]['example']): string {
  const request: unknown = exampleRequest(example);
  const answer: Answer = Object(exampleAnswer(example));
  if (!isJsonObject(request) || answer.solution === undefined) return '';
  return readings[operation].sentence({ request, answer, extras: new Map() });
}

it('every reading is of an operation there is', () => {
  expect(operations.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(readings)));
});

it('every example is said in whole sentences, with no number that is none', () => {
  const said = examples
    .filter(({ operation }) => operation in readings)
    .map(({ operation, example }) => [example.name, sentenceOf(operation, example)] as const);
  const withSolution = said.filter(([, sentence]) => sentence !== '');
  expect(withSolution.length).toBeGreaterThan(30);
  for (const [name, sentence] of withSolution) {
    expect(sentence, name).toMatch(/^[A-Z0-9].*\.$/);
    expect(sentence, name).not.toMatch(/NaN|undefined|–|Infinity|\b1 (pages|crawls|crawlers|fetches)\b/);
  }
});

it.each([
  ['crawler-count', 'inria-crawler', 'Run 10 crawlers. 35% of pages are lost and the indexer idles 19% of the time.'],
  [
    'threshold-policy',
    'threshold-policy-paper',
    'Activate crawlers by queue length: 3 while the queue holds at most 2 and 1 beyond. 17% of pages are lost, 17% expire, and the system is empty 6.5% of the time.',
  ],
  [
    'threshold-policy',
    'threshold-policy-filter',
    'Activate 1 to 3 crawlers by queue length and phases. 17% of pages are lost, 17% expire, and the system is empty 4% of the time. Where the phases are not seen, a belief about them keeps 18% of what seeing them saves, as simulated.',
  ],
  [
    'threshold-policy',
    'threshold-policy-phases-limits',
    'Activate 1 to 3 crawlers by queue length and phases; 2 tables share the time, to keep the limits. 14% of pages are lost, 13% expire, and the system is empty 12% of the time.',
  ],
  [
    'slot-assignment',
    'slot-assignment',
    '6 tasks go to 2 of 2 crawlers; 1 slot stays idle. They start 458 from their ideal time on average, 1,300 at most.',
  ],
])('%s says %s in its own numbers', (operation, name, sentence) => {
  const found = examples.find(({ example }) => example.name === name);
  expect(found && sentenceOf(operation, found.example)).toBe(sentence);
});

it('words say one page and two pages, and how two numbers compare', () => {
  expect([counted(1, 'page'), counted(2, 'page'), counted(0, 'fetch', 'fetches')]).toEqual([
    '1 page',
    '2 pages',
    '0 fetches',
  ]);
  expect([compared(1.27, 1), compared(0.9, 1), compared(1, 1), compared(5, 1)]).toEqual([
    '27% more',
    '10% less',
    'the same',
    '5 times as much',
  ]);
  expect([share(0.35244), share(1e-9), share(0)]).toEqual(['35%', 'next to nothing', '0%']);
});
