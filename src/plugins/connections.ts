/**
 * Connections on the way out. The framework closes those that have served a request and are idle; a connection that
 * was opened and has sent nothing yet counts as busy there and would hold up the end until it times out.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain.ts';

/** While draining, answers tell their connection to close; when closing, connections without a request are ended. */
export function closeConnections(app: FastifyInstance, state: Drain): void {
  const active = new Map<Socket, number>();
  let closing = false;
  app.server.on('connection', (socket) => {
    active.set(socket, 0);
    socket.once('close', () => active.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    active.set(socket, (active.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (active.get(socket) ?? 1) - 1;
      if (active.has(socket)) active.set(socket, left);
      if (closing && left === 0) socket.destroySoon();
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (state.draining) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const [socket, requests] of active) if (requests === 0) socket.destroy();
  });
}
