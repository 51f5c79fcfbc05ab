/**
 * The question and its request in the address: `#/crawler-count?r=…`, the request compressed; a link brings both back.
 */
import { isJsonObject, isShallow, type JsonObject } from '../api/json.ts';

/** Longer addresses are cut by mail programs and chats. */
const mostCharacters = 6000;
/** A request that is longer than this is not packed; what a link inflates to beyond it is not read. */
const mostInflated = 40 * mostCharacters;
/** Stands in the place of a request that is too large for an address. */
const tooLarge = '?large';

/** The operation named in a hash. */
export const operationIn = (hash: string): string => {
  const name = hash.replace(/^#\/?/, '').replace(/\?.*$/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** Whether the address says that its request was too large for it. */
export const lacksRequest = (hash: string): boolean => hash.endsWith(tooLarge);

/** The hash of an operation with its request; a mark in its place where that is too long. */
export async function hashOf(operation: string, request: JsonObject): Promise<string> {
  const text = JSON.stringify(request);
  if (text.length > mostInflated) return `#/${operation}${tooLarge}`;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length * 1.34 > mostCharacters) return `#/${operation}${tooLarge}`;
  const packed = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `#/${operation}?r=${packed}`;
}

/** The bytes of a stream as text; undefined where there are more than `most`, of which the rest is not read. */
async function textWithin(stream: ReadableStream<Uint8Array>, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The request in a hash; undefined where there is none, or none that can be read. */
export async function requestIn(hash: string): Promise<JsonObject | undefined> {
  const packed = /\?r=([\w-]+)$/.exec(hash)?.[1];
  if (packed === undefined) return undefined;
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const value: unknown = JSON.parse((await textWithin(inflated, mostInflated)) ?? '');
    return isJsonObject(value) && isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
