/**
 * An adversary. It sends requests made from the examples, from one example and another, from the schemas and from what
 * hurt before. It keeps those that held up the event loop longest or overran their limit most, to make worse ones of
 * them.
 */
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';
import type { Postponed } from './judgement.ts';
import { usedMs } from './pace.ts';
import { mutated, stretched } from './requests/mutations.ts';
import { recombined } from './requests/recombinations.ts';
import { Instances } from './requests/schema-instances.ts';
import { Patience, Stopwatch, type Watched } from './run-delay.ts';
import type { ServerUnderTorment } from './server-under-torment.ts';

export interface Attack {
  readonly operation: string;
  readonly body: string;
}

/** What one attack did. */
export interface Wound {
  readonly attack: Attack;
  readonly kind:
    | '5xx'
    | 'overtime'
    | 'never-judged'
    | 'stall'
    | 'optimal-with-a-gap'
    | 'below-its-bound'
    | 'false-conflict'
    | 'valid-but-refused'
    | 'key-passed'
    | 'forms-differ'
    | 'no-answer';
  readonly detail: string;
}

export interface Toll {
  requests: number;
  answers: number;
  refusals: number;
  timeLimits: number;
  readonly wounds: Wound[];
  /** How often something was late by no more than the machine kept it waiting, and what of it is to be tried again. */
  starved: number;
  readonly postponed: Postponed[];
  longestProbeMs: number;
}

export const newToll = (): Toll => ({
  requests: 0,
  answers: 0,
  refusals: 0,
  timeLimits: 0,
  wounds: [],
  starved: 0,
  postponed: [],
  longestProbeMs: 0,
});

const largestBody = 256 * 1024;
const kept = 40;
/** How far below its bound a rounding may leave a value. */
const rounding = 1e-9;

/** Makes attacks; remembers the worst. */
export class Adversary {
  readonly #random: Random;
  readonly #instances: Instances;
  readonly #paths: Readonly<Record<string, unknown>>;
  readonly #worst: { readonly attack: Attack; readonly score: number }[] = [];

  /** @param document the service's OpenAPI document */
  constructor(document: Readonly<Record<string, unknown>>, random: Random) {
    this.#random = random;
    this.#instances = new Instances(document, random, 0.01);
    this.#paths = Object(document.paths);
  }

