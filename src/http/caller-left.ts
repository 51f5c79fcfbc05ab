/**
 * The end of a caller's connection. Before Node 24 a response that waits behind another on its connection has no socket
 * yet and is told nothing when that closes, so both are listened to.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One listener a connection: a caller may pipeline hundreds of requests on it. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Whether a response can no longer reach its caller. */
export const isClosed = (response: ServerResponse): boolean => response.closed || response.req.socket.destroyed;

/** Calls back once, when a response or its connection is closed. */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  const all = callbacksOf(response.req.socket);
  const once = () => {
    if (all.delete(once)) callback();
  };
  all.add(once);
  response.once('close', once);
}

function callbacksOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  waiting.set(socket, all);
  socket.once('close', () => {
    for (const each of [...all]) each();
  });
  return all;
}
