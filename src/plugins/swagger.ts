/** @fastify/swagger and swagger-ui: the OpenAPI document of the running app at /openapi.json, and its explorer at /docs. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fp from 'fastify-plugin';
import type { Operation } from '../operations/operation.ts';
import { version } from '../package.ts';
import { Components } from './openapi/components.ts';
import { tidyDocument, tidyRoute } from './openapi/tidy-document.ts';

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

/** Swagger UI sets style attributes; nothing else of it needs more than this server. */
const explorerPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'";

/** Registered before the routes, whose schemas it takes. */
export const documents = fp<{ readonly operations: readonly Operation[] }>(async (app, { operations }) => {
  const components = new Components();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'crawl-optimizer', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/' }],
      security: [],
      tags,
    },
    transform: ({ schema, url }) => ({ schema: schema.hide ? schema : tidyRoute(schema, url, components), url }),
    transformObject: (input) =>
      'openapiObject' in input ? tidyDocument(input.openapiObject, operations, components) : {},
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
