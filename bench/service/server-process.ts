/** A server as a process of its own, as callers meet it: started from a file, asked over HTTP, ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The service itself. */
export const serviceFile = new URL('../../src/server.ts', import.meta.url);

/** Large requests of a kind after which a service is compiled for them. */
export const warmUps = 4;

export interface ServerProcess {
  /** With no slash at its end. */
  readonly url: string;
  /** Processor time of the process so far, in milliseconds; with all that it has started. Linux only; 0 elsewhere. */
  readonly usedMs: (withWorkers: boolean) => number;
  /** The most memory that it has held, and that its workers have, each at its own time, in MiB. */
  readonly mostMiB: () => readonly [own: number, workers: number];
  readonly stop: () => Promise<void>;
}

/** With one worker, on a port that is free. */
export async function startServer(file: URL, environment: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', WORKERS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk: Buffer) => {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
    if (address) resolve(address);
  });
  child.once('exit', (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
  const url = await promise;
  const pid = String(child.pid);
  return {
    url,
    usedMs: (withWorkers) => usedBy(pid) + (withWorkers ? usedByEnded(pid) + sum(startedBy(pid).map(usedBy)) : 0),
    mostMiB: () => [mostMiB(pid), sum(startedBy(pid).map(mostMiB))],
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Processes that a process has started, and those that these have. */
function startedBy(pid: string): string[] {
  const own = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return own.flatMap((each) => [each, ...startedBy(each)]);
}

/** Two fields of what the system says of a process, which counts in steps of 10 ms. */
function timesOf(pid: string, first: number): number {
  const fields = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * 10;
}

const usedBy = (pid: string): number => timesOf(pid, 11);

/** By its children that have ended. */
const usedByEnded = (pid: string): number => timesOf(pid, 13);

const mostMiB = (pid: string): number => Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
