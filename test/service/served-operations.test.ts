/** What the service knows of its operations without loading them is what they are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { columnLists } from '../../src/dispatch/column-lists.ts';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { factsOf, withClosedForms } from '../../src/routes/served-operations.ts';
import { startedApp } from './test-service.ts';

describe('a service that has loaded closed forms only', () => {
  let app: App;
  beforeAll(async () => {
    const config = readConfig({
      LOG_LEVEL: 'silent',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      WORKERS: '1',
      QUICK_WORKER: 'false',
    });
    const facts = JSON.parse(JSON.stringify(operations.map(factsOf)));
    app = await startedApp(await buildApp(config, { operations: withClosedForms(facts) }));
  });
  afterAll(() => app.server.close());

  it('has loaded every operation that may be solved on the event loop, and no other', () => {
    const here = app.operations.filter(({ operation }) => operation !== undefined).map(({ name }) => name);
    expect(here).toEqual(operations.filter(({ isClosedForm }) => isClosedForm !== undefined).map(({ name }) => name));
  });

  it('knows which answers come as columns', () => {
    for (const operation of operations) {
      const known = app.operations.find(({ name }) => name === operation.name);
      expect(known?.answersInColumns).toBe(columnLists(operation).answer !== null);
    }
  });

  it('publishes the sizes of all, and answers what it has not loaded', async () => {
    const limits = (await app.server.inject('/v1/limits')).json();
    for (const operation of operations) expect(limits.operations[operation.name]).toEqual(operation.limits);
    for (const name of ['crawler-count', 'crawl-allocation']) {
      const [example] = operations.find((each) => each.name === name)?.examples ?? [];
      const payload = Object(exampleRequest(example));
      const answer = await app.server.inject({ method: 'POST', url: `/v1/${name}`, payload });
      expect(answer.statusCode, answer.body).toBe(200);
    }
  });
});
