/**
 * The requests as they were last typed, by operation, each with what it was before, and the answers pinned beside them.
 * Going elsewhere, reloading the page or opening the wrong file loses nothing.
 */
import { isAnswer } from '../api/answer.ts';
import type { Answered } from '../api/answered.ts';
import { isJsonObject, isRecord, type JsonObject } from '../api/json.ts';
import { rowCount } from '../api/read.ts';

const prefix = 'crawl-optimizer-request:';
const pinPrefix = 'crawl-optimizer-pin:';
/** Local storage holds a few megabytes for all of a host's pages. */
const mostStoredCharacters = 400_000;
/** A request with a longer list is not turned into text to find that it is too long. */
const mostStoredRows = 20_000;
const isLong = (request: JsonObject): boolean =>
  Object.values(request).some((value) => rowCount(value) > mostStoredRows);
const mostSteps = 100;
/** Changes that follow each other this fast are undone together. */
const togetherMs = 1200;

interface Steps {
  readonly past: JsonObject[];
  readonly future: JsonObject[];
  changedAt: number;
}

export class RequestStore {
  readonly #storage: Storage;
  readonly #current = new Map<string, JsonObject>();
  readonly #steps = new Map<string, Steps>();
  readonly #pinned = new Map<string, Answered>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  #stepsOf(operation: string): Steps {
    const found = this.#steps.get(operation) ?? { past: [], future: [], changedAt: Number.NEGATIVE_INFINITY };
    this.#steps.set(operation, found);
    return found;
  }

  /** The request last typed for an operation, in this visit or an earlier one. */
  get(operation: string): JsonObject | undefined {
    const known = this.#current.get(operation);
    if (known !== undefined) return known;
    const stored = this.#stored(prefix + operation);
    return isJsonObject(stored) ? stored : undefined;
  }

  /** Takes a request over. `before` is what stands in the form now; `typed` changes are undone together. */
  set(operation: string, request: JsonObject, before: JsonObject | undefined, typed: boolean, now: number): void {
    const steps = this.#stepsOf(operation);
    const joins = typed && now - steps.changedAt < togetherMs;
    if (before !== undefined && !joins) {
      steps.past.push(before);
      if (steps.past.length > mostSteps) steps.past.shift();
    }
    steps.changedAt = typed ? now : Number.NEGATIVE_INFINITY;
    steps.future.length = 0;
    this.#keep(operation, request);
  }

  /** The answer pinned for an operation, in this visit or an earlier one. */
  pinned(operation: string): Answered | undefined {
    const known = this.#pinned.get(operation);
    if (known !== undefined) return known;
    const stored = this.#stored(pinPrefix + operation);
    const { request, answer } = isRecord(stored) ? stored : {};
    return isJsonObject(request) && isAnswer(answer) ? { request, answer, extras: new Map() } : undefined;
  }

  /**
   * Keeps an answer to compare others with; undefined lets it go. One too large to be stored is kept for this visit.
   */
  pin(operation: string, answered: Answered | undefined): void {
    if (answered === undefined) {
      this.#pinned.delete(operation);
      this.#store(pinPrefix + operation, undefined);
    } else {
      this.#pinned.set(operation, answered);
      const { request, answer } = answered;
      this.#store(pinPrefix + operation, isLong(request) ? undefined : { request, answer });
    }
  }

  canUndo(operation: string): boolean {
    return this.#stepsOf(operation).past.length > 0;
  }

  canRedo(operation: string): boolean {
    return this.#stepsOf(operation).future.length > 0;
  }

  /** The request before the last change; undefined where there is none. */
  undo(operation: string, shown: JsonObject): JsonObject | undefined {
    return this.#step(operation, shown, 'past', 'future');
  }

  /** The request that was undone last. */
  redo(operation: string, shown: JsonObject): JsonObject | undefined {
    return this.#step(operation, shown, 'future', 'past');
  }

  #step(operation: string, shown: JsonObject, from: 'past' | 'future', to: 'past' | 'future'): JsonObject | undefined {
    const steps = this.#stepsOf(operation);
    const request = steps[from].pop();
    if (request === undefined) return undefined;
    steps[to].push(shown);
    steps.changedAt = Number.NEGATIVE_INFINITY;
    this.#keep(operation, request);
    return request;
  }

  #keep(operation: string, request: JsonObject): void {
    this.#current.set(operation, request);
    this.#store(prefix + operation, isLong(request) ? undefined : request);
  }

  #stored(key: string): unknown {
    try {
      return JSON.parse(this.#storage.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Stores a value; removes what is undefined or too large. */
  #store(key: string, value: unknown): void {
    const text = value === undefined ? '' : JSON.stringify(value);
    try {
      if (text !== '' && text.length <= mostStoredCharacters) this.#storage.setItem(key, text);
      else this.#storage.removeItem(key);
    } catch {
      // A full or forbidden storage: it is kept for this visit only.
    }
  }
}
