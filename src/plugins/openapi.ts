/** @fastify/swagger and swagger-ui: the OpenAPI document of the running app at /openapi.json, and its explorer at /docs. */
import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import * as z from 'zod';
import type { Example, Operation } from '../operations/operation.ts';
import { exampleAnswer, exampleRequest, version } from '../package.ts';
import { isRecord, namedPart } from '../schemas/contract/strict-object.ts';
import { jsonType } from './media-types.ts';

const description = `What a web-crawler controller should do: which pages to fetch, when and how often, by which crawler, and how many
crawlers to run and when.

An answer has a \`status\`, a \`summary\` of it in words and numbers for a person, and the \`solution\`; an infeasible one has a \`conflict\` in its
place, whose \`detail\` says with the numbers what clashes. Read its \`warnings\` before relying on it. It carries its proof where one exists: \`objective.value\`, what no solution can beat (\`bound\`) and the \`gap\` between them.
Use any time unit, but the same one for all rates and times of a request; only \`crawl-plan\` fixes seconds. The service keeps nothing
between requests. Bodies are JSON. Lists that come as columns may come as an Arrow stream, and bodies may be compressed by gzip or br
(\`GET /v1/limits\` under \`bodies\`).

With \`Accept: text/event-stream\` an answer comes as server-sent events: \`progress\` {fraction, incumbent, bound} while the solve runs, then
\`answer\` or \`problem\`, each one line of JSON. With \`Accept: application/vnd.apache.arrow.stream\` the list that answers the request’s comes
as the columns of an Arrow stream; the rest is JSON in the metadata of its schema, under \`answer\`. A refusal is \`application/problem+json\`
with a JSON pointer to each refused value.`;

const tags = [
  { name: 'plans', description: 'From crawl logs to a schedule in one call' },
  { name: 'pages', description: 'How often, how many times and at which moments each page is crawled' },
  { name: 'schedules', description: 'Which crawler takes which crawl, in which slot' },
  { name: 'crawlers', description: 'How many crawlers, and when' },
  { name: 'estimates', description: 'From logs to the rates the other operations need' },
  { name: 'simulations', description: 'Discrete-event simulation of the models' },
  { name: 'service', description: 'Health, metrics and limits' },
];

/** Content-Security-Policy of the explorer: Swagger UI sets style attributes, and loads only from this server. */
const explorerPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'";

const int32 = 2 ** 31 - 1;

/**
 * Drops the bounds of a safe integer, gives larger integers the format `int64` for generated clients, and adds the
 * OpenAPI discriminator to unions: the word that stands for each form.
 */
const tidySchema: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema: schema }) => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.type === 'integer' && !(Number(schema.maximum) <= int32)) schema.format = 'int64';
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion) || schema.oneOf === undefined) return;
  const { options, discriminator } = zodSchema.def;
  const mapping = options.map((option) => {
    const [word] = option._zod.propValues?.[discriminator] ?? [];
    return [word, `#/$defs/${namedPart(option)?.meta()?.id}`];
  });
  schema.discriminator = { propertyName: discriminator, mapping: Object.fromEntries(mapping) };
};

type Members = Record<string, unknown>;

/** The JSON schema of a zod schema; schemas with an id are added to `parts`, the components of the document. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', parts: Members): Members {
  const own = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidySchema }));
  const { $schema: _, $defs, ...json } = JSON.parse(own.replaceAll('#/$defs/', '#/components/schemas/'));
  for (const [id, part] of Object.entries($defs ?? {})) {
    if (!isDeepStrictEqual(parts[id] ?? part, part)) throw new Error(`two schemas have the id ${id}`);
    parts[id] = part;
  }
  return json;
}

/** The schema of a route with JSON schemas in place of zod's. */
function routeSchema({ querystring, body, response, ...rest }: FastifySchema, parts: Members): FastifySchema {
  const convert = (value: unknown, io: 'input' | 'output'): unknown => {
    if (value instanceof z.ZodType) return jsonSchema(value, io, parts);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner, io)]));
  };
  return {
    ...rest,
    ...(querystring !== undefined && { querystring: convert(querystring, 'input') }),
    ...(body !== undefined && { body: convert(body, 'input') }),
    response: convert(response, 'output'),
  };
}

type Content = Record<string, { examples?: Members }>;

/** The part of a route's entry in the document that is completed here. */
interface Entry {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content; readonly $ref?: string }>;
  parameters?: { readonly name?: string; readonly $ref?: string }[];
}

/** Adds the requests of an operation's examples, and the answer of the first: the others are files in examples/. */
function addExamples(entry: Entry, { examples }: Operation): void {
  const add = (content: Content | undefined, examples: readonly Example[], read: (each: Example) => unknown): void => {
    const values = examples.map((each) => [each.name, { summary: each.summary, value: read(each) }]);
    if (content !== undefined) content[jsonType].examples = Object.fromEntries(values);
  };
  add(entry.requestBody?.content, examples, exampleRequest);
  add(entry.responses[200].content, examples.slice(0, 1), exampleAnswer);
}

/** Replaces the refusals and parameters of an entry by references to the document's, which all operations share. */
function shareComponents(entry: Entry, parameters: Members, refusals: Members): void {
  for (const [status, refusal] of Object.entries(entry.responses)) {
    if (status === '200') continue;
    refusals[`Refusal${status}`] ??= refusal;
    entry.responses[status] = { $ref: `#/components/responses/Refusal${status}` };
  }
  entry.parameters = entry.parameters?.map(({ name = '', ...parameter }) => {
    parameters[name] ??= { name, ...parameter };
    return { $ref: `#/components/parameters/${name}` };
  });
}

/** Registered before the routes, whose schemas it takes. */
export const openApi = fp<{ readonly operations: readonly Operation[] }>(async (app, { operations }) => {
  const [schemas, parameters, responses]: Members[] = [{}, {}, {}];
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'crawl-optimizer', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/' }],
      security: [],
      tags,
    },
    transform: ({ schema, url }) => ({ schema: schema.hide ? schema : routeSchema(schema, schemas), url }),
    transformObject: (input) => {
      const document = 'openapiObject' in input ? input.openapiObject : {};
      const paths: Record<string, { get?: Entry; post?: Entry }> = JSON.parse(JSON.stringify(document.paths));
      for (const [path, { get, post = get }] of Object.entries(paths)) {
        if (post === undefined) continue;
        const operation = operations.find(({ name }) => path === `/v1/${name}`);
        if (operation !== undefined) addExamples(post, operation);
        shareComponents(post, parameters, responses);
      }
      return Object.assign(document, { paths, components: { schemas, parameters, responses } });
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'crawl-optimizer' },
    staticCSP: explorerPolicy,
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // Colouring long examples takes most of the time an operation needs to unfold.
      syntaxHighlight: { activate: false },
    },
  });
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.type('application/json').send(text);
  });
});
