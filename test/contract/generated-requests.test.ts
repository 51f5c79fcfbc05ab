/**
 * Requests generated from openapi/openapi.json are accepted or refused as the schema says; answers are valid against
 * it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Instances } from '../../scripts/stress/schema-instances.ts';
import type { App } from '../../src/app.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import { schemaCodes } from '../../src/schemas/contract/codes.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { waitForWorker } from '../service/test-service.ts';
import { type DocumentSchemas, documentSchemas } from './document-schemas.ts';

const perOperation = 150;
let app: App;
let document: Record<string, unknown>;
let schemas: DocumentSchemas;

beforeAll(async () => {
  app = await buildApp(
    readConfig({
      LOG_LEVEL: 'silent',
      WORKERS: '2',
      MAX_WORK: '1e9',
      DEFAULT_TIME_LIMIT_MS: '50000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      QUEUE_TIMEOUT_MS: '120000',
    }),
  ).then(waitForWorker);
  document = (await app.server.inject({ url: '/openapi.json' })).json();
  schemas = documentSchemas(document);
});
afterAll(() => app.server.close());

/** Codes of violations of the JSON Schema: a request that is valid by the schema must get none of them. */
const restatesSchema = new Set(Object.keys(schemaCodes));

async function send(name: string, payload: unknown) {
  return app.server.inject({
    method: 'POST',
    url: `/v1/${name}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
}

describe.each(operations.map(({ name }) => name))('%s', (name) => {
  it.each([0, 0.03])('takes what its schema takes (chance of an error %d)', async (errors) => {
    const accepts = schemas.request(name);
    const valid = schemas.answer(name);
    const schema: unknown = accepts.schema;
    const instances = new Instances(document, seededRandom(20261121 + errors * 1000), errors);
    for (let i = 0; i < perOperation; i++) {
      const payload = instances.generate(schema);
      const fits = accepts(payload);
      const response = await send(name, payload);
      const exchange = `${JSON.stringify(payload).slice(0, 1500)} → ${response.statusCode} ${response.body.slice(0, 600)}`;
      expect([200, 422], exchange).toContain(response.statusCode);
      const body = response.json();
      if (response.statusCode === 200) {
        expect(fits, `accepted what the schema refuses: ${exchange}`).toBe(true);
        expect(valid(body), `${JSON.stringify(valid.errors)} ${exchange}`).toBe(true);
      } else {
        expect(schemas.problem()(body), exchange).toBe(true);
        const codes: string[] = (body.errors ?? []).map(({ code }: { code: string }) => code);
        if (fits)
          expect(
            codes.every((code) => !restatesSchema.has(code)),
            `refused what the schema accepts: ${exchange}`,
          ).toBe(true);
      }
    }
  });
});
