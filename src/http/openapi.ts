/** The OpenAPI document, generated from the zod schemas, at /openapi.json; Swagger UI at /docs. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import { exampleAnswer, exampleRequest } from '../examples.ts';
import type { Operation } from '../operations/operation.ts';
import { tidyDocument } from './openapi-document.ts';

const description = `What a web-crawler controller should do, provably: how many crawlers to run, when to switch them on and off,
how often to revisit each page, how many crawls each page gets in the next interval and when, which crawler takes which crawl, and, from
crawl logs, the rates all of that depends on.

Every answer carries its proof where one exists: \`objective.value\`, what no solution can beat (\`bound\`) and the \`gap\` between them.
Any consistent time unit may be used: every rate is per that unit, every time in it; only \`crawl-plan\` fixes seconds. Stateless: nothing
is kept between requests. Refusals are \`application/problem+json\` with a JSON pointer to each refused value.`;

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40"><text x="0" y="27" font-family="system-ui, sans-serif" ' +
  'font-size="21" font-weight="600" fill="#fff">crawl-optimizer</text></svg>';

/** Registers the generator; routes registered afterwards are documented. */
export async function documentApi(
  app: FastifyInstance,
  operations: readonly Operation[],
  version: string,
): Promise<void> {
  await app.register(swagger, {
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
      return tidyDocument(document, examplesByPath(operations));
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI sets style attributes; nothing else of it needs more than this server.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'",
    theme: { title: 'crawl-optimizer' },
    logo: { type: 'image/svg+xml', content: logo, href: '/docs', target: '_self' },
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      displayRequestDuration: true,
    },
  });
  let document: OpenAPIV3_1.Document | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= app.swagger() as OpenAPIV3_1.Document;
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(document));
  });
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
