/**
 * What a search over bodies does not reach. These are other spellings of a path, heads that lie, pipelining,
 * half-closed callers, and the forms of one request and its repeats compared. Damaged Arrow streams, limits that many
 * parts share, more requests than workers, and the command line beside the service are here too.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Float64, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';
import { judged } from './judgement.ts';
import { requestsOfManyParts } from './requests/many-parts.ts';
import { exchanged, lyingBytes, requestBytes, respelt, statusesIn } from './requests/raw-http.ts';
import { Stopwatch } from './run-delay.ts';
import { type Attack, attack, type Toll, type Wound } from './search.ts';
import type { ServerUnderTorment } from './server-under-torment.ts';

/** Who is asked: a service without keys, and one that asks for them. */
export interface Asked {
  readonly open: ServerUnderTorment;
  readonly guarded: ServerUnderTorment;
}

type Said = (kind: Wound['kind'], attacked: Attack, detail: string) => void;
type Kind = (asked: Asked, random: Random, said: Said, toll: Toll) => Promise<void>;

const small = '{"crawlerRate":0.01,"service":1,"capacity":40,"costs":{"starvation":1.2}}';
const smallAttack: Attack = { operation: 'crawler-count', body: small };
const run = promisify(execFile);

/** A limit that no example needs. What has taken as long as that stopped early, and can be compared with nothing. */
const ampleMs = 300_000;
const isStopped = (watch: Stopwatch): boolean => watch.elapsedMs() > 0.9 * ampleMs;

/** A request that an example is, to an operation of its own. */
function exampleOf(random: Random): Attack {
  const operation = operations[Math.floor(random() * operations.length)];
  const example = operation.examples[Math.floor(random() * operation.examples.length)];
  const request = { ...Object(exampleRequest(example)), options: { timeLimitMs: ampleMs, seed: 5 } };
  return { operation: operation.name, body: JSON.stringify(request) };
}

/** An answer without its times. */
function told(text: string): unknown {
  const { statistics: _, ...answer } = JSON.parse(text);
  return answer;
}

/** One request in another form of its bytes, and its answer as JSON text. */
async function answeredAs(url: string, { operation, body }: Attack, form: string): Promise<string> {
  const coders: Readonly<Record<string, (text: string) => Buffer>> = {
    gzip: gzipSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  };
  const coded = coders[form]?.(body) ?? Buffer.from(body);
  const lines = form === 'lines';
  const headers = {
    'content-type': lines ? 'application/x-ndjson' : 'application/json',
    ...(form in coders && { 'content-encoding': form }),
  };
  const response = await fetch(`${url}/v1/${operation}`, { method: 'POST', headers, body: new Uint8Array(coded) });
  return (await response.text()).trim();
}

