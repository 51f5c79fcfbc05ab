/**
 * `node scripts/load/slow-loris.ts`: five hundred connections that send a header, or a body, one byte a second. Prints when they
 * were cut off, and how the service answered others meanwhile. Loopback only; ends by itself.
 */
import { connect } from 'node:net';
import { startServer } from './server-process.ts';

const connections = 500;
const headersTimeoutMs = 3000;
const requestTimeoutMs = 5000;
const server = await startServer({
  HEADERS_TIMEOUT_MS: String(headersTimeoutMs),
  REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
});
const { port, hostname } = new URL(server.url);

const opening = {
  header: 'POST /v1/crawler-count HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  body: 'POST /v1/crawler-count HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
};

/** One slow connection: milliseconds until the service closed it, and the status line it was given. */
function drip(kind: keyof typeof opening): Promise<{ kind: string; after: number; status: string }> {
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers<{ kind: string; after: number; status: string }>();
  let received = '';
  const socket = connect(Number(port), hostname, () => socket.write(opening[kind]));
  const timer = setInterval(() => socket.write('x'), 1000);
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    resolve({ kind, after: performance.now() - start, status: received.split('\r\n', 1)[0] });
  });
  return promise;
}

const slow = Array.from({ length: connections }, (_, i) => drip(i % 2 === 0 ? 'header' : 'body'));
const latencies: number[] = [];
let open = true;
const ended = Promise.all(slow).finally(() => {
  open = false;
});
while (open) {
  const start = performance.now();
  await (await fetch(`${server.url}/health/live`)).arrayBuffer();
  latencies.push(performance.now() - start);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
latencies.sort((a, b) => a - b);
for (const kind of ['header', 'body']) {
  const cut = (await ended).filter((each) => each.kind === kind);
  const after = cut.map((each) => each.after).sort((a, b) => a - b);
  const refused = cut.filter(({ status }) => status.startsWith('HTTP/1.1 408')).length;
  process.stdout.write(
    `${cut.length} connections with a slow ${kind}: cut off after ${after[0].toFixed(0)} to ${after[after.length - 1].toFixed(0)} ms, ${refused} with 408\n`,
  );
}
const p99 = latencies[Math.floor(0.99 * latencies.length)];
process.stdout.write(`GET /health/live meanwhile: ${latencies.length} answers, p99 ${p99.toFixed(1)} ms\n`);
const { inFlight } = await server.memory();
await server.stop();
if (inFlight !== 0) process.exit(1);
