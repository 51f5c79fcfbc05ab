/** What if: the lever of every operation, what differs from a pinned answer, and repairs that really repair. */
import { describe, expect, it } from 'vitest';
import { requestJsonSchema } from '../../src/cli/json-schema.ts';
import { readConfig } from '../../src/config.ts';
import type { Answer } from '../../src/console/api/answer.ts';
import { isJsonObject, type JsonObject } from '../../src/console/api/json.ts';
import { number } from '../../src/console/pictures/read.ts';
import { withValue } from '../../src/console/request/pointer.ts';
import { differences, sameBut } from '../../src/console/whatif/differences.ts';
import { leverOf, operationsWithLever, stopsAround } from '../../src/console/whatif/levers.ts';
import { placeOf } from '../../src/console/whatif/place.ts';
import { type Repair, repairsOf, smallestRepair } from '../../src/console/whatif/repair.ts';
import { type Outcome, prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { exampleAnswer, exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const examples = operations.flatMap((operation) =>
  operation.examples.map((example) => {
    const request: unknown = exampleRequest(example);
    if (!isJsonObject(request)) throw new Error(`${example.name} is no object`);
    const answer: Answer = Object(exampleAnswer(example));
    return { operation, name: example.name, request, answered: { request, answer, extras: new Map() } };
  }),
);

function exampleOf(name: string): JsonObject {
  const found = examples.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no example ${name}`);
  return found.request;
}

function outcomeOf(operation: Operation, request: JsonObject): Outcome {
  const ready = prepareParsed(operation, request, readConfig({}));
  return ready.kind === 'ready' ? run(ready, unlimitedBudget(0), () => 0) : ready;
}

/** Solves in this process, as the service does. */
function statusOf(name: string, request: JsonObject): string {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const outcome = outcomeOf(operation, request);
  return outcome.kind === 'answer' ? String(outcome.facts.status) : `refused: ${JSON.stringify(outcome.problem)}`;
}

/** The request that a click on the repair makes. */
async function repaired(name: string, repair: Repair): Promise<JsonObject> {
  if (repair.kind === 'exact') return repair.request;
  const feasible = async (request: JsonObject): Promise<boolean> => !/infeasible|refused/.test(statusOf(name, request));
  const found = await smallestRepair(repair.search, feasible);
  if (found === undefined) throw new Error(`nothing found: ${repair.label}`);
  return found.request;
}

describe('the lever', () => {
  /** No number to turn: checks say themselves what is still open, and clicks are a matrix. */
  const unturned = ['update-process-checks', 'embarrassment-weights-clicks'];

  it('of every example is a number of its request, among its stops, and what it moves is in the answer', () => {
    for (const { operation, name, request, answered } of examples) {
      const lever = leverOf(operation.name, requestJsonSchema(operation.requestSchema), request, 'objective');
      if (answered.answer.solution === undefined || unturned.includes(name)) continue;
      if (lever === undefined) throw new Error(`${name} has no lever`);
      expect(lever.stops, name).toContain(lever.value);
      expect(lever.stops, name).toEqual(lever.stops.toSorted((a, b) => a - b));
      expect(lever.watched.of(answered.answer, request), name).toBeTypeOf('number');
      expect(lever.watched.of(answered.answer, request), name).not.toBeNaN();
    }
    expect(operations.map(({ name }) => name)).toEqual(expect.arrayContaining([...operationsWithLever]));
  });

  it('has stops at whole numbers where only those are allowed, equal ratios elsewhere, equal steps within bounds', () => {
    expect(stopsAround(3, true)[0]).toBe(1);
    expect(stopsAround(24, true).every(Number.isInteger)).toBe(true);
    const free = stopsAround(0.5, false);
    expect([free[0], free[free.length - 1]]).toEqual([0.125, 2]);
    expect(stopsAround(0.95, false, [0.5, 0.999]).at(-1)).toBe(0.999);
  });

  it('places a value above the thumb of the slider', () => {
    const stops = [1, 2, 4, 8];
    expect([0, 1, 3, 8, 9].map((value) => placeOf(stops, value))).toEqual([0, 0, 0.5, 1, 1]);
  });
});

describe('differences', () => {
  const before: JsonObject = { crawls: 24, pages: [{ id: 'a' }, { id: 'b', weight: 2 }], hosts: { x: [1, 2] } };

  it('name each place with its value before and after', () => {
    const after = withValue(withValue(before, ['crawls'], 40), ['pages', 1, 'weight'], undefined);
    expect(isJsonObject(after) && differences(before, after)).toEqual([
      { pointer: '/crawls', before: '24', after: '40' },
      { pointer: '/pages/1/weight', before: '2', after: 'not given' },
    ]);
    expect(differences(before, { ...before })).toEqual([]);
  });

  it('say in one line that a list has other rows', () => {
    expect(differences(before, { ...before, pages: [] })).toHaveLength(1);
  });

  it('tell whether only the lever was moved', () => {
    const moved = withValue(before, ['pages', 1, 'weight'], 3);
    expect(sameBut(before, moved, ['pages', 1, 'weight'])).toBe(true);
    expect(sameBut(before, moved, ['crawls'])).toBe(false);
    expect(sameBut(before, { ...before, crawls: 1, more: 1 }, ['crawls'])).toBe(false);
  });
});

describe('a repair', () => {
  const infeasible = examples.filter(({ answered }) => answered.answer.status === 'infeasible');

  it('is the smallest of its kind: by whole steps, and to a part of a hundred', async () => {
    for (const threshold of [6, 7, 29, 1000]) {
      const at = (value: number): JsonObject => ({ value });
      const does = async (request: JsonObject): Promise<boolean> => number(request, 'value') >= threshold;
      const whole = await smallestRepair({ from: 5, up: true, whole: true, at }, does);
      expect(whole?.value).toBe(threshold);
      const part = await smallestRepair({ from: 5, up: true, whole: false, at }, does);
      expect(part?.value).toBeGreaterThanOrEqual(threshold);
      expect(part?.value).toBeLessThan(threshold * 1.01);
    }
    const never = await smallestRepair({ from: 1, up: true, whole: true, at: () => ({}) }, async () => false);
    expect(never).toBeUndefined();
  });

  it('downwards stays above zero', async () => {
    const asked: number[] = [];
    await smallestRepair(
      { from: 10, up: false, whole: false, at: (value) => ({ value }) },
      async (request) => asked.push(number(request, 'value')) > 12,
    );
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(0);
  });

  it.each(infeasible.map((each) => [each.name, each] as const))(
    '%s: every one offered makes it feasible',
    async (_, { operation, answered }) => {
      const repairs = repairsOf(operation.name, answered);
      expect(repairs.length).toBeGreaterThan(0);
      for (const repair of repairs) {
        const request = await repaired(operation.name, repair);
        expect(statusOf(operation.name, request), repair.label).toMatch(/^(optimal|feasible|evaluated)$/);
      }
    },
  );

  const now = 1_760_000_000;
  const page = (id: string) => ({ id, host: 'slow.example', changeRate: 1e-4, lastCrawl: now - 600 });
  const plan = { now, interval: 86_400, crawls: 48, pages: [page('a'), page('b'), page('c')] };
  it.each([
    ['too few slots', 'crawls', { ...plan, crawls: 4, maxInterval: 20_000 }],
    ['a delay', 'delay', { ...plan, maxInterval: 20_000, hosts: [{ host: 'slow.example', minDelay: 9000 }] }],
    ['a rate', 'rate', { ...plan, maxInterval: 7200, hosts: [{ host: 'slow.example', maxRate: 1 / 20_000 }] }],
    ['windows', 'at all times', { ...plan, crawls: 2, windows: [{ from: '03:10', to: '03:20' }] }],
  ] as const)('of a plan that %s leave no room for says so, and each makes it feasible', async (_, said, request) => {
    const operation = operations.find(({ name }) => name === 'crawl-plan');
    if (operation === undefined) throw new Error('no crawl-plan');
    const outcome = outcomeOf(operation, request);
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome.problem));
    const answer: Answer = JSON.parse(outcome.json);
    expect(answer.status).toBe('infeasible');
    const answered = { request, answer, extras: new Map() };
    const repairs = repairsOf('crawl-plan', answered);
    expect(repairs.map(({ label }) => label).join()).toContain(said);
    for (const repair of repairs) {
      expect(statusOf('crawl-plan', await repaired('crawl-plan', repair)), repair.label).toMatch(
        /^(optimal|feasible)$/,
      );
    }
  });

  const poisson = { updates: { type: 'poisson', rate: 1 } };
  const tight = { starvationProbability: 0.1, lossProbability: 0.001 };
  const exponential = { type: 'exponential', rate: 4 };
  const count = { crawlerRate: 0.4, indexing: exponential, capacity: 10, starvationWeight: 4.8 };
  const activation = { crawlerRate: 0.05, indexingRate: 1, capacity: 4, crawlers: 30, starvationWeight: 1.2 };
  const threshold = exampleOf('threshold-policy-paper');
  it.each([
    ['crawl-allocation', { interval: 1, crawls: 1, pages: [{ ...poisson, minCrawls: 2 }, poisson] }],
    ['crawl-schedule', { interval: 1, crawlers: [{ slots: 2 }], pages: [{ ...poisson, minCrawls: 5 }] }],
    [
      'access-frequencies',
      {
        pages: [{ changeRate: 1 }, { changeRate: 2 }],
        accessTime: { type: 'exponential', rate: 3 },
        policy: 'deterministic',
        minFrequency: 0.6,
      },
    ],
    ['crawler-count', { ...count, constraints: tight }],
    ['activation-policy', { ...activation, constraints: tight }],
    ['threshold-policy', { ...threshold, constraints: { lossProbability: 0.05 } }],
    ['threshold-policy', { ...threshold, constraints: { lossProbability: 0.16, starvationProbability: 0.06 } }],
  ] as const)('of %s by the numbers of its conflict makes it feasible', async (name, request) => {
    const operation = operations.find((each) => each.name === name);
    if (operation === undefined) throw new Error(name);
    const outcome = outcomeOf(operation, request);
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome.problem));
    const answer: Answer = JSON.parse(outcome.json);
    expect(answer.status).toBe('infeasible');
    const repairs = repairsOf(name, { request, answer, extras: new Map() });
    expect(repairs.length).toBeGreaterThan(0);
    for (const repair of repairs) {
      expect(statusOf(name, await repaired(name, repair)), repair.label).toMatch(/^(optimal|feasible)$/);
    }
  });
});
