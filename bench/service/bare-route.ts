/** The least a Fastify service can be: parse the body, answer with a fixed object, write the framework's own log. */
import Fastify from 'fastify';

// What the service answers to the benchmark's request.
const response: unknown = JSON.parse(process.env.RESPONSE ?? 'null');
const app = Fastify({ logger: true });
app.post('/v1/crawler-count', async () => response);
await app.listen({ host: '127.0.0.1', port: 0 });
