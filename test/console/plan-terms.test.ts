/** What the picture of a budget adds up is what the answer says. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { number } from '../../src/console/pictures/read.ts';
import { spendingOverTime } from '../../src/console/pictures/spending.ts';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8'));

it('the fetches of a plan add up to what it expects to spend', () => {
  const [request, answer] = ['crawl-plan-budget.json', 'crawl-plan-budget.answer.json'].map(read);
  const spent = spendingOverTime({ request, answer });
  expect(spent.length).toBeGreaterThan(10);
  expect(spent.at(-1)?.spent).toBeCloseTo(number(answer, 'solution', 'spent'), 6);
  for (let k = 1; k < spent.length; k++) expect(spent[k].spent).toBeGreaterThan(spent[k - 1].spent);
});
