/**
 * Decides where a request runs. The event loop solves only what is a closed form by its operation's word, and only for
 * ten milliseconds. Everything else goes to a worker process as bytes, which costs a small request some 25 µs.
 */
import type { ServedOperation } from '../operations/operation.ts';
import { type Problem, problem } from '../schemas/contract/problem.ts';
import { deadlineBudget, type Progress } from '../solvers/budget.ts';
import { readAhead, searchTimeLimit } from './ahead/asked-time-limit.ts';
import { Turns } from './ahead/turns.ts';
import type { Awaited } from './arriving/incoming.ts';
import { Abandoned, attemptBudget } from './attempt.ts';
import { givenUpAt, now } from './clock.ts';
import type { BesideLog } from './logged/parse-log.ts';
import {
  type BodyFormat,
  type Outcome,
  overdue,
  parse,
  prepareParsed,
  type RequestFormat,
  type RunFacts,
  type RunLimits,
  run,
  validated,
} from './pipeline.ts';
import { type Pool, PoolFailure, type PoolTask } from './pool.ts';
import { type Pools, type PoolsOptions, startPools } from './pools.ts';
import type { Places } from './wire/places.ts';
import type { WorkerResult } from './worker-task.ts';

interface DispatchOptions extends PoolsOptions, RunLimits {
  /** Larger bodies go to a worker unparsed. */
  readonly inlineBodyBytes: number;
}

/** A closed form that has not ended by then goes to a worker. */
const inlineMs = 10;
/** The share of a worker's heap that a parsed body may take: its columns and the solver need the rest. */
const parsedShare = 0.5;
/** Bodies that may be tried in the quick process, and how long each may take there. */
const quickBodyBytes = 64 * 1024;
const quickMs = 20;
/** How often one of many requests looks for room. */
const roomEveryMs = 50;
/** An attempt that does not stop by itself is ended. */
const quickGivenUpMs = 250;