  next(): Attack {
    const random = this.#random;
    if (this.#worst.length > 0 && random() < 0.35) {
      const { attack } = this.#worst[Math.floor(random() * this.#worst.length)];
      return { operation: attack.operation, body: this.#limited(damaged(attack.body, random)) };
    }
    const operation = operations[Math.floor(random() * operations.length)];
    const { name } = operation;
    if (random() < 0.25) return { operation: name, body: this.#limited(this.#instance(name)) };
    const example = (): unknown => exampleRequest(operation.examples[Math.floor(random() * operation.examples.length)]);
    const kind = random();
    if (kind < 0.6) {
      return { operation: name, body: this.#limited(JSON.stringify(recombined(example(), example(), random))) };
    }
    const body = kind < 0.7 ? mutated(example(), random) : stretched(example(), random);
    return { operation: name, body: this.#limited(body) };
  }

  /** Says how much an attack hurt, in milliseconds. */
  learn(attack: Attack, score: number): void {
    const worst = this.#worst;
    if (worst.length >= kept && score <= worst[worst.length - 1].score) return;
    worst.push({ attack, score });
    worst.sort((a, b) => b.score - a.score);
    if (worst.length > kept) worst.length = kept;
  }

  #instance(name: string): string {
    const operation: unknown = Reflect.get(this.#paths, `/v1/${name}`);
    const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'].reduce<unknown>(
      (at, step) => Reflect.get(Object(at), step),
      operation,
    );
    return stretched(this.#instances.generate(schema), this.#random);
  }

  /** The same body with a short time limit, so that the search gets on. */
  #limited(body: string): string {
    try {
      const value: unknown = JSON.parse(body);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
      const options: unknown = Reflect.get(value, 'options');
      if (options !== undefined && (typeof options !== 'object' || options === null)) return body;
      const timeLimitMs = 20 + Math.floor(this.#random() * 500);
      const limited = JSON.stringify({ ...value, options: { ...options, timeLimitMs } });
      return limited.length > largestBody ? body.slice(0, largestBody) : limited;
    } catch {
      return body.slice(0, largestBody);
    }
  }
}

function damaged(body: string, random: Random): string {
  try {
    return stretched(JSON.parse(body), random);
  } catch {
    return body;
  }
}

/** Who is attacked. */
interface Attacked extends Watched {
  readonly url: string;
}

/** What came of one attack besides its wounds. */
interface Outcome {
  /** By how many milliseconds the answer was late. */
  readonly overMs: number;
  /** False where it was late by no more than the machine kept it waiting. */
  readonly isJudged: boolean;
}

/** For how long after its limit an answer is waited for. */
const patienceMs = 20_000;

/** Sends one attack. */
export async function attack(
  attacked: Attacked,
  { operation, body }: Attack,
  toll: Toll,
  by: 'clock' | 'processor' = 'clock',
): Promise<Outcome> {
  const limit = timeLimitOf(body);
  const allowedMs = 1.1 * limit + 1000;
  const watch = new Stopwatch(attacked);
  const usedBefore = usedMs(attacked.pid);
  const gaveUp = new AbortController();
  const patience = new Patience(attacked, 1.1 * Math.min(limit, 1e6) + patienceMs, () => gaveUp.abort());
  toll.requests++;
  const wound = (kind: Wound['kind'], detail: string): void => {
    toll.wounds.push({ attack: { operation, body }, kind, detail });
  };
  try {
    const headers = { 'content-type': 'application/json' };
    const { signal } = gaveUp;
    const response = await fetch(`${attacked.url}/v1/${operation}`, { method: 'POST', headers, body, signal });
    const text = await response.text();
    const elapsed = watch.elapsedMs();
    if (response.status === 200) {
      toll.answers++;
      judge(text, wound);
    } else if (response.status === 504) toll.timeLimits++;
    else if (response.status < 500) toll.refusals++;
    else wound('5xx', `${response.status} ${text.slice(0, 300)}`);
    const overMs = elapsed - allowedMs;
    if (overMs <= 0) return { overMs: 0, isJudged: true };
    const starvedMs = watch.starvedMs();
    const isLate = overMs > starvedMs;
    const isJudged = isLate || (by === 'processor' && usedMs(attacked.pid) - usedBefore <= allowedMs);
    const waited = `the machine kept it waiting for ${Math.round(starvedMs)} ms`;
    if (isLate) wound('overtime', `${Math.round(elapsed)} ms with a limit of ${limit} ms; ${waited}`);
    return { overMs, isJudged };
  } catch (error) {
    wound('no-answer', String(error));
    return { overMs: 0, isJudged: true };
  } finally {
    patience.end();
  }
}

function timeLimitOf(body: string): number {
  try {
    const limit: unknown = JSON.parse(body)?.options?.timeLimitMs;
    return typeof limit === 'number' && limit > 0 ? limit : 10_000;
  } catch {
    return 10_000;
  }
}

/** How much of an optimal answer may be a gap. */
const provedGap = 1e-6;

/** Whether an answer claims what its own figures deny: optimal with a gap, or a value below its bound. */
export function judge(text: string, wound: (kind: Wound['kind'], detail: string) => void): void {
  const answer: { status?: string; objective?: { value?: number; bound?: number | null; gap?: number | null } } =
    JSON.parse(text);
  const { value, bound, gap } = answer.objective ?? {};
  if (answer.status === 'optimal' && typeof gap === 'number' && gap > provedGap) {
    wound('optimal-with-a-gap', `gap ${gap}`);
  }
  if (typeof value === 'number' && typeof bound === 'number' && value < bound - rounding * Math.abs(bound)) {
    wound('below-its-bound', `value ${value}, bound ${bound}`);
  }
}

/** Asks for a sign of life and keeps the longest wait. */
export async function probe(server: ServerUnderTorment, toll: Toll): Promise<void> {
  const start = performance.now();
  try {
    await (await fetch(`${server.url}/health/live`, { signal: AbortSignal.timeout(60_000) })).text();
  } catch {
    return;
  }
  toll.longestProbeMs = Math.max(toll.longestProbeMs, performance.now() - start);
}
