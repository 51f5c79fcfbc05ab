/**
 * `node scripts/torment/hunt.ts [--minutes 5] [--seed N] [--operations NAME,NAME] [--wounds FILE]`: solves the adversary's requests
 * in this process, several times as fast as the torment can send them. It prints which ended in a 500, or claimed what
 * their own figures deny. It also prints which were refused though a check had called them valid, or were called a
 * conflict only because time was up. A quarter of them are stopped at one of their looks at the clock. Ends with 1 when
 * there was any. A request that stands still stands still here too: the last one is kept in FILE.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { type Outcome, parse, prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { type Budget, deadlineBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { Adversary, type Attack, judge, type Wound } from './search.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '20261122' },
    operations: { type: 'string' },
    wounds: { type: 'string' },
  },
});

/** Long enough for most requests, and long enough to tell whether a conflict was one. */
const shortMs = 150;
const longMs = 2000;

const random = seededRandom(Number(values.seed));
const document: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
);
const limits = readConfig({});
const asked = values.operations?.split(',');

/** A budget that ends after so many milliseconds, or after so many looks at it. */
function budgetOf(ms: number, looks: number): Budget {
  let looked = 0;
  return deadlineBudget({ clock: now, deadline: now() + ms, seed: 0, cancelled: () => looked++ >= looks });
}

/** The outcome, and whether the request was valid before it was solved. */
function outcomeOf(operation: Operation, body: string, budget: Budget): { outcome: Outcome; valid: boolean } {
  const parsed = parse(operation, Buffer.from(body), limits);
  if (parsed.kind !== 'parsed') return { outcome: parsed, valid: false };
  const ready = prepareParsed(operation, parsed.value, limits);
  if (ready.kind !== 'ready') return { outcome: ready, valid: false };
  return { outcome: run(ready, budget, now), valid: true };
}

const statusOf = (outcome: Outcome): string =>
  outcome.kind === 'answer' ? String(JSON.parse(outcome.json).status) : String(outcome.problem.status);

/** What is wrong with the outcome of one attack. */
function woundsOf(operation: Operation, attack: Attack): Wound[] {
  const looks = random() < 0.25 ? Math.floor(200 * random() ** 2) : Number.POSITIVE_INFINITY;
  const { outcome, valid } = outcomeOf(operation, attack.body, budgetOf(shortMs, looks));
  const wounds: Wound[] = [];
  const wound = (kind: Wound['kind'], detail: string): void => {
    wounds.push({ attack, kind, detail: `${detail}, after ${looks} looks` });
  };
  if (outcome.kind === 'answer') judge(outcome.json, wound);
  else if (valid && outcome.problem.status < 500) wound('valid-but-refused', JSON.stringify(outcome.problem));
  else if (outcome.problem.status === 500) wound('5xx', outcome.failure ?? outcome.problem.detail ?? '');
  const short = statusOf(outcome);
  if (short === 'infeasible' && Number.isFinite(looks)) {
    const long = statusOf(outcomeOf(operation, attack.body, budgetOf(longMs, Number.POSITIVE_INFINITY)).outcome);
    if (long === 'optimal' || long === 'feasible') wound('false-conflict', `${long} with more time`);
  }
  return wounds;
}

const adversary = new Adversary(document, random);
const end = performance.now() + 60_000 * Number(values.minutes);
const found: Wound[] = [];
let requests = 0;
while (performance.now() < end) {
  const attack = adversary.next();
  const operation = operations.find(({ name }) => name === attack.operation);
  if (operation === undefined || (asked !== undefined && !asked.includes(attack.operation))) continue;
  if (values.wounds !== undefined) writeFileSync(values.wounds, JSON.stringify({ found, last: attack }, null, 1));
  requests++;
  for (const wound of woundsOf(operation, attack)) {
    found.push(wound);
    process.stdout.write(`${wound.kind} ${attack.operation}: ${wound.detail.slice(0, 400)}\n`);
  }
}
if (values.wounds !== undefined) writeFileSync(values.wounds, JSON.stringify({ found }, null, 1));
process.stdout.write(`${requests} requests, ${found.length} of them wrong\n`);
process.exit(found.length === 0 ? 0 : 1);