export interface DispatchRequest {
  readonly operation: ServedOperation;
  readonly body: Uint8Array;
  /** How the body is written, and how the answer shall be; left out, as JSON. */
  readonly formats?: { readonly body: RequestFormat; readonly answer: BodyFormat };
  /** What stands beside a body that is a crawl log. */
  readonly beside?: BesideLog;
  readonly validateOnly: boolean;
  /** Makes a signal that is aborted when the caller leaves; asked for only where the request goes to a worker. */
  leaving(): AbortSignal;
  /** Aborted when the caller wants the best found so far; what is solved here, at once, does not hear it. */
  readonly stop?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** What goes back to the caller, and what is logged about it. */
export type Reply = { readonly where: 'inline' | 'worker'; readonly facts: RunFacts } & (
  | { readonly kind: 'answer'; readonly body: string | Uint8Array; readonly format: BodyFormat }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly failure?: string }
  | { readonly kind: 'left' }
);

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #pool: Pool;
  readonly #quick: Pool | null;
  readonly #places: Places;
  readonly #searches = new Turns();
  /** Ends the processes, whose solves fail. */
  readonly close: () => Promise<void>;

  constructor(options: DispatchOptions, pools: Pools = startPools(options)) {
    this.#options = options;
    this.#pool = pools.workers;
    this.#quick = pools.quick;
    this.#places = pools.places;
    this.close = pools.close;
  }

  get inFlight(): number {
    return this.#pool.inFlight + (this.#quick?.inFlight ?? 0);
  }

  get queueDepth(): number {
    return this.#pool.queueDepth;
  }

  /** Worker processes that ended without being told to. */
  get workersLost(): number {
    return this.#pool.lost + (this.#quick?.lost ?? 0);
  }

  /** Whether any worker has started and can take requests. */
  get started(): boolean {
    return this.#pool.started;
  }

  get hasRoom(): boolean {
    return this.#pool.hasRoom;
  }

  /** Worker processes. */
  get workers(): number {
    return this.#options.workers;
  }

  /** Resolves when there is room for a request, or its caller has left. */
  async room(left: AbortSignal): Promise<void> {
    while (!this.#pool.hasRoom && !left.aborted) await new Promise((resolve) => setTimeout(resolve, roomEveryMs));
  }

  /**
   * What has come of a large body, the rest of which still arrives: read meanwhile, where a worker is free.
   *
   * @returns whether the worker has still to be sent some of it
   */
  arrives(body: Uint8Array, available: number, awaited: Awaited): boolean {
    return this.#pool.sendAhead(body, available, awaited);
  }

  /** Of a body that has arrived in part, nothing more is to be made. */
  forget(body: Uint8Array): void {
    this.#pool.forget(body);
  }

  /** An answer has left. */
  answered(body: string | Uint8Array): void {
    if (typeof body !== 'string') this.#places.giveBack(body);
  }

  /**
   * Runs a request where it belongs; never rejects. What is solved here is answered at once, without a promise: waiting
   * for one costs a small request as much as its solve.
   */
  handle(request: DispatchRequest): Reply | Promise<Reply> {
    const arrivedAt = now();
    return this.#inline(request, arrivedAt) ?? this.#inWorker(request, arrivedAt);
  }

  /** Runs a request in a worker whatever its size: shows that a worker lives. */
  async probe(request: DispatchRequest): Promise<Reply> {
    return this.#inWorker(request, now());
  }

  /** Solves a small body in closed form, here; null where the request belongs to a worker. */
  #inline({ operation: served, body, formats, validateOnly }: DispatchRequest, arrivedAt: number): Reply | null {
    const { operation } = served;
    if (formats !== undefined && (formats.body !== 'json' || formats.answer !== 'json')) return null;
    if (operation?.isClosedForm === undefined || body.byteLength > this.#options.inlineBodyBytes) return null;
    const parsed = parse(operation, body, this.#options);
    if (parsed.kind !== 'parsed') return inlineReply(parsed);
    const { value } = parsed;
    if (typeof value !== 'object' || value === null || !operation.isClosedForm(value)) return null;
    const ready = prepareParsed(operation, value, this.#options);
    if (ready.kind !== 'ready') return inlineReply(ready);
    if (validateOnly) return inlineReply(validated(ready));
    const { seed } = ready.request;
    const budget = deadlineBudget({ clock: now, deadline: arrivedAt + ready.timeLimitMs, seed });
    try {
      return inlineReply(run(ready, attemptBudget(budget, now, arrivedAt + inlineMs), now));
    } catch (error) {
      if (error instanceof Abandoned) return null;
      throw error;
    }
  }

  async #inWorker(request: DispatchRequest, arrivedAt: number): Promise<Reply> {
    const { operation, body, validateOnly, onProgress, beside, stop } = request;
    const signal = request.leaving();
    if (signal.aborted) return { kind: 'left', where: 'worker', facts: {} };
    const { defaultTimeLimitMs, maxTimeLimitMs, maxWork, workerMemoryMb } = this.#options;
    const maxParsedBytes = parsedShare * workerMemoryMb * 2 ** 20;
    const limits = { defaultTimeLimitMs, maxTimeLimitMs, maxWork, maxParsedBytes };
    const { body: written = 'json', answer = 'json' } = request.formats ?? {};
    const task = { operation: operation.name, limits, validateOnly, body: written, answer, ...(beside && { beside }) };
    // Where it has to wait nobody has read it yet: what cannot be read is refused now, and the clock needs its limit.
    const waits = !this.#pool.hasFreeWorker;
    const ahead = waits ? readAhead(body, written, defaultTimeLimitMs) : undefined;
    if (ahead?.kind === 'problem') return { ...ahead, where: 'inline' };
    const latestEnd = (known = ahead?.timeLimitMs ?? maxTimeLimitMs) =>
      givenUpAt(arrivedAt, Math.min(known, maxTimeLimitMs));
    const readLimit = (isOver: () => boolean) =>
      searchTimeLimit(body, written, {
        fallback: beside?.timeLimitMs ?? defaultTimeLimitMs,
        isOver,
        turns: this.#searches,
      });
    let done: number | undefined;
    const follow = (progress: Progress): void => {
      done = progress.fraction;
      onProgress?.(progress);
    };
    const told = { onProgress: follow, ...(stop && { stop }) };
    const whole = { task, body, arrivedAt, signal, latestEnd, ...told };
    try {
      const result = (waits ? await this.#attempt(whole) : null) ?? (await this.#pool.run({ ...whole, readLimit }));
      if (result.kind === 'abandoned') throw new Error('a task that was no attempt was abandoned');
      if (signal.aborted) return { kind: 'left', where: 'worker', facts: result.facts };
      if (result.kind === 'problem') return { ...result, where: 'worker' };
      const { bytes, facts, format } = result;
      return { kind: 'answer', where: 'worker', body: bytes, facts, format };
    } catch (error) {
      return this.#failure(error, now() - arrivedAt, done);
    }
  }

  /**
   * While every worker is taken, a process kept for that tries a small body. So short solves need not wait for long
   * ones. Null where there is no such place, or the solve turned out to be long. Before any worker has started the
   * first that does comes sooner than that process.
   */
  async #attempt(whole: PoolTask): Promise<Exclude<WorkerResult, { kind: 'abandoned' }> | null> {
    if (this.#quick === null || !this.#pool.started || !this.#quick.hasRoom) return null;
    if (whole.body.byteLength > quickBodyBytes) return null;
    const latestEnd = (known?: number) =>
      Math.min(whole.latestEnd(known), known === undefined ? Number.POSITIVE_INFINITY : now() + quickGivenUpMs);
    try {
      const result = await this.#quick.run({ ...whole, task: { ...whole.task, attemptMs: quickMs }, latestEnd });
      return result.kind === 'abandoned' ? null : result;
    } catch (error) {
      if (error instanceof PoolFailure && error.reason !== 'cancelled' && error.reason !== 'closed') return null;
      throw error;
    }
  }

  /** @param done share of the solve that its last progress told of */
  #failure(error: unknown, elapsedMs: number, done: number | undefined): Reply {
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
        return reply(overdue(error.timeLimitMs ?? this.#options.maxTimeLimitMs, elapsedMs, done));
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
  if (outcome.kind === 'answer') {
    return { kind: 'answer', where: 'inline', body: outcome.json, facts: outcome.facts, format: 'json' };
  }
  return { ...outcome, where: 'inline' };
}
