/** The short form of `node scripts/stress/stress.ts`. */
import { expect, it } from 'vitest';
import { stress } from '../../scripts/stress/stress.ts';
import { spawnServer } from '../service/spawned-server.ts';

it('a hundred odd requests, several at once, fault nothing', async () => {
  const server = await spawnServer({ WORKERS: '2' });
  try {
    // On a machine with other work an answer may be late by what that takes.
    const isOver = ({ requests }: { readonly requests: number }): boolean => requests >= 100;
    const report = await stress(server.url, { isOver, seed: 20261122, callers: 3, graceMs: 20_000 });
    expect(report.failures).toEqual([]);
    expect(Math.min(report.answers, report.refusals)).toBeGreaterThan(5);
    expect(server.process.exitCode).toBeNull();
  } finally {
    server.process.kill('SIGTERM');
    await server.exited;
  }
});
