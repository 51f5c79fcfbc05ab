/** Swagger UI at /docs: unfolds fast, says the errors once, shows real answers, and leads to the console. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { exampleAnswer } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { testService } from './test-service.ts';

let app: App;
beforeAll(async () => {
  app = await testService();
});
afterAll(() => app.server.close());

it('has one response for all errors, the recorded answers, and a link to the console in every operation', async () => {
  const document = (await app.server.inject('/docs/json')).json();
  // Its resolver of 3.1 reads the whole document each time an operation unfolds: seconds, where that of 3.0 takes a third.
  expect(document.openapi).toBe('3.0.3');
  expect(document.info.description).toContain('](console/)');
  for (const { name, examples } of operations) {
    const { description, responses } = document.paths[`/v1/${name}`].post;
    expect(Object.keys(responses)).toEqual(['200', 'default']);
    expect(responses.default.description).toContain('- **422** ');
    expect(description).toContain(`](console/#/${name})`);
    const shown = responses['200'].content['application/json'].examples;
    expect(Object.keys(shown)).toEqual(examples.map((example) => example.name));
    expect(shown[examples[0].name].value).toEqual(exampleAnswer(examples[0]));
  }
});

it('leaves the document of programs as it is', async () => {
  const document = (await app.server.inject('/openapi.json')).json();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths['/v1/crawl-plan'].post.responses)).toContain('422');
});
