/** The life of a worker process: take a task, run it, send its result, again. */
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Operation } from '../operations/operation.ts';
import { type PieceMessage, runTask, type Task, type WorkerMessage } from './task.ts';

const send = (message: WorkerMessage): void => {
  process.send?.(message, undefined, undefined, () => {
    // An error here means that the service has ended; the disconnect handler below ends this process.
  });
};

/**
 * Serves tasks until the service closes the channel.
 *
 * @param load loads an operation by name, on its first task
 */
export function serveTasks(load: (name: string) => Promise<Operation | undefined>): void {
  preferredVictim();
  // The service decides when its workers end: it still has requests to finish when a signal comes to all of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(0));
  let pieces: Readable | null = null;
  process.on('message', async (message: Task | PieceMessage) => {
    if ('piece' in message) return void pieces?.push(message.piece);
    const operation = await load(message.operation);
    if (operation === undefined) throw new Error(`no operation ${message.operation} in this worker`);
    if (message.logQuery !== undefined) {
      pieces = new Readable({ read: () => send({ kind: 'next-piece' }) });
      pieces.push(message.body);
    }
    const result = await runTask(operation, message, pieces, send);
    pieces?.destroy();
    pieces = null;
    send({ kind: 'result', result });
  });
  send({ kind: 'ready' });
}

/** Asks the kernel, where it can be asked, to end a worker rather than the service when memory runs out. */
function preferredVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system, or not allowed: the heap limit still holds.
  }
}
