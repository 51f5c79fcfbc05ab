/** A closed-loop load over plain sockets, so cheap that the server is the bottleneck. */
import { connect } from 'node:net';

const separator = Buffer.from('\r\n\r\n');

/** Length of the first complete response in `data`, bytes; 0 if it is incomplete. @throws Error unless it is a 200 */
function responseLength(data: Buffer): number {
  const end = data.indexOf(separator);
  if (end < 0) return 0;
  const head = data.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.split('\r\n', 1)[0]);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  const total = end + separator.length + length;
  return data.length >= total ? total : 0;
}

/** Sends `requests` POSTs over `connections` connections, each waiting for its answer before the next. */
export async function closedLoop(url: URL, body: string, connections: number, requests: number): Promise<void> {
  const head =
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const message = Buffer.from(head + body);
  let remaining = requests;
  const clients = Array.from({ length: connections }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let byteCount = Buffer.alloc(0);
    const socket = connect(Number(url.port), url.hostname);
    const next = (): void => {
      if (remaining-- > 0) socket.write(message);
      else socket.end(resolve);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      byteCount = byteCount.length === 0 ? chunk : Buffer.concat([byteCount, chunk]);
      try {
        const length = responseLength(byteCount);
        if (length === 0) return;
        byteCount = byteCount.subarray(length);
        next();
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    });
    return promise;
  });
  await Promise.all(clients);
}
