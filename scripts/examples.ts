/** Solves every example and records its answer: examples/<name>.json → examples/<name>.answer.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readConfig } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { now } from '../src/workers/clock.ts';
import { prepare, run } from '../src/workers/pipeline.ts';

const names = process.argv.slice(2);
for (const operation of operations) {
  for (const { name } of operation.examples) {
    if (names.length > 0 && !names.includes(name)) continue;
    const file = new URL(`../examples/${name}.json`, import.meta.url);
    const ready = prepare(operation, readFileSync(file, 'utf8'), readConfig({}));
    const outcome = ready.kind === 'ready' ? run(ready, unlimitedBudget(ready.request.seed), now) : ready;
    if (outcome.kind === 'problem')
      throw new Error(`${operation.name}, ${name}: ${JSON.stringify(outcome.problem)} ${outcome.failure ?? ''}`);
    const answer: unknown = JSON.parse(outcome.body);
    writeFileSync(new URL(`../examples/${name}.answer.json`, import.meta.url), `${JSON.stringify(answer)}\n`);
    process.stdout.write(`${operation.name}: ${name}\n`);
  }
}