const kinds: Readonly<Record<string, Kind>> = {
  async paths({ guarded }, random, said) {
    const target = respelt('/v1/crawler-count', random);
    const key = random() < 0.3 ? ['Authorization: Bearer wrong'] : [];
    const received = await exchanged(guarded, requestBytes(target, small, [...key, 'Connection: close']));
    const [status = 0] = statusesIn(received);
    if (status < 400 || status >= 500) said('key-passed', smallAttack, `${status} for ${target}`);
  },

  async heads({ open }, random, said) {
    const bytes = lyingBytes('/v1/crawler-count', small, random);
    const received = await exchanged(open, bytes, true);
    if (statusesIn(received).includes(500)) said('5xx', smallAttack, bytes.slice(0, 300));
  },

  async pipelining({ open }, random, said, toll) {
    const count = 2 + Math.floor(4 * random());
    const many = requestBytes('/v1/crawler-count', small).repeat(count);
    await judged(toll, smallAttack, async () => {
      const received = await exchanged(open, many + requestBytes('/v1/limits', '', ['Connection: close']));
      const statuses = statusesIn(received);
      // The limit that they have by default is one that a machine with other work may reach.
      if (statuses.includes(504)) return false;
      const right = statuses.length === count + 1 && statuses.slice(0, count).every((status) => status === 200);
      if (!right) said('no-answer', smallAttack, `${statuses} to ${count} requests in one go`);
      return true;
    });
  },

  async halves({ open }, random, said) {
    const one = exampleOf(random);
    const received = await exchanged(open, requestBytes(`/v1/${one.operation}`, one.body), true);
    const statuses = statusesIn(received);
    const right = received.startsWith('HTTP/1.1 ') && statuses.length === 1 && [200, 504].includes(statuses[0]);
    if (!right) said('no-answer', one, `${statuses} to a caller that has closed its half: ${received.slice(0, 300)}`);
  },

  async forms({ open }, random, said, toll) {
    const one = exampleOf(random);
    const forms = ['gzip', 'br', 'zstd', 'lines', 'json'];
    const form = forms[Math.floor(random() * forms.length)];
    await judged(toll, one, async () => {
      const watch = new Stopwatch(open);
      const plain = await answeredAs(open.url, one, 'json');
      const other = await answeredAs(open.url, one, form);
      if (isStopped(watch)) return false;
      if (!isDeepStrictEqual(told(plain), told(other))) said('forms-differ', one, `as ${form}: ${other.slice(0, 300)}`);
      return true;
    });
  },

  async arrow({ open }, random, said) {
    const table = new Table({ changeRate: vectorFromArray(Array.from({ length: 20 }, random), new Float64()) });
    table.schema.metadata.set('request', '{"interval":10,"crawls":15}');
    const stream = Buffer.from(tableToIPC(table, 'stream'));
    for (let damaged = Math.floor(4 * random()); damaged > 0; damaged--) {
      stream[Math.floor(random() * stream.length)] = Math.floor(256 * random());
    }
    const body = new Uint8Array(random() < 0.3 ? stream.subarray(0, Math.floor(random() * stream.length)) : stream);
    const headers = { 'content-type': 'application/vnd.apache.arrow.stream' };
    const response = await fetch(`${open.url}/v1/crawl-allocation`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    const attacked = { operation: 'crawl-allocation', body: stream.toString('base64') };
    if (response.status >= 500 && response.status !== 504) said('5xx', attacked, `${response.status} to Arrow`);
  },

  async limits({ open }, random, _said, toll) {
    const requests = requestsOfManyParts(30);
    const { operation, body } = requests[Math.floor(random() * requests.length)];
    const timeLimitMs = Math.ceil(10 ** (2.5 * random()));
    const one = { operation, body: JSON.stringify({ ...body, options: { timeLimitMs } }) };
    await judged(toll, one, async (by) => (await attack(open, one, toll, by)).isJudged);
  },

  async crowds({ open }, random, _said, toll) {
    const limited = Array.from({ length: 6 }, () => {
      const { operation, body } = exampleOf(random);
      const options = { timeLimitMs: 20 + Math.floor(300 * random()) };
      return { operation, body: JSON.stringify({ ...JSON.parse(body), options }) };
    });
    await judged(toll, limited[0], async (by) => {
      const outcomes = await Promise.all(limited.map((each) => attack(open, each, toll, by)));
      return outcomes.every(({ isJudged }) => isJudged);
    });
  },

  async commands({ open }, random, said, toll) {
    const one = exampleOf(random);
    const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
    await judged(toll, one, async () => {
      const watch = new Stopwatch(open);
      const answer = await answeredAs(open.url, one, 'json');
      const asked = run(process.execPath, [cli, one.operation, '-'], { maxBuffer: 2 ** 28 });
      asked.child.stdin?.end(one.body);
      // A request without a solution ends with 1 and says why on stdout.
      const { stdout } = await asked.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
      if (isStopped(watch)) return false;
      const same = stdout !== '' && isDeepStrictEqual(told(answer), told(stdout));
      if (!same)
        said('forms-differ', one, `on the command line: ${stdout.slice(0, 300)}; beside ${answer.slice(0, 300)}`);
      return true;
    });
  },
};

export const oddKinds: readonly string[] = Object.keys(kinds);

/** Sends one odd request, and adds to the toll what was wrong with what came of it. */
export async function oddRequest(kind: string, asked: Asked, random: Random, toll: Toll): Promise<void> {
  toll.requests++;
  const said: Said = (wound, attacked, detail) => {
    toll.wounds.push({ kind: wound, attack: attacked, detail: `${kind}: ${detail}` });
  };
  try {
    await kinds[kind](asked, random, said, toll);
  } catch (error) {
    said('no-answer', smallAttack, String(error));
  }
  await asked.guarded.check();
}
