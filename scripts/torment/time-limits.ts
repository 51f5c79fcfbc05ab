/**
 * `node scripts/torment/time-limits.ts [--parts 1000] [--limits 1,10,100,1000,10000,60000] [--lines 100] [--operations NAME,NAME]
 * [--again 5]`:
 * asks a real service for every operation with a request of many parts at each limit. What is allowed is an answer by
 * 1.1 of the limit and a second, or a 504 between .9 of the limit and then. So many lines in one body have the first
 * limit each. Prints what came; ends with 1 where anything else did. What is late by no more than the machine kept it
 * waiting is asked again. Where the clock never tells, the processor time that the service used must be within the
 * limit.
 */
import { parseArgs } from 'node:util';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { usedMs } from './pace.ts';
import { requestsOfManyParts } from './requests/many-parts.ts';
import { Stopwatch } from './run-delay.ts';
import { ServerUnderTorment } from './server-under-torment.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: '1000' },
    limits: { type: 'string', default: '1,10,100,1000,10000,60000' },
    lines: { type: 'string', default: '100' },
    operations: { type: 'string' },
    again: { type: 'string', default: '5' },
  },
});
const limits = values.limits.split(',').map(Number);
const asked = values.operations?.split(',');

const server = new ServerUnderTorment({ WORKERS: '1', QUICK_WORKER: 'false' });
await server.start();

/** A connection that is kept may be closed by the service in the moment in which it is used again. */
const alone = { connection: 'close' };

/** What came of a request, and whether that is allowed; undefined where the machine did not let it be judged. */
interface Said {
  readonly said: string;
  readonly allowed: boolean | undefined;
}

/** What of the machine one request had: its time by the clock, and that of the service by the processor. */
class Watch {
  readonly #clock = new Stopwatch(server);
  readonly #usedBefore = usedMs(server.pid);
  elapsed = 0;

  /** Looks at the clock, once the answer is there. */
  stop(): void {
    this.elapsed = this.#clock.elapsedMs();
  }

  /**
   * Whether a time is kept. It is undefined where it was missed by no more than the machine kept the request waiting,
   * and the clock may still tell.
   */
  kept(allowedMs: number, by: By): boolean | undefined {
    if (this.elapsed <= allowedMs) return true;
    if (this.elapsed > allowedMs + this.#clock.starvedMs()) return false;
    return by === 'clock' ? undefined : usedMs(server.pid) - this.#usedBefore <= allowedMs;
  }
}

type By = 'clock' | 'processor';

/** One request at one limit. */
async function ask(operation: string, body: object, limit: number, by: By): Promise<Said> {
  const watch = new Watch();
  const response = await fetch(`${server.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alone },
    body: JSON.stringify({ ...body, options: { timeLimitMs: limit } }),
  });
  const answer: { status?: unknown; detail?: string } = JSON.parse(await response.text());
  watch.stop();
  const { elapsed } = watch;
  const isEarly = response.status === 504 && elapsed < 0.9 * limit;
  const isOther = response.status !== 200 && response.status !== 504;
  const allowed = isEarly || isOther ? false : watch.kept(1.1 * limit + 1000, by);
  const detail = response.status === 200 ? answer.status : answer.detail;
  return { said: `${response.status} after ${Math.round(elapsed)} ms: ${detail}`, allowed };
}

/** Many lines in one body, each with the limit: each is answered, or a 504. */
async function askLines(operation: Operation, lines: number, limit: number, by: By): Promise<Said> {
  const request = Object(exampleRequest(operation.examples[0]));
  const line = JSON.stringify({ ...request, options: { timeLimitMs: limit } });
  const watch = new Watch();
  const response = await fetch(`${server.url}/v1/${operation.name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...alone },
    body: `${line}\n`.repeat(lines),
  });
  const answers = (await response.text()).trim().split('\n');
  watch.stop();
  const statuses = answers.map((text): unknown => {
    const answer: { status?: unknown; problem?: { status: number } } = JSON.parse(text);
    return answer.problem?.status ?? answer.status;
  });
  const late = statuses.filter((status) => status === 504).length;
  const answered = statuses.filter((status) => typeof status === 'string').length;
  const said = `${answered} answers and ${late} time limits to ${lines} lines after ${Math.round(watch.elapsed)} ms`;
  const allowed = answered + late === lines ? watch.kept(lines * (1.1 * limit + 1000), by) : false;
  return { said, allowed };
}

const againAtOnce = Number(values.again);
let wrong = 0;

/** Asks until it can be judged, the last time by the processor, and prints each try. */
async function judge(what: string, trial: (by: By) => Promise<Said>): Promise<void> {
  for (let time = 0; time <= againAtOnce; time++) {
    const by = time < againAtOnce ? 'clock' : 'processor';
    const { said, allowed } = await trial(by);
    const verdict = allowed === undefined ? 'starved ' : allowed ? '' : 'WRONG ';
    const judgedBy = by === 'clock' ? '' : ', judged by the processor where the clock cannot tell';
    process.stdout.write(`${verdict}${what}: ${said}${judgedBy}\n`);
    if (allowed === true) return;
    if (allowed === false) break;
  }
  wrong++;
}

for (const { operation, body } of requestsOfManyParts(Number(values.parts))) {
  if (asked !== undefined && !asked.includes(operation)) continue;
  for (const limit of limits) await judge(`${operation} in ${limit} ms`, (by) => ask(operation, body, limit, by));
}
for (const operation of operations) {
  if (asked !== undefined && !asked.includes(operation.name)) continue;
  const what = `${operation.name} in ${limits[0]} ms`;
  await judge(what, (by) => askLines(operation, Number(values.lines), limits[0], by));
}
await server.stop();
process.stdout.write(`${wrong} answers that are not allowed\n`);
process.exit(wrong === 0 ? 0 : 1);
