/**
 * The documents: files that nothing on the event loop makes. Swagger UI at /docs unfolds fast, says the errors once,
 * shows real answers, and leads to the console.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { exampleAnswer } from '../../src/examples.ts';
import { preparedFolder } from '../../src/http/pages/prepared-folder.ts';
import { operations } from '../../src/operations/index.ts';
import { testService } from './test-service.ts';

let app: App;
beforeAll(async () => {
  app = await testService();
});
afterAll(() => app.server.close());

it('has one response for all errors, the recorded answers, and a link to the console in every operation', async () => {
  const document = (await app.server.inject('/docs/json')).json();
  // Its resolver of 3.1 reads the whole document each time an operation unfolds: seconds, where that of 3.0 takes a
  // third.
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

it('sends files that were made before, compressed for those who accept that', async () => {
  const folder = await preparedFolder('documents');
  const files = { '/openapi.json': 'openapi.json', '/docs/json': 'docs/openapi.json', '/docs/': 'docs/index.html' };
  for (const [url, file] of Object.entries(files)) {
    const plain = await app.server.inject(url);
    expect(plain.rawPayload).toEqual(await readFile(join(folder, file)));
    const zipped = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(zipped.headers['content-type']).toBe(plain.headers['content-type']);
    expect(zipped.rawPayload).toEqual(await readFile(join(folder, `${file}.gz`)));
    const known = { 'if-none-match': String(plain.headers.etag) };
    expect((await app.server.inject({ url, headers: known })).statusCode).toBe(304);
  }
});

it('has no form of the document that would have to be written for each request', async () => {
  expect((await app.server.inject('/docs/yaml')).statusCode).toBe(404);
});
