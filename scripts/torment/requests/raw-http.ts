/** HTTP as no library writes it: other spellings of a path, heads that lie, several requests in one go. */
import { connect } from 'node:net';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';
import { Patience, type Watched } from '../run-delay.ts';

const oneOf = <Item>(from: readonly Item[], random: Random): Item => from[Math.floor(random() * from.length)];

/** A path spelt in another way, which a router may read as the same. */
export function respelt(path: string, random: Random): string {
  const letters = [...path].map((letter) => {
    if (random() > 0.2) return letter;
    const code = letter.charCodeAt(0).toString(16);
    return `%${random() < 0.5 ? code : code.toUpperCase()}`;
  });
  const spelt = letters.join('');
  const forms = [spelt, `/${spelt}`, `http://x${spelt}`, `HTTP://x${spelt}`, `/./${spelt}`, `${spelt}/`, `${spelt}?a`];
  return oneOf(forms, random);
}

/** A request's bytes, its head as it should be. */
export function requestBytes(target: string, body: string, head: readonly string[] = []): string {
  const length = Buffer.byteLength(body);
  const lines = [`POST ${target} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', `Content-Length: ${length}`];
  return `${[...lines, ...head].join('\r\n')}\r\n\r\n${body}`;
}

/** A request whose head is wrong in one way. */
export function lyingBytes(path: string, body: string, random: Random): string {
  const whole = requestBytes(path, body, ['Connection: close']);
  const lies: readonly (() => string)[] = [
    () =>
      whole.replace(/Content-Length: \d+/, () => `Content-Length: ${oneOf(['-1', '1e3', '0x10', '', '9e99'], random)}`),
    () => whole.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked'),
    () => whole.replace('Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length'),
    () => whole.replace('Host: a\r\n', ''),
    () => whole.replace('HTTP/1.1', oneOf(['HTTP/9.9', 'HTTP/1.0', 'http/1.1', ''], random)),
    () => whole.replace('POST', oneOf(['PSOT', 'GET', 'OPTIONS', 'CONNECT', 'TRACE'], random)),
    () => whole.replace('application/json', oneOf(['a/b', '', 'application/json; charset=utf-7', '*/*'], random)),
    () => whole.replace('Host: a', `Host: a\r\nX-${'y'.repeat(20_000)}: z`),
    () => whole.replace('Host: a', 'Host: a\r\nExpect: 100-continue'),
    () => whole.replace('Host: a', `Host: a\r\nContent-Encoding: ${oneOf(['gzip', 'br', 'zstd', 'x', ', ,'], random)}`),
    () => whole.slice(0, Math.floor(random() * whole.length)),
    () => whole.replace('Host: a', 'Host: \u0000'),
  ];
  return oneOf(lies, random)();
}

const patienceMs = 10_000;

/**
 * Sends bytes on a connection of their own. It gives what came back by its end, or before some seconds of silence in
 * which nobody was kept waiting for a processor.
 *
 * @param isAll whether this side of the connection is closed then
 */
export function exchanged(asked: Watched & { readonly url: string }, bytes: string, isAll = false): Promise<string> {
  const { hostname, port } = new URL(asked.url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      if (isAll) socket.end(bytes, 'latin1');
      else socket.write(bytes, 'latin1');
    });
    const done = (): void => {
      patience.end();
      socket.destroy();
      resolve(received);
    };
    const patience = new Patience(asked, patienceMs, done);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      patience.restart();
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

/** The statuses of the answers that came back on one connection. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
