/**
 * Requests whose limits clash, made at random, to every operation whose conflicts offer repairs. Also a request with
 * the changes of a repair made, as a caller would make them.
 */
import { exampleRequest } from '../../../src/examples.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

const now = 1_760_000_000;
const day = 86_400;

/** 10 to a power between two. */
const power = (random: Random, least: number, most: number): number => 10 ** (least + (most - least) * random());

const whole = (random: Random, least: number, most: number): number =>
  Math.floor(least + (most - least + 1) * random());

/** Some of these limits, each some share of what it may be about. */
function limits(random: Random, about: Readonly<Record<string, number>>): Record<string, number> {
  const names = Object.keys(about);
  const first = whole(random, 0, names.length - 1);
  const chosen = names.filter((_, k) => k === first || random() < 0.5);
  return Object.fromEntries(chosen.map((name) => [name, about[name] * power(random, -4, 0)]));
}

const law = (random: Random): unknown =>
  random() < 0.4
    ? power(random, -1, 1)
    : random() < 0.5
      ? { type: 'erlang', shape: whole(random, 1, 5), rate: power(random, -1, 1) }
      : { type: 'hyperexponential', probabilities: [0.3, 0.7], rates: [power(random, -2, 0), power(random, 0, 1)] };

/** A share of the time that copies are to be right, or wrong. */
const target = (random: Random): object =>
  random() < 0.5 ? { freshness: 1 - power(random, -4, -0.5) } : { staleness: power(random, -4, -0.5) };

type Generator = (random: Random) => object;

const generators: Readonly<Record<string, Generator>> = {
  'crawler-count': (random) => ({
    capacity: whole(random, 1, 30),
    crawlerRate: power(random, -2, 0.5),
    service: law(random),
    costs: { starvation: power(random, -1, 1), crawler: random() < 0.5 ? 0 : power(random, -3, -1) },
    crawlers: whole(random, 1, 40),
    constraints: limits(random, { starvationProbability: 1, lossRate: 1, lossProbability: 1, meanQueueLength: 5 }),
  }),
  'activation-policy': (random) => ({
    capacity: whole(random, 1, 8),
    crawlerRate: power(random, -2, 0),
    service: power(random, -0.5, 0.5),
    costs: { starvation: power(random, -1, 1), crawler: random() < 0.5 ? 0 : power(random, -3, -1) },
    crawlers: whole(random, 1, 12),
    constraints: limits(random, {
      starvationProbability: 0.5,
      lossRate: 0.5,
      lossProbability: 0.5,
      meanQueueLength: 2,
      activeCrawlers: 4,
    }),
  }),
  'threshold-policy': (random) => ({
    ...thresholds,
    capacity: whole(random, 1, 3),
    constraints: limits(random, {
      lossProbability: 0.5,
      obsolescenceProbability: 0.5,
      starvationProbability: 0.5,
      responseTime: 1,
      activeCrawlers: 2,
    }),
    ...(random() < 0.3 && { observe: 'arrival-phase' }),
  }),
  'access-frequencies': (random) => ({
    pages: Array.from({ length: whole(random, 1, 8) }, (_, i) => ({
      changeRate: power(random, -2, 2),
      ...(i % 2 === 0 && { class: 'a' }),
    })),
    accessTime: { type: 'exponential', rate: power(random, 0, 2) },
    policy: 'deterministic',
    ...(random() < 0.7 && { target: target(random) }),
    ...(random() < 0.5 && { minFrequency: power(random, -2, 0) }),
  }),
  'access-sequence': (random) => ({
    pages: Array.from({ length: whole(random, 1, 8) }, () => ({ changeRate: power(random, -2, 2) })),
    accessTime: { type: 'exponential', rate: power(random, 0, 2) },
    minFrequency: power(random, -1, 0),
  }),
  'crawl-allocation': (random) => ({
    interval: 1,
    target: target(random),
    pages: Array.from({ length: whole(random, 2, 10) }, (_, i) => ({
      changeRate: power(random, -1, 1.5),
      maxCrawls: whole(random, 1, 20),
      ...(i % 2 === 0 && { host: 'a' }),
      ...(i % 3 === 0 && { class: 'a' }),
    })),
    ...(random() < 0.5 && { hosts: [{ host: 'a', maxCrawls: whole(random, 1, 9) }] }),
  }),
  'crawl-price': (random) => ({
    target: target(random),
    buckets: Array.from({ length: whole(random, 1, 9) }, (_, i) => {
      const [changeRate, weight] = [power(random, -3, 1), power(random, -1, 1)];
      const ratio = weight / changeRate;
      const sums = { pages: 1, changeRate, weight, changeRateLogRatio: changeRate * Math.log(ratio) };
      return { ...sums, ratioMin: ratio, ratioMax: ratio, host: `h${i % 2}` };
    }),
    hosts: ['h0', 'h1'].map((host) => ({ host, maxRate: power(random, -3, 1) })),
  }),
  'crawl-plan': (random) => {
    const means = whole(random, 1, 3);
    return {
      now,
      interval: day,
      ...(means === 1 && { crawls: whole(random, 5, 205) }),
      ...(means === 2 && { crawlers: [{ slots: whole(random, 3, 63) }, { slots: whole(random, 0, 60) }] }),
      ...(means === 3 && { target: target(random) }),
      maxInterval: Math.round(4000 + 30_000 * random()),
      hosts: [
        {
          host: 'h0',
          minDelay: Math.round(6000 * random()),
        },
        { host: 'h1', maxRate: power(random, -5, -3) },
      ],
      pages: Array.from({ length: whole(random, 3, 14) }, (_, i) => ({
        changeRate: power(random, -6, -3),
        lastCrawl: now - Math.floor(day * random()),
        host: `h${i % 3}`,
        ...(means === 3 && i % 2 === 0 && { class: 'a' }),
        ...(random() < 0.3 && { maxInterval: Math.round(1000 + 40_000 * random()) }),
        ...(means === 3 && random() < 0.2 && { minInterval: 900, notBefore: now + Math.floor(day * random()) }),
        ...(means === 0 && { cost: { unchanged: 1, changed: 1 + 3 * random() } }),
      })),
    };
  },
};

const thresholdExample = operations.find(({ name }) => name === 'threshold-policy')?.examples[0];
const thresholds: object = Object(thresholdExample && exampleRequest(thresholdExample));

/** The operations whose conflicts offer repairs. */
export const repairing: readonly string[] = Object.keys(generators);

/** A request to one of them, whose limits may clash. */
export function limited(operation: string, random: Random): object {
  return generators[operation](random);
}

/** A change that a repair asks for. */
interface Change {
  readonly pointer: string;
  readonly value?: number;
  readonly factor?: number;
  readonly remove?: boolean;
}

/** What a conflict offers: changes that are needed together. */
export interface Repair {
  readonly detail: string;
  readonly changes: readonly Change[];
}

/** A copy of a request with the changes made; `*` stands for every row that has the property. */
export function repaired(request: object, changes: readonly Change[]): object {
  const copy = structuredClone(request);
  for (const { pointer, value, factor = 1, remove } of changes) {
    const put = (at: unknown, [step, ...rest]: readonly string[]): void => {
      if (typeof at !== 'object' || at === null) return;
      if (step === '*') for (const each of Object.values(at)) put(each, rest);
      else if (rest.length > 0) put(Reflect.get(at, step), rest);
      else if (remove) Reflect.deleteProperty(at, step);
      else if (step in at) Reflect.set(at, step, value ?? Number(Reflect.get(at, step)) * factor);
    };
    put(copy, pointer.slice(1).split('/'));
  }
  return copy;
}
