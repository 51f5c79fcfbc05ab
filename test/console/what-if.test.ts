/** What if: the lever of every operation. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/console/api/json.ts';
import { firstFields } from '../../src/console/contract/answer-fields.ts';
import { equalExcept, withValue } from '../../src/console/request/pointer.ts';
import { leverOf, leverStops, measureOf } from '../../src/console/whatif/levers.ts';
import { exampleNamed, examples, questionOf } from './questions-of-contract.ts';

describe('the lever', () => {
  const levers = examples.flatMap(({ operation, name, exchange: { request, answer } }) => {
    const question = questionOf(operation);
    const lever = leverOf(question.schema, request);
    return lever && answer.solution ? [{ name, question, lever, answer }] : [];
  });

  it('is a number that the contract marks, one of its stops, and moves a measure of the answer', () => {
    expect(levers.length).toBeGreaterThan(0);
    for (const { name, question, lever, answer } of levers) {
      expect(lever.stops, name).toContain(lever.value);
      expect(lever.stops, name).toEqual(lever.stops.toSorted((a, b) => a - b));
      const watched = measureOf(question.answer(), answer);
      if (watched !== undefined) expect(watched.of(answer), name).not.toBeNaN();
    }
  });

  it('names its row, and leaves units out of its axis', () => {
    const of = (name: string) => levers.find((each) => each.name === name);
    expect(of('crawl-schedule')?.lever.label).toBe('slots of north');
    expect(of('access-sequence')?.lever.label).toBe('change rate of home');
    expect(of('service-time')).toBeUndefined();
    for (const { name, question, answer } of levers) {
      const watched = measureOf(question.answer(), answer);
      if (watched !== undefined) expect(watched.tick(watched.of(answer)), name).toMatch(/^[−\d.,e]+( (s|min|h|d))?%?$/);
    }
  });

  it('labels its figures without the words that all their labels share', () => {
    const { operation, exchange } = exampleNamed('simulations-queue-activation');
    const labels = firstFields(questionOf(operation).answer(), exchange.answer);
    expect(labels.map(({ meaning }) => meaning.label)).toEqual(['starvation probability', 'active crawlers']);
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

  it('is the first in the order of the schema, given or by default, in rows and in variants', () => {
    expect(leverOf(schema, {})).toMatchObject({ path: ['wait'], label: 'longest wait', value: 0.5 });
    const { wait: _, ...properties } = schema.properties;
    const without = { ...schema, properties };
    expect(leverOf(without, { crew: [{ slots: 3 }] })).toMatchObject({ path: ['crew', 0, 'slots'], value: 3 });
    expect(leverOf(without, { law: { type: 'b', mean: 4 } })).toMatchObject({ path: ['law', 'mean'], value: 4 });
    expect(leverOf(without, { name: 'none' })).toBeUndefined();
  });

  it('has stops at whole numbers where only those are allowed, equal ratios elsewhere, equal steps within bounds', () => {
    expect(leverStops(3, true, { factor: 4 })[0]).toBe(1);
    expect(leverStops(0, false, { factor: 4 }, 0)[0]).toBe(0);
    expect(leverStops(24, true, { factor: 4 }).every(Number.isInteger)).toBe(true);
    const free = leverStops(0.5, false, { factor: 4 });
    expect([free[0], free[free.length - 1]]).toEqual([0.125, 2]);
    expect(leverStops(0.95, false, { from: 0.5, to: 0.999 }).at(-1)).toBe(0.999);
  });
});

it('was the only change if all other parts of the request are identical objects', () => {
  const original: JsonObject = { crawls: 24, pages: [{ id: 'a' }, { id: 'b', weight: 2 }], hosts: { x: [1, 2] } };
  const moved = withValue(original, ['pages', 1, 'weight'], 3);
  expect(equalExcept(original, moved, ['pages', 1, 'weight'])).toBe(true);
  expect(equalExcept(original, moved, ['crawls'])).toBe(false);
  expect(equalExcept(original, { ...original, crawls: 1, more: 1 }, ['crawls'])).toBe(false);
});
