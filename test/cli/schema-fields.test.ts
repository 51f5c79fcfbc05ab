/** A JSON Schema of the contract, as fields for people. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { requestJsonSchema } from '../../scripts/json-schema.ts';
import { fieldsOf } from '../../scripts/schema-fields.ts';
import { count, plain, rate, share, time } from '../../src/schemas/contract/field.ts';
import { distribution } from '../../src/schemas/parts/distribution.ts';

const schema = requestJsonSchema(
  z.object({
    interval: z.number().positive().meta(time('How long')),
    refusals: z
      .number()
      .default(0.01)
      .meta(share('Part refused', { role: 'advanced' })),
    law: z.union([z.number().meta(rate('Its rate')), distribution]).meta(plain('A law')),
    crawlers: z.array(z.object({ slots: z.int().meta(count('Slots', { unit: 'slots' })) })).meta(plain('Who crawls')),
    policy: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('rates').describe('By rates'), spacing: z.string().describe('Spacing') }),
        z.object({ type: z.literal('plan').describe('By plans'), every: z.number().meta(time('How often')) }),
      ])
      .meta(plain('What is done')),
  }),
);

describe('fields of a schema', () => {
  const { fields, parts } = fieldsOf(schema, 'seconds');
  const named = new Map(fields.map((field) => [field.path, field]));

  it('stand in the order of the schema, each at its path', () => {
    expect([...named.keys()]).toEqual([
      'interval',
      'refusals',
      'law',
      'crawlers',
      'crawlers[].slots',
      'policy',
      'policy(rates)',
      'policy(rates).spacing',
      'policy(plan)',
      'policy(plan).every',
    ]);
  });

  it('have a unit from the schema, never from the description', () => {
    expect(named.get('interval')).toMatchObject({ unit: 'seconds', type: 'number > 0', required: true });
    expect(named.get('crawlers[].slots')).toMatchObject({ unit: 'slots' });
    expect(fieldsOf(schema).fields[0].unit).toBe('time units');
    expect(named.get('refusals')).toMatchObject({ unit: 'share', fallback: '0.01', required: false, role: 'advanced' });
  });

  it('name shared parts and list them apart', () => {
    expect(named.get('law')?.type).toBe('number | Law');
    expect([...parts.keys()]).toEqual(['Law']);
  });
});
