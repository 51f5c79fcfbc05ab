/** Requests generated from openapi/openapi.json are accepted or refused as the schema says; answers are valid against it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Instances } from '../../scripts/torment/schema-instances.ts';
import type { App } from '../../src/app.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { schemaCodes } from '../../src/schemas/contract/codes.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { startedApp } from '../service/test-service.ts';

const perOperation = 150;
let app: App;
let document: Record<string, unknown>;
let ajv: Ajv2020;

beforeAll(async () => {
  app = await buildApp(
    readConfig({
      LOG_LEVEL: 'silent',
      WORKERS: '2',
      MAX_WORK: '1e9',
      DEFAULT_TIME_LIMIT_MS: '5000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
    }),
  ).then(startedApp);
  document = (await app.server.inject({ url: '/openapi.json' })).json();
  ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, validateFormats: false });
  ajv.addSchema(document, 'document');
});
afterAll(() => app.server.close());

const escaped = (name: string): string => `/v1/${name}`.replaceAll('/', '~1');

function validator(name: string, tail: string): ValidateFunction {
  const validate = ajv.getSchema(`document#/paths/${escaped(name)}/post/${tail}`);
  if (validate === undefined) throw new Error(`no schema for ${name} ${tail}`);
  return validate;
}

const request = (name: string) => validator(name, 'requestBody/content/application~1json/schema');
const answer = (name: string) => validator(name, 'responses/200/content/application~1json/schema');
const problem = (name: string) => validator(name, 'responses/422/content/application~1problem+json/schema');

/** Codes of refusals that restate the JSON Schema: a request that is valid against it must not meet them. */
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
  it('answers its examples as its schema says', async () => {
    const operation = operations.find((each) => each.name === name);
    for (const example of operation?.examples ?? []) {
      const payload = exampleRequest(example);
      const accepts = request(name);
      expect(accepts(payload), JSON.stringify(accepts.errors)).toBe(true);
      const response = await send(name, payload);
      expect(response.statusCode, response.body).toBe(200);
      const valid = answer(name);
      expect(valid(response.json()), JSON.stringify(valid.errors)).toBe(true);
    }
  });

  it.each([0, 0.03])('takes what its schema takes (chance of an error %d)', async (errors) => {
    const schema: unknown = request(name).schema;
    const instances = new Instances(document, seededRandom(20261121 + errors * 1000), errors);
    for (let i = 0; i < perOperation; i++) {
      const payload = instances.generate(schema);
      const fits = request(name)(payload);
      const response = await send(name, payload);
      const shown = `${JSON.stringify(payload).slice(0, 1500)} → ${response.statusCode} ${response.body.slice(0, 600)}`;
      expect([200, 422], shown).toContain(response.statusCode);
      const body = response.json();
      if (response.statusCode === 200) {
        expect(fits, `accepted what the schema refuses: ${shown}`).toBe(true);
        const valid = answer(name);
        expect(valid(body), `${JSON.stringify(valid.errors)} ${shown}`).toBe(true);
      } else {
        expect(problem(name)(body), shown).toBe(true);
        const codes: string[] = (body.errors ?? []).map(({ code }: { code: string }) => code);
        if (fits)
          expect(
            codes.every((code) => !restatesSchema.has(code)),
            `refused what the schema accepts: ${shown}`,
          ).toBe(true);
      }
    }
  });
});
