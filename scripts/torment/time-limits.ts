/**
 * `npm run time-limits -- [--parts 1000] [--limits 1,10,100,1000,10000,60000] [--lines 100] [--operations NAME,NAME]`:
 * asks a real service for every operation with a request of many parts at each limit. What is allowed is an answer by
 * 1.1 of the limit and a second, or a 504 between .9 of the limit and then; so many lines in one body have the first
 * limit each. Prints what came; ends with 1 where anything else did. A turn that this machine's processors kept waiting
 * is told apart, as in the torment.
 */
import { parseArgs } from 'node:util';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { requestsOfManyParts } from './requests/many-parts.ts';
import { delayBetween } from './run-delay.ts';
import { ServerUnderTorment } from './server-under-torment.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: '1000' },
    limits: { type: 'string', default: '1,10,100,1000,10000,60000' },
    lines: { type: 'string', default: '100' },
    operations: { type: 'string' },
  },
});
const limits = values.limits.split(',').map(Number);
const asked = values.operations?.split(',');

const server = new ServerUnderTorment({ WORKERS: '1', QUICK_WORKER: 'false' });
await server.start();

/** One request at one limit: what came of it, and whether that is allowed. */
async function ask(operation: string, body: object, limit: number): Promise<{ said: string; allowed: boolean }> {
  const delay = server.runDelay();
  const start = performance.now();
  const response = await fetch(`${server.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, options: { timeLimitMs: limit } }),
  });
  const answer: { status?: unknown; detail?: string } = JSON.parse(await response.text());
  const elapsed = performance.now() - start;
  const starved = delayBetween(delay, server.runDelay());
  const inTime = elapsed <= 1.1 * limit + 1000 + starved;
  const allowed = inTime && (response.status === 200 || (response.status === 504 && elapsed >= 0.9 * limit));
  const detail = response.status === 200 ? answer.status : answer.detail;
  return { said: `${response.status} after ${Math.round(elapsed)} ms: ${detail}`, allowed };
}

/** Many lines in one body, each with the limit: each is answered, or a 504. */
async function askLines(
  operation: Operation,
  lines: number,
  limit: number,
): Promise<{ said: string; allowed: boolean }> {
  const request = Object(exampleRequest(operation.examples[0]));
  const line = JSON.stringify({ ...request, options: { timeLimitMs: limit } });
  const delay = server.runDelay();
  const start = performance.now();
  const response = await fetch(`${server.url}/v1/${operation.name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${line}\n`.repeat(lines),
  });
  const answers = (await response.text()).trim().split('\n');
  const elapsed = performance.now() - start;
  const inTime = elapsed <= lines * (1.1 * limit + 1000) + delayBetween(delay, server.runDelay());
  const statuses = answers.map((text): unknown => {
    const answer: { status?: unknown; problem?: { status: number } } = JSON.parse(text);
    return answer.problem?.status ?? answer.status;
  });
  const late = statuses.filter((status) => status === 504).length;
  const answered = statuses.filter((status) => typeof status === 'string').length;
  const said = `${answered} answers and ${late} time limits to ${lines} lines after ${Math.round(elapsed)} ms`;
  return { said, allowed: inTime && answered + late === lines };
}

let wrong = 0;
for (const { operation, body } of requestsOfManyParts(Number(values.parts))) {
  if (asked !== undefined && !asked.includes(operation)) continue;
  for (const limit of limits) {
    const { said, allowed } = await ask(operation, body, limit);
    if (!allowed) wrong++;
    process.stdout.write(`${allowed ? '' : 'WRONG '}${operation} in ${limit} ms: ${said}\n`);
  }
}
for (const operation of operations) {
  if (asked !== undefined && !asked.includes(operation.name)) continue;
  const { said, allowed } = await askLines(operation, Number(values.lines), limits[0]);
  if (!allowed) wrong++;
  process.stdout.write(`${allowed ? '' : 'WRONG '}${operation.name} in ${limits[0]} ms: ${said}\n`);
}
await server.stop();
process.stdout.write(`${wrong} answers that are not allowed\n`);
process.exit(wrong === 0 ? 0 : 1);
