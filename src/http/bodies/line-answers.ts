/** Many requests in one body, a line each, and an answer or a problem a line, in their order. */
import type { Reply } from '../../dispatch/dispatcher.ts';
import { type Problem, problem } from '../../schemas/contract/problem.ts';

/** Most requests in one body. */
export const maxLines = 100_000;

const lineFeed = 10;
/** A line this long is never taken for an empty one: looking at millions of blanks would hold up the event loop. */
const longestBlank = 1000;
/** The event loop has its turn after so long. */
const sliceMs = 5;

/**
 * The lines that hold anything; what they hold is looked at by whoever solves them. The event loop has its turns in
 * between: a small body may inflate to many megabytes of empty lines.
 */
export async function* linesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  let turn = performance.now();
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(lineFeed, start);
    const end = found < 0 ? body.length : found;
    if (!isBlank(body, start, end)) yield body.subarray(start, end);
    start = end + 1;
    if (performance.now() - turn > sliceMs) {
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
  }
}

function isBlank(body: Uint8Array, start: number, end: number): boolean {
  if (end - start > longestBlank) return false;
  for (let i = start; i < end; i++) if (body[i] > 0x20) return false;
  return true;
}

/** The refusal of a body with too many lines, or null. */
export function tooManyLines(body: Uint8Array): Problem | null {
  let lines = 0;
  for (let at = body.indexOf(lineFeed); at >= 0; at = body.indexOf(lineFeed, at + 1)) {
    if (++lines > maxLines) return problem('too-large', `a body may have at most ${maxLines} lines; send several`);
  }
  return null;
}

interface LineSolver {
  /** Solves one line; `number` counts from 1. */
  solve(line: Uint8Array, number: number): Promise<Reply>;
  /** Lines solved at a time. */
  readonly atOnce: number;
  readonly requestId: string;
  readonly left: AbortSignal;
}

/** The answers, each as a line of text; ends when the caller leaves. */
export async function* answerLines(body: Uint8Array, solver: LineSolver): AsyncGenerator<Uint8Array | string> {
  const lines = linesOf(body);
  const running: Promise<Reply>[] = [];
  let number = 0;
  while (!solver.left.aborted) {
    while (running.length < solver.atOnce) {
      const { done, value } = await lines.next();
      if (done) break;
      running.push(solver.solve(value, ++number));
    }
    const first = running.shift();
    if (first === undefined) return;
    const reply = await first;
    if (reply.kind === 'left') return;
    if (reply.kind === 'answer') {
      yield reply.body;
      yield '\n';
    } else {
      const { retryAfterSeconds: _, ...members } = reply.problem;
      yield `${JSON.stringify({ problem: { ...members, instance: solver.requestId } })}\n`;
    }
  }
}
