/** Starts a server file in a process of its own, and ends it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The entry file of the service. */
export const serviceFile = new URL('../../src/server.ts', import.meta.url);

/** Warm-up requests for large bodies, after which V8 has compiled their code. */
export const warmUps = 4;

export interface ServerProcess {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Processor time of the process so far, with or without its children, ms. Linux only; 0 elsewhere. */
  readonly usedMs: (withWorkers: boolean) => number;
  /** Peak memory of the process, and sum of the peaks of its workers, MiB. */
  readonly peakMiB: () => readonly [own: number, workers: number];
  readonly stop: () => Promise<void>;
}

/** Starts a server with one worker on a free port. */
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
    usedMs: (withWorkers) =>
      processorMs(pid) + (withWorkers ? endedChildrenMs(pid) + sum(descendantsOf(pid).map(processorMs)) : 0),
    peakMiB: () => [peakMiBOf(pid), sum(descendantsOf(pid).map(peakMiBOf))],
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

/** Ids of all descendants of a process. */
function descendantsOf(pid: string): string[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.flatMap((each) => [each, ...descendantsOf(each)]);
}

/** User plus system time, ms, from two adjacent fields of /proc/<pid>/stat in ticks of 10 ms. */
function timesOf(pid: string, first: number): number {
  const fields = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * 10;
}

const processorMs = (pid: string): number => timesOf(pid, 11);

/** Processor time of children that have ended. */
const endedChildrenMs = (pid: string): number => timesOf(pid, 13);

const peakMiBOf = (pid: string): number =>
  Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
