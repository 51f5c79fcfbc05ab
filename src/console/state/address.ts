/**
 * The question and its request in the address: `#/crawler-count?r=…`, the request compressed; a link brings both back.
 */
import { isJsonObject, type JsonObject } from '../api/json.ts';

/** Longer addresses are cut by mail programs and chats. */
const mostCharacters = 6000;

/** The operation named in a hash. */
export const operationIn = (hash: string): string => {
  const name = hash.replace(/^#\/?/, '').replace(/\?.*$/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** The hash of an operation with its request; without the request where that is too long. */
export async function hashOf(operation: string, request: JsonObject): Promise<string> {
  const text = JSON.stringify(request);
  if (text.length > 40 * mostCharacters) return `#/${operation}`;
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  if (bytes.length * 1.34 > mostCharacters) return `#/${operation}`;
  const packed = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `#/${operation}?r=${packed}`;
}

/** The request in a hash; undefined where there is none, or none that can be read. */
export async function requestIn(hash: string): Promise<JsonObject | undefined> {
  const packed = /\?r=([\w-]+)$/.exec(hash)?.[1];
  if (packed === undefined) return undefined;
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(
      new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))),
    );
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the address of an operation's view by another of the same view. Where the reader has already gone elsewhere,
 * which this view hears of only later, the address is theirs and stays.
 */
export function stayAt(operation: string, hash: string): void {
  if (operationIn(location.hash) === operation && location.hash !== hash) history.replaceState(null, '', hash);
}
