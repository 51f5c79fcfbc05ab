/** Sends one large request on a new connection (a kept one may have been closed) and times its phases. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

interface PostResult {
  /** The answer, as it came. */
  readonly body: Buffer;
  /** Milliseconds until the body had left, from there until the answer began, and until it had come. */
  readonly ms: { readonly in: number; readonly wait: number; readonly out: number; readonly whole: number };
}

/** @throws Error with the answer's text where it is no 200 */
export async function postBody(url: string, type: string, body: Buffer): Promise<PostResult> {
  const start = performance.now();
  const headers = { 'content-type': type, accept: type, 'content-length': body.length };
  const sentAt = request(url, { method: 'POST', headers, agent: false });
  const answeredAt = once(sentAt, 'response');
  await new Promise<void>((resolve) => sentAt.end(body, resolve));
  const remaining = performance.now();
  const [answer]: IncomingMessage[] = await answeredAt;
  const began = performance.now();
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(answer, 'end');
  const end = performance.now();
  const whole = Buffer.concat(chunks);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${whole.toString('utf8', 0, 500)}`);
  return { body: whole, ms: { in: remaining - start, wait: began - remaining, out: end - began, whole: end - start } };
}

/** The solve time that an answer reports, ms. */
export function solveMsOf(answer: Buffer): number {
  const label = '"solveMs":';
  const at = answer.lastIndexOf(label) + label.length;
  return Number.parseFloat(answer.toString('latin1', at, at + 32));
}
