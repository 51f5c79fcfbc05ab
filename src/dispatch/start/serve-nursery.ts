/**
 * The life of a nursery: start a worker when the service asks for one, hand over its pipes, say when it has ended. It
 * ends with the service, and so do its workers, whose pipes close.
 */
import type { Socket } from 'node:net';
import type { NurseryOrder, NurseryReport } from './nursery.ts';
import { startHere } from './start.ts';

/** Serves as a nursery until the service goes. */
export function serveNursery(): void {
  // The service decides when its processes end: it still has requests to finish when the signal comes to all of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ id, command }: NurseryOrder) => {
    const tell = (report: NurseryReport, pipe?: Socket): void => {
      process.send?.(report, pipe, undefined, () => {});
    };
    startHere.start(command, {
      onStarted: ({ frames, signals, pid }) => {
        // A worker says nothing before it is greeted by whoever has its pipes: nothing is lost on the way.
        tell({ id, kind: 'frames', pid }, frames);
        tell({ id, kind: 'signals', pid }, signals);
      },
      onEnded: (reason) => tell({ id, kind: 'ended', reason }),
    });
  });
}
