/** The least a Fastify service can be: parse the body, answer with a fixed object, write the framework's own log. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const response: unknown = JSON.parse(
  readFileSync(new URL('../../examples/crawler-count-table-1.1.answer.json', import.meta.url), 'utf8'),
);
const app = Fastify({ logger: true });
app.post('/v1/crawler-count', async () => response);
await app.listen({ host: '127.0.0.1', port: 0 });
