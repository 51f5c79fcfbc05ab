/**
 * The documents: Swagger UI at /docs shows the one document, made once, which says the errors once, has real answers,
 * and leads to the console.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleAnswer } from '../../src/package.ts';
import { testService } from './test-service.ts';

let app: App;
beforeAll(async () => {
  app = await testService();
});
afterAll(() => app.server.close());

it('shows the one document there is, with recorded answers and a link to the console in every operation', async () => {
  const document = (await app.server.inject('/openapi.json')).json();
  expect((await app.server.inject('/docs/json')).json()).toEqual(document);
  expect((await app.server.inject('/docs/')).payload).toContain('swagger-ui');
  expect(document.openapi).toBe('3.1.0');
  for (const { name, examples } of operations) {
    const { externalDocs, requestBody, responses } = document.paths[`/v1/${name}`].post;
    expect(externalDocs.url).toBe(`console/#/${name}`);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '413', '415', '422', '503', '504']));
    expect(Object.keys(requestBody.content['application/json'].examples)).toEqual(examples.map((each) => each.name));
    const examplesOf = responses['200'].content['application/json'].examples;
    for (const [example, { value }] of Object.entries<{ value: unknown }>(examplesOf)) {
      expect(value).toEqual(exampleAnswer(examples.find((each) => each.name === example) ?? examples[0]));
    }
  }
});

it('begins with the plan, says each refusal once, and calls every request and answer by name', async () => {
  const { paths, components } = (await app.server.inject('/openapi.json')).json();
  expect(Object.keys(paths)[0]).toBe('/v1/crawl-plan');
  const { requestBody, responses } = paths['/v1/crawl-plan'].post;
  expect(requestBody.content['application/json'].schema).toMatchObject({
    $ref: '#/components/schemas/CrawlPlanRequest',
  });
  expect(responses['200'].content['application/json'].schema).toMatchObject({
    $ref: '#/components/schemas/CrawlPlanAnswer',
  });
  expect(responses['422']).toEqual({ $ref: '#/components/responses/Refusal422' });
  for (const name of ['CrawlPlanPage', 'Law', 'ExponentialLaw', 'Objective', 'Warning', 'Problem']) {
    expect(components.schemas, name).toHaveProperty(name);
  }
  expect(components.schemas.Law.discriminator.mapping.exponential).toBe('#/components/schemas/ExponentialLaw');
});
