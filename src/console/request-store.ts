/** The last edited request of each operation, kept when the page is left or reloaded. */
import { isJsonObject, type JsonObject } from './api/json.ts';
import { rowCount } from './api/read.ts';

const prefix = 'crawl-optimizer-request:';
/** Local storage holds a few megabytes for all of a host's pages. */
const maxStoredCharacters = 400_000;
/** A request with a longer list is not stored, without measuring its text. */
const maxStoredRows = 20_000;

export class RequestStore {
  readonly #storage: Storage;
  readonly #current = new Map<string, JsonObject>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The last edited request of an operation, from this visit or an earlier one. */
  get(operation: string): JsonObject | undefined {
    const current = this.#current.get(operation);
    if (current !== undefined) return current;
    try {
      const storedRequest: unknown = JSON.parse(this.#storage.getItem(prefix + operation) ?? 'null');
      return isJsonObject(storedRequest) ? storedRequest : undefined;
    } catch {
      return undefined;
    }
  }

  set(operation: string, request: JsonObject): void {
    this.#current.set(operation, request);
    const isLong = Object.values(request).some((value) => rowCount(value) > maxStoredRows);
    const text = isLong ? '' : JSON.stringify(request);
    try {
      if (text !== '' && text.length <= maxStoredCharacters) this.#storage.setItem(prefix + operation, text);
      else this.#storage.removeItem(prefix + operation);
    } catch {
      // The storage is full or forbidden: the request is kept for this visit only.
    }
  }
}
