/** Sends one large request on a new connection (a kept one may have been closed) and times it. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

interface PostResult {
  /** The body of the answer. */
  readonly body: Buffer;
  /** Time until the whole answer had arrived, ms. */
  readonly ms: number;
}

/** Posts a body. @throws Error with the answer's text unless its status is 200 */
export async function postBody(url: string, type: string, body: Buffer): Promise<PostResult> {
  const start = performance.now();
  const headers = { 'content-type': type, accept: type, 'content-length': body.length };
  const sentAt = request(url, { method: 'POST', headers, agent: false });
  const responseEvent = once(sentAt, 'response');
  sentAt.end(body);
  const [answer]: IncomingMessage[] = await responseEvent;
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(answer, 'end');
  const ms = performance.now() - start;
  const whole = Buffer.concat(chunks);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${whole.toString('utf8', 0, 500)}`);
  return { body: whole, ms };
}

/** The solve time that an answer reports, ms. */
export function solveMsOf(answer: Buffer): number {
  const label = '"solveMs":';
  const at = answer.lastIndexOf(label) + label.length;
  return Number.parseFloat(answer.toString('latin1', at, at + 32));
}
