/** One log line a request: id, operation, status, times; never a body, a header's secret or a query's value. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Log } from './logger.ts';
import type { RequestRun } from './request-end.ts';

export const requestLog = fp<{ readonly log: Log }>(
  async (app, { log }) => {
    app.requestEndListeners.push((request, httpStatus, elapsedMs) => {
      const totalMs = microseconds(elapsedMs);
      if (request.run !== null) {
        log.info(runMembers(request, request.run, httpStatus, totalMs));
        return;
      }
      const route = request.routeOptions.url ?? 'none';
      const line = { requestId: request.id, method: request.method, route, httpStatus, totalMs };
      const quiet = route.startsWith('/health') || route === '/metrics';
      if (quiet) request.log.debug(line, 'request');
      else request.log.info(line, 'request');
    });
  },
  { name: 'request-log', dependencies: ['request-end'] },
);

/** Milliseconds to the microsecond: further digits say nothing, and take longer to write than the rest of the line. */
const microseconds = (elapsedMs: number): number => Math.round(elapsedMs * 1000) / 1000;

/** The members of an operation's line. Ids, methods, names, statuses and solvers are words that need no escape. */
function runMembers({ id, method }: FastifyRequest, run: RequestRun, httpStatus: number, totalMs: number): string {
  const { operation, where, left, status, solveMs, queueMs, gap, solver, work } = run;
  return (
    `"requestId":"${id}","method":"${method}","route":"/v1/${operation}","httpStatus":${httpStatus},` +
    `"totalMs":${totalMs},"operation":"${operation}"${text('where', where)}${number('left', left)}` +
    text('status', status) +
    number('solveMs', solveMs && microseconds(solveMs)) +
    number('queueMs', queueMs && microseconds(queueMs)) +
    number('gap', gap) +
    text('solver', solver) +
    number('work', work) +
    ',"msg":"request"'
  );
}

/** A member whose text needs no escape, or nothing. */
const text = (name: string, value: string | undefined): string => (value === undefined ? '' : `,"${name}":"${value}"`);

/** A number, a truth value or null as a member, or nothing; an estimate of the work may be beyond all numbers. */
function number(name: string, value: number | boolean | null | undefined): string {
  if (value === undefined) return '';
  return `,"${name}":${typeof value === 'number' && !Number.isFinite(value) ? null : value}`;
}
