/** What if: the lever of every operation, what differs from a pinned answer. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/console/api/answer.ts';
import { isJsonObject, type JsonObject } from '../../src/console/api/json.ts';
import { firstFields } from '../../src/console/contract/answer-fields.ts';
import { boughtAlong } from '../../src/console/pictures/curves/bought-along.ts';
import { placeOf } from '../../src/console/pictures/frame/along-curve.ts';
import { withValue } from '../../src/console/request/pointer.ts';
import { curveNotes } from '../../src/console/whatif/curve-axis.ts';
import { differences, sameBut } from '../../src/console/whatif/differences.ts';
import { leverOf, stopsAround, watchedOf } from '../../src/console/whatif/levers.ts';
import { exampleAnswer, exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { questionOf } from './questions-of-contract.ts';

const examples = operations.flatMap((operation) =>
  operation.examples.map((example) => {
    const request: unknown = exampleRequest(example);
    if (!isJsonObject(request)) throw new Error(`${example.name} is no object`);
    const answer: Answer = Object(exampleAnswer(example));
    return { operation, name: example.name, request, answered: { request, answer, extras: new Map() } };
  }),
);

describe('the lever', () => {
  const levers = examples.flatMap(({ operation, name, request, answered }) => {
    const question = questionOf(operation.name);
    const lever = leverOf(question.schema, request);
    return lever && answered.answer.solution ? [{ name, question, lever, answer: answered.answer }] : [];
  });

  it('is a number that the contract says people vary, among its stops; what it moves is in the answer', () => {
    expect(levers.length).toBeGreaterThan(0);
    for (const { name, question, lever, answer } of levers) {
      expect(lever.stops, name).toContain(lever.value);
      expect(lever.stops, name).toEqual(lever.stops.toSorted((a, b) => a - b));
      const watched = watchedOf(question.answer(), answer);
      if (watched !== undefined) expect(watched.of(answer), name).not.toBeNaN();
    }
  });

  it('is said to be of its row, and its axis has no units that would be cut off', () => {
    const of = (name: string) => levers.find((each) => each.name === name);
    expect(of('crawl-schedule')?.lever.label).toBe('slots of north');
    expect(of('access-sequence')?.lever.label).toBe('change rate of front');
    expect(of('service-time')).toBeUndefined();
    for (const { name, question, answer } of levers) {
      const watched = watchedOf(question.answer(), answer);
      if (watched !== undefined) expect(watched.tick(watched.of(answer)), name).toMatch(/^[−\d.,e]+( (s|min|h|d))?%?$/);
    }
  });

  it('has a logarithmic axis where one end would press the rest flat, and says so', () => {
    const notes = (...values: number[]) => curveNotes({ points: values.map((watched, value) => ({ value, watched })) });
    expect(notes(76, 76, 77, 80, 110, 8000)).toBe('the axis is logarithmic');
    expect(notes(24, 25, 28, 42, 87, Number.NaN)).toBe('×: no solution');
    expect(notes(-1, 0, 0, 0, 8000)).toBe('the axis does not begin at zero');
    expect(notes(96, 97, 98)).toBe('the axis does not begin at zero');
  });

  it('moves figures that are called without what all their names share', () => {
    const name = 'simulations-queue-activation';
    const example = examples.find((each) => each.name === name);
    if (example === undefined) throw new Error(`no example ${name}`);
    const labels = firstFields(questionOf('simulations/queue').answer(), example.answered.answer);
    expect(labels.map(({ meaning }) => meaning.label)).toEqual(['starvation probability', 'active crawlers']);
  });

  const withCurve = ['crawl-plan', 'crawl-allocation', 'crawl-price'];

  it('is the number that what crawls buy stands along, which then has the curve', () => {
    const along = examples.flatMap(({ operation, name, request }) => {
      const bought = withCurve.includes(operation.name) ? boughtAlong(request) : undefined;
      return bought === undefined ? [] : [[name, leverOf(questionOf(operation.name).schema, request)?.path, [bought]]];
    });
    expect(along.length).toBeGreaterThan(5);
    for (const [name, lever, bought] of along) expect(lever, String(name)).toEqual(bought);
  });

  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      wait: { type: 'number', default: 0.5, 'x-lever': { from: 0, to: 1 }, 'x-label': 'longest wait' },
      crew: {
        type: 'array',
        items: { type: 'object', properties: { slots: { type: 'integer', 'x-lever': { factor: 4 } } } },
      },
      law: {
        oneOf: [
          { type: 'object', properties: { type: { const: 'a' }, rate: { type: 'number', 'x-lever': { factor: 2 } } } },
          { type: 'object', properties: { type: { const: 'b' }, mean: { type: 'number', 'x-lever': { factor: 2 } } } },
        ],
      },
    },
  };

  it('is found in the order of the schema, by default where it is not given, in rows and in the form of a value', () => {
    expect(leverOf(schema, {})).toMatchObject({ path: ['wait'], label: 'longest wait', value: 0.5 });
    const { wait: _, ...properties } = schema.properties;
    const without = { ...schema, properties };
    expect(leverOf(without, { crew: [{ slots: 3 }] })).toMatchObject({ path: ['crew', 0, 'slots'], value: 3 });
    expect(leverOf(without, { law: { type: 'b', mean: 4 } })).toMatchObject({ path: ['law', 'mean'], value: 4 });
    expect(leverOf(without, { name: 'none' })).toBeUndefined();
  });

  it('has stops at whole numbers where only those are allowed, equal ratios elsewhere, equal steps within bounds', () => {
    expect(stopsAround(3, true, { factor: 4 })[0]).toBe(1);
    expect(stopsAround(0, false, { factor: 4 }, 0)[0]).toBe(0);
    expect(stopsAround(24, true, { factor: 4 }).every(Number.isInteger)).toBe(true);
    const free = stopsAround(0.5, false, { factor: 4 });
    expect([free[0], free[free.length - 1]]).toEqual([0.125, 2]);
    expect(stopsAround(0.95, false, { from: 0.5, to: 0.999 }).at(-1)).toBe(0.999);
  });

  it('places a value above the thumb of the slider', () => {
    const stops = [1, 2, 4, 8];
    expect([0, 1, 3, 8, 9].map((value) => placeOf(stops, value))).toEqual([0, 0, 1.5, 3, 3]);
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
