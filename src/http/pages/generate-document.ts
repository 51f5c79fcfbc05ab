/** The OpenAPI document, generated from the zod schemas of the routes and operations. */
import swagger from '@fastify/swagger';
import Fastify, { type RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPI } from 'openapi-types';
import { columnLists } from '../../dispatch/column-lists.ts';
import { exampleAnswer, exampleRequest } from '../../examples.ts';
import type { Operation } from '../../operations/operation.ts';
import { version } from '../../version.ts';
import { arrowType, linesType } from '../bodies/media-types.ts';
import { compileNothing, noCompilers } from '../schema-compilers.ts';
import { type DocumentedOperation, tidyDocument } from './openapi-document.ts';

const description = `What a web-crawler controller should do: which pages to fetch, when and how often, by which crawler, and how many
crawlers to run and when.

An answer carries its proof where one exists: \`objective.value\`, what no solution can beat (\`bound\`) and the \`gap\` between them.
Use any time unit, but the same one for all rates and times of a request; only \`crawl-plan\` fixes seconds. The service keeps nothing
between requests. Bodies are JSON. Lists that come as columns may come as an Arrow stream, many requests of one operation as NDJSON, and
each may be compressed by gzip, br or zstd (\`GET /v1/limits\` under \`bodies\`).

With \`Accept: text/event-stream\` an answer comes as server-sent events: \`progress\` {fraction, incumbent, bound} while the solve runs, then
\`answer\` or \`problem\`, each one line of JSON. With \`Accept: application/vnd.apache.arrow.stream\` the list that answers the request’s comes
as the columns of an Arrow stream; the rest is JSON in the metadata of its schema, under \`answer\`. NDJSON is answered by a line a request,
in their order: an answer, or \`{"problem": {…}}\`. A refusal is \`application/problem+json\` with a JSON pointer to each refused value.`;

/** The document of these routes; they are registered for their schemas, and nobody calls them here. */
export async function generateDocument(
  routes: readonly RouteOptions[],
  operations: readonly Operation[],
): Promise<OpenAPI.Document> {
  const site = Fastify({ schemaController: { compilersFactory: noCompilers } });
  compileNothing(site);
  await site.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'crawl-optimizer',
        version,
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [],
      tags: [
        { name: 'plans', description: 'From crawl logs to a schedule in one call' },
        { name: 'pages', description: 'How often, how many times and at which moments each page is crawled' },
        { name: 'schedules', description: 'Which crawler takes which crawl, in which slot' },
        { name: 'crawlers', description: 'How many crawlers, and when' },
        { name: 'estimates', description: 'From logs to the rates the other operations need' },
        { name: 'simulations', description: 'Discrete-event simulation of the models' },
        { name: 'service', description: 'Health, metrics and limits' },
      ],
    },
    transform: jsonSchemaTransform,
    transformObject(input) {
      const document = jsonSchemaTransformObject(input);
      return tidyDocument(document, operations.map(documented));
    },
  });
  // What people ask comes before what looks after the service.
  const [asked, others] = [routes.filter(isAsked), routes.filter((route) => !isAsked(route))];
  for (const { method, url, schema } of [...asked, ...others]) {
    site.route({ method, url, ...(schema && { schema }), handler: async (_request, reply) => reply.callNotFound() });
  }
  await site.ready();
  const document = site.swagger();
  await site.close();
  return document;
}

const isAsked = ({ method }: RouteOptions): boolean => method === 'POST';

/** What the document says of an operation beside its schemas. */
function documented(operation: Operation): DocumentedOperation {
  const list = columnLists(operation).request;
  const columns =
    `The columns of \`${list?.name}\` as an Arrow IPC stream; the other properties as JSON text in the metadata of its ` +
    'schema, under `request`';
  const lines = 'A request a line; the answer is as many lines, each an answer or {"problem": {…}}';
  return {
    name: operation.name,
    examples: operation.examples.map((example) => ({
      name: example.name,
      summary: example.summary,
      request: exampleRequest(example),
      answer: exampleAnswer(example),
    })),
    otherBodies: { ...(list !== null && { [arrowType]: columns }), [linesType]: lines },
    timeUnit: operation.timeUnit,
    measure: operation.measure,
  };
}
