/** Generators of clients make a class of each component of the OpenAPI document: all have names that people would choose. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/console/api/json.ts';
import { operations } from '../../src/operations/index.ts';

const text = readFileSync('openapi/openapi.json', 'utf8');
const document = JSON.parse(text);
const components = Object.entries<Record<string, unknown>>(document.components.schemas);

/** All subschemas of a schema, each with its path. */
function subschemasOf(schema: unknown, path = ''): [string, Record<string, unknown>][] {
  if (Array.isArray(schema)) return schema.flatMap((each, i) => subschemasOf(each, `${path}/${i}`));
  if (!isRecord(schema)) return [];
  return [[path, schema], ...Object.entries(schema).flatMap(([name, inner]) => subschemasOf(inner, `${path}/${name}`))];
}

/** A schema without an id for which a generator would make up a name: an object, a choice of words, a matrix. */
const isNameless = ({ type, properties, enum: words, items }: Record<string, unknown>): boolean =>
  (type === 'object' && isRecord(properties)) ||
  (Array.isArray(words) && words.length > 1) ||
  (isRecord(items) && items.type === 'array' && isRecord(items.items) && items.items.minimum !== undefined);

describe('the components of the OpenAPI document', () => {
  it('are called after what they are, none by a number', () => {
    const names = components.map(([name]) => name);
    expect(names.filter((name) => !/^([A-Z][a-z]*)+$/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['CrawlPlanRequest', 'CrawlPlanAnswer', 'CrawlPlanPage', 'SquareMatrix']),
    );
  });

  it('hold every object, word and matrix: none is left to name', () => {
    const nameless = components.flatMap(([name, schema]) =>
      subschemasOf(schema)
        .filter(([path, inner]) => path !== '' && isNameless(inner))
        .map(([path]) => name + path),
    );
    expect(nameless).toEqual([]);
  });

  it('say by which property the objects of a choice are told apart', () => {
    const choices = components.flatMap(([name, schema]) =>
      subschemasOf(schema)
        .filter(([, inner]) => Array.isArray(inner.oneOf))
        .map(([path, inner]) => [name + path, inner] as const),
    );
    expect(choices.length).toBeGreaterThan(2);
    expect(
      choices.filter(
        ([, { oneOf, discriminator }]) => !JSON.stringify(oneOf).includes(`"number"`) && discriminator === undefined,
      ),
    ).toEqual([]);
  });

  it('are the request and the answer of each operation', () => {
    for (const { name } of operations) {
      const { post } = document.paths[`/v1/${name}`];
      expect(post.requestBody.content['application/json'].schema.$ref, name).toMatch(/schemas\/\w+Request$/);
      expect(post.responses[200].content['application/json'].schema.$ref, name).toMatch(/schemas\/\w+Answer$/);
    }
  });
});
