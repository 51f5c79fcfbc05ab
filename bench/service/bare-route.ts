/** The cheapest comparable Fastify service: the same plugins, a parsed body, and a constant answer. */
import helmet from '@fastify/helmet';
import underPressure from '@fastify/under-pressure';
import Fastify from 'fastify';
import { Counter, Histogram } from 'prom-client';

// The recorded answer of the service to the benchmark's request.
const response: unknown = JSON.parse(process.env.RESPONSE ?? 'null');
const app = Fastify({ logger: true });
const requests = new Counter({ name: 'requests_total', help: 'Requests', labelNames: ['http_status'] });
const seconds = new Histogram({ name: 'seconds', help: 'Time spent', labelNames: ['http_status'] });
await app.register(helmet);
await app.register(underPressure, { maxEventLoopDelay: 1000 });
app.addHook('onResponse', (_request, reply, done) => {
  requests.inc({ http_status: reply.statusCode });
  seconds.observe({ http_status: reply.statusCode }, reply.elapsedTime / 1000);
  done();
});
app.post('/v1/crawler-count', async () => response);
await app.listen({ host: '127.0.0.1', port: 0 });
