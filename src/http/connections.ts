/**
 * Connections on the way out. The framework closes those that have served a request and are idle. A connection that was
 * opened and has sent nothing yet counts as busy there. It would hold up the end until it times out.
 */
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import type { Drain } from './drain.ts';

/** While draining, answers tell their connection to close; when closing, connections without a request are ended. */
export const connections = fp<{ readonly state: Drain }>(
  async (app, { state }) => {
    const fresh = new Set<Socket>();
    app.server.on('connection', (socket) => {
      fresh.add(socket);
      socket.once('close', () => fresh.delete(socket));
    });
    app.server.on('request', ({ socket }) => fresh.delete(socket));
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (state.draining) reply.header('connection', 'close');
      done();
    });
    app.addHook('preClose', async () => {
      for (const socket of fresh) socket.destroy();
    });
  },
  { name: 'connections' },
);
