/**
 * Decides where a request runs: here when body and estimated work are small, in a worker otherwise. The event loop
 * parses small bodies, solves what takes about a millisecond, and for the rest only moves bytes.
 */
import type { Operation } from '../operations/operation.ts';
import { type Problem, problem } from '../schemas/contract/problem.ts';
import { deadlineBudget, type Progress } from '../solvers/budget.ts';
import { givenUpAt, now } from './clock.ts';
import { type Outcome, prepare, type RunFacts, type RunLimits, run, validated } from './pipeline.ts';
import { Pool, PoolFailure, type PoolOptions } from './pool.ts';

export interface DispatchOptions extends PoolOptions, RunLimits {
  readonly inlineBodyBytes: number;
  readonly inlineWork: number;
}

export interface DispatchRequest {
  readonly operation: Operation;
  readonly body: Uint8Array;
  readonly validateOnly: boolean;
  /** Makes a signal that is aborted when the caller leaves; asked for only where the request goes to a worker. */
  leaving(): AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** What goes back to the caller, and what is logged about it. */
export type Reply = { readonly where: 'inline' | 'worker'; readonly facts: RunFacts } & (
  | { readonly kind: 'answer'; readonly body: string | Uint8Array }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly failure?: string }
  | { readonly kind: 'left' }
);

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #pool: Pool;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#pool = new Pool(options);
  }

  get inFlight(): number {
    return this.#pool.inFlight;
  }

  get queueDepth(): number {
    return this.#pool.queueDepth;
  }

  get hasRoom(): boolean {
    return this.#pool.hasRoom;
  }

  /** Runs a request where it belongs; never rejects. */
  async handle(request: DispatchRequest): Promise<Reply> {
    const arrivedAt = now();
    const { operation, body, validateOnly } = request;
    if (body.byteLength > this.#options.inlineBodyBytes) {
      return this.#inWorker(request, arrivedAt, this.#options.maxTimeLimitMs);
    }
    const text = new TextDecoder().decode(body);
    const ready = prepare(operation, text, this.#options);
    if (ready.kind !== 'ready') return inlineReply(ready);
    if (validateOnly) return inlineReply(validated(ready));
    if (ready.work > this.#options.inlineWork) return this.#inWorker(request, arrivedAt, ready.timeLimitMs);
    return inlineReply(
      run(
        ready,
        deadlineBudget({ clock: now, deadline: arrivedAt + ready.timeLimitMs, seed: ready.request.seed }),
        now,
      ),
    );
  }

  /** Runs a request in a worker whatever its size: shows that a worker lives. */
  async probe(request: DispatchRequest): Promise<Reply> {
    return this.#inWorker(request, now(), this.#options.defaultTimeLimitMs);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #inWorker(request: DispatchRequest, arrivedAt: number, timeLimitMs: number): Promise<Reply> {
    const { operation, body, validateOnly, onProgress } = request;
    const signal = request.leaving();
    if (signal.aborted) return { kind: 'left', where: 'worker', facts: {} };
    const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = this.#options;
    const limits = { defaultTimeLimitMs, maxTimeLimitMs, maxWork };
    const task = { operation: operation.name, limits, validateOnly };
    const latestEnd = (known = timeLimitMs) => givenUpAt(arrivedAt, known);
    try {
      const result = await this.#pool.run({
        task,
        body,
        arrivedAt,
        signal,
        latestEnd,
        ...(onProgress && { onProgress }),
      });
      if (signal.aborted) return { kind: 'left', where: 'worker', facts: result.facts };
      if (result.kind === 'problem') return { ...result, where: 'worker' };
      return { kind: 'answer', where: 'worker', body: result.bytes, facts: result.facts };
    } catch (error) {
      return this.#failure(error, now() - arrivedAt);
    }
  }

  #failure(error: unknown, elapsedMs: number): Reply {
    const facts = { queueMs: elapsedMs };
    const reply = (what: Problem, failure?: string): Reply => ({
      kind: 'problem',
      where: 'worker',
      problem: what,
      facts,
      ...(failure !== undefined && { failure }),
    });
    if (!(error instanceof PoolFailure)) {
      return reply(
        problem('internal', 'the server failed on this request; it has been logged under the request id'),
        String(error),
      );
    }
    const retryAfterSeconds = 1 + Math.ceil(this.#pool.queueDepth / this.#options.workers);
    switch (error.reason) {
      case 'busy':
        return reply(problem('busy', `${error.message}; try again in a while`, { retryAfterSeconds }));
      case 'closed':
        return reply(problem('draining', `${error.message}; try another instance`, { retryAfterSeconds }));
      case 'time-limit':
        return reply(
          problem('time-limit', 'the time limit was reached and no solution had been found; raise options.timeLimitMs'),
        );
      case 'cancelled':
        return { kind: 'left', where: 'worker', facts };
      case 'worker-failed':
        return reply(
          problem(
            'worker-failed',
            'the worker that ran this request ended before it had an answer (out of memory, or a fault)',
          ),
          error.message,
        );
    }
  }
}

function inlineReply(outcome: Outcome): Reply {
  if (outcome.kind === 'answer') return { kind: 'answer', where: 'inline', body: outcome.json, facts: outcome.facts };
  return { ...outcome, where: 'inline' };
}
