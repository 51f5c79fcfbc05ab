/**
 * The end of a caller's connection. Before Node 24 a response that waits behind another on its connection has no socket
 * yet. It is told nothing when that closes, so both are listened to.
 *
 * A caller that will send no more may still read (`nc -N`), or may have left: both look alike. Only the system of one
 * that has left refuses the next byte, and the connection closes. So a byte is sent that means nothing: of what every
 * status line begins with, or whatever the answer that has begun has for this.
 */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

type Callbacks = Set<() => void>;

/** One listener a connection: a caller may pipeline hundreds of requests on it. */
const waiting = { close: new WeakMap<Socket, Callbacks>(), end: new WeakMap<Socket, Callbacks>() };

/** Whether a response can no longer reach its caller. */
export const isClosed = (response: ServerResponse): boolean => response.closed || response.req.socket.destroyed;

/** Calls back once, when a response or its connection is closed. */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  const all = callbacksOf(response.req.socket, 'close');
  const once = () => {
    if (all.delete(once)) callback();
  };
  all.add(once);
  response.once('close', once);
}

function callbacksOf(socket: Socket, event: keyof typeof waiting): Callbacks {
  const known = waiting[event].get(socket);
  if (known !== undefined) return known;
  const all: Callbacks = new Set();
  waiting[event].set(socket, all);
  socket.once(event, () => {
    for (const each of [...all]) each();
  });
  return all;
}

/** What every answer begins with. */
const beginning = 'HTTP/1.1 ';
/** What the first byte was refused with is seen at the second. Pauses grow: nine bytes last for the longest limit. */
const firstPauseMs = 25;
const pauseGrowth = 4;

/**
 * Once a caller sends no more, asks it whether it still reads, until its answer is written or its connection closed.
 *
 * @param say sends what means nothing where the answer has begun
 */
export function askWhetherThere(response: ServerResponse, say: () => void): void {
  const { socket } = response.req;
  let early = 0;
  let timer: NodeJS.Timeout | undefined;
  const ask = (pauseMs: number): void => {
    if (response.writableEnded) return;
    if (response.headersSent) say();
    // One that waits behind another has no socket yet: the other asks.
    else if (response.socket !== null && early < beginning.length) {
      if (early === 0) leaveOut(socket, () => early);
      Socket.prototype.write.call(socket, beginning[early++]);
    }
    timer = setTimeout(ask, pauseMs, pauseGrowth * pauseMs).unref();
  };
  const ended = () => ask(firstPauseMs);
  if (socket.readableEnded) ended();
  const all = callbacksOf(socket, 'end');
  all.add(ended);
  whenClosed(response, () => {
    all.delete(ended);
    clearTimeout(timer);
  });
}

/** Leaves so many characters out of what is written next. */
function leaveOut(socket: Socket, count: () => number): void {
  const { write } = socket;
  socket.write = new Proxy(write, {
    apply(_, self, [chunk, ...rest]: [string | Uint8Array, ...unknown[]]) {
      socket.write = write;
      const left = typeof chunk === 'string' ? chunk.slice(count()) : chunk.subarray(count());
      return Reflect.apply(write, self, [left, ...rest]);
    },
  });
}
