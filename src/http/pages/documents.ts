/** The OpenAPI document, generated from the zod schemas, at /openapi.json; Swagger UI at /docs. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { columnLists } from '../../dispatch/arrow/lists.ts';
import { exampleAnswer, exampleRequest } from '../../examples.ts';
import type { Operation } from '../../operations/operation.ts';
import { version } from '../../version.ts';
import { arrowType, linesType } from '../bodies/media-types.ts';
import { type OtherBodies, tidyDocument } from './openapi-document.ts';
import { newSite, type SiteParts } from './site.ts';
import { uiDocument } from './ui-document.ts';

const description = `What a web-crawler controller should do, provably: how many crawlers to run, when to switch them on and off,
how often to revisit each page, how many crawls each page gets in the next interval and when, which crawler takes which crawl, and, from
crawl logs, the rates all of that depends on.

Every answer carries its proof where one exists: \`objective.value\`, what no solution can beat (\`bound\`) and the \`gap\` between them.
Any consistent time unit may be used: every rate is per that unit, every time in it; only \`crawl-plan\` fixes seconds. Stateless: nothing
is kept between requests. Bodies are JSON; lists that come as columns may come as an Arrow stream, many requests of one operation as
NDJSON, and each compressed by gzip, br or zstd (\`GET /v1/limits\` under \`bodies\`). Refusals are \`application/problem+json\` with a JSON pointer to each refused value.`;

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40"><text x="0" y="27" font-family="system-ui, sans-serif" ' +
  'font-size="21" font-weight="600" fill="#fff">crawl-optimizer</text></svg>';

/** The site of the documents. It knows the service's routes for their schemas; nobody calls them here. */
export async function documentsSite(
  parts: SiteParts,
  routes: readonly RouteOptions[],
  operations: readonly Operation[],
): Promise<FastifyInstance> {
  const site = await newSite(parts);
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
        { name: 'crawlers', description: 'How many crawlers, and when' },
        { name: 'pages', description: 'How often, how many times and at which moments each page is crawled' },
        { name: 'schedules', description: 'Which crawler takes which crawl, in which slot' },
        { name: 'estimates', description: 'From logs to the rates the other operations need' },
        { name: 'plans', description: 'From crawl logs to a schedule in one call' },
        { name: 'simulations', description: 'Discrete-event simulation of the models' },
        { name: 'service', description: 'Health, metrics and limits' },
      ],
    },
    transform: jsonSchemaTransform,
    transformObject(input) {
      const document = jsonSchemaTransformObject(input);
      return tidyDocument(document, examplesByPath(operations), otherBodies(operations));
    },
  });
  await site.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI sets style attributes; nothing else of it needs more than this server.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'",
    theme: { title: 'crawl-optimizer' },
    transformSpecification: uiDocument,
    transformSpecificationClone: false,
    logo: { type: 'image/svg+xml', content: logo, href: '/docs', target: '_self' },
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // Colouring long examples took most of the time an operation needs to unfold.
      syntaxHighlight: { activate: false },
    },
  });
  for (const { method, url, schema } of routes) {
    site.route({ method, url, ...(schema && { schema }), handler: async (_request, reply) => reply.callNotFound() });
  }
  let text: string | undefined;
  site.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(site.swagger());
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  await site.ready();
  return site;
}

/** The bodies that an operation takes besides JSON. */
function otherBodies(operations: readonly Operation[]): OtherBodies {
  const lines = 'A request a line; the answer is as many lines, each an answer or {"problem": {…}}';
  return new Map(
    operations.map((operation) => {
      const list = columnLists(operation).request;
      const columns =
        `The columns of \`${list?.name}\` as an Arrow IPC stream; the other properties as JSON text in the metadata of its ` +
        'schema, under `request`';
      return [`/v1/${operation.name}`, { ...(list !== null && { [arrowType]: columns }), [linesType]: lines }];
    }),
  );
}

function examplesByPath(operations: readonly Operation[]) {
  return new Map(
    operations.map((operation) => [
      `/v1/${operation.name}`,
      operation.examples.map((example) => ({
        name: example.name,
        summary: example.summary,
        request: exampleRequest(example),
        answer: exampleAnswer(example),
      })),
    ]),
  );
}
